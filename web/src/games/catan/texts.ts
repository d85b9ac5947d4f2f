/** Every text of Catan, in every language. */

import type { Outcome } from "../../generated/protocol";
import { settings, type Language } from "../../shell/settings.svelte";
import { numbersIn } from "../../texts/numbers";
import type { GameTexts } from "../contract";
import { isResource, read, type Resource } from "./words";

export interface CatanTexts extends GameTexts {
  resource: Record<Resource, string>;
  /** A short label for a resource or for the kind of a harbor. */
  short(kind: string): string;
  tile(resource: string, number: number): string;
  harbor(kind: string): string;
  board: string;
  placeRobber(tile: string): string;
  placeRoad(between: string): string;
  placeHome(city: boolean, around: string): string;
  robberAt(tile: string): string;
  dev(card: string): { name: string; does: string };
  devTitle: string;
  good: Record<"road" | "settlement" | "city" | "development", string>;
  /** The label of an action word. */
  word(text: string): string;
  why(code: string): string;
  setup: string;
  turn(n: number): string;
  over: string;
  chance: string;
  waits(who: string, phase: string): string;
  asks(phase: string, nDiscard: number): string;
  goOn(verb: string): string;
  confirmAsk: string;
  chosen: string;
  pickPlace: string;
  dice(one: number, other: number): string;
  pot(n: number): string;
  secondsLeft: (n: number) => string;
  standsStill: string;
  away(names: string[]): string;
  isAway: string;
  you: string;
  points(n: number, hidden: number, of: number): string;
  cards(n: number): string;
  devCards(n: number): string;
  knights(n: number): string;
  road(n: number): string;
  largestArmy: string;
  longestRoad: string;
  piecesLeft(roads: number, settlements: number, cities: number): string;
  actions: string;
  build: string;
  costs: string;
  confirm: string;
  undo: string;
  roll: string;
  endTurn: string;
  accept: string;
  decline: string;
  discard: string;
  offered(who: string, give: string, get: string): string;
  trade: string;
  give: string;
  get: string;
  inBank(n: number): string;
  tradeBank(n: number | null): string;
  offerTo(who: string): string;
  side(mine: boolean): string;
  oneMore(mine: boolean, kind: string): string;
  oneLess(mine: boolean, kind: string): string;
  offerNow: string;
  empty: string;
  offerRule(most: number): string;
  bank: string;
  deck(n: number): string;
  log: string;
  keys: string;
  told: {
    rolls(who: string, sum: number): string;
    gets(who: string, what: string): string;
    short(what: string): string;
    discards(who: string, what: string): string;
    robber(who: string): string;
    steals(who: string, what: string, from: string): string;
    road(who: string): string;
    settlement(who: string): string;
    city(who: string): string;
    longestRoad(who: string): string;
    noLongestRoad: string;
    largestArmy(who: string): string;
    buys(who: string, card: string | null): string;
    plays(who: string, card: string): string;
    monopoly(who: string, n: number, what: string): string;
    trades(who: string, give: string, get: string): string;
    offers(who: string, give: string, get: string): string;
    accepts(who: string): string;
    declines(who: string): string;
    ends(who: string): string;
    leaves(who: string): string;
    truncated: string;
    over: string;
  };
  landmark: {
    turn(n: number): string;
    city: string;
    settlement: string;
    longestRoad: string;
    largestArmy: string;
    end: string;
  };
  form: {
    points: string;
    board: string;
    random: string;
    reference: string;
    against: string;
    friend: string;
    beside: string;
    open: string;
  };
  tutorial: {
    progress(n: number, of: number): string;
    back: string;
    next: string;
    skip: string;
    finish: string;
    steps: { title: string; text: string }[];
  };
}

/** The reason for the end. `told` maps each reason to the sentences for the winner, the loser and a spectator. */
function reasonOf(
  outcome: Outcome,
  seat: number | null,
  names: readonly string[],
  told: Record<string, (winner: string, loser: string) => [string, string, string]>,
  other: { void: string; draw: string },
): string {
  if (outcome.result === "void") return other.void;
  const winner = outcome.winners[0];
  if (winner === undefined) return other.draw;
  const ways = told[outcome.reason]?.(names[winner] ?? "", names[1 - winner] ?? "");
  if (ways === undefined) return outcome.reason;
  return seat === null ? ways[2] : seat === winner ? ways[0] : ways[1];
}

const EN = numbersIn("en-US");
const FR = numbersIn("fr-FR");

function oneOf(table: Record<string, string>, code: string): string {
  return table[code] ?? code.replaceAll("_", " ");
}

const EN_WHY: Record<string, string> = {
  not_your_turn: "It is not your turn.",
  wrong_phase: "You cannot do that now.",
  roll_first: "Roll the dice first.",
  needs_test_setup: "Dice can be forced only in test matches.",
  not_enough_resources: "You do not have the cards for this.",
  no_pieces_left: "You have no pieces of this kind left.",
  not_connected: "Build next to one of your roads.",
  too_close: "Too close to another settlement: stay at least two roads away.",
  no_settlement_there: "Only your own settlements can become cities.",
  deck_empty: "No development cards are left.",
  card_not_held: "You do not have this card.",
  card_bought_this_turn: "You cannot play a card in the turn you bought it.",
  one_card_a_turn: "You can play only one development card per turn.",
  no_road_possible: "There is no place for a free road.",
  bank_empty: "The bank has none of that card left.",
  no_such_port: "You have no harbor with this rate.",
  too_many_offers: "You have used all your offers for this turn.",
  other_lacks_it: "Your opponent does not have that card.",
  offer_incomplete: "Put at least one card on each side.",
  offer_too_large: "An offer has at most five cards on each side.",
  same_resource: "The same resource cannot be on both sides.",
  out_of_order: "Offer cards in the order of the resources.",
  robber_must_move: "Move the robber to another tile.",
  friendly_robber: "The robber spares players with few points.",
  late: "Too late: time ran out.",
  busy: "The server is busy. Try again.",
};

const EN_WORD: Record<string, string> = {
  roll: "Roll",
  robber: "Robber",
  road: "Road",
  "free-road": "Free road",
  settle: "Settlement",
  city: "City",
  buy: "Development card",
  knight: "Knight",
  roads: "Road building",
  "first-settle": "First settlement",
  "first-road": "First road",
  end: "End turn",
  accept: "Accept",
  decline: "Decline",
};

const EN_RESOURCE: Record<Resource, string> = {
  BRICK: "Brick",
  LUMBER: "Lumber",
  WOOL: "Wool",
  GRAIN: "Grain",
  ORE: "Ore",
};
const EN_DEV: Record<string, { name: string; does: string }> = {
  KNIGHT: { name: "Knight", does: "Move the robber and steal a card. The largest army takes at least three knights." },
  ROAD_BUILDING: { name: "Road building", does: "Build two roads for free." },
  YEAR_OF_PLENTY: { name: "Year of plenty", does: "Take two cards of your choice from the bank." },
  MONOPOLY: { name: "Monopoly", does: "Take all your opponent’s cards of one resource." },
  VICTORY_POINT: { name: "Victory point", does: "One point. Your opponent does not see it until the end." },
};

const en: CatanTexts = {
  title: "Catan",
  tagline: "Settle an island for two. First to fifteen points.",
  rules:
    "Roll, gather, build, trade. Settlements are worth one point, cities two, the longest road and the largest army two each.",
  bot(name) {
    switch (name) {
      case "random":
        return { title: "Castaway", about: "Plays any legal move, without a plan." };
      case "mcts":
        return { title: "Explorer", about: "Tries out each move in random continuations." };
      case "heuristic":
        return { title: "Settler", about: "Plays greedily." };
      case "search":
        return { title: "Strategist", about: "Looks a few turns ahead." };
      default:
        return { title: name.charAt(0).toUpperCase() + name.slice(1), about: "" };
    }
  },
  rounds: (n) => EN.count(n, "turn", "turns"),
  reason: (outcome, seat, names) =>
    reasonOf(
      outcome,
      seat,
      names,
      {
        points: (winner) => [
          "You reached the winning score.",
          `${winner} reached the winning score.`,
          `${winner} reached the winning score.`,
        ],
        disconnect: (_, loser) => [
          `${loser} disconnected.`,
          "You were disconnected for too long.",
          `${loser} disconnected.`,
        ],
        timeout: (_, loser) => [
          `${loser} ran out of time.`,
          "You ran out of time twice in a row.",
          `${loser} ran out of time.`,
        ],
        resign: (_, loser) => [`${loser} gave up.`, "You gave up.", `${loser} gave up.`],
      },
      {
        void: "The match was called off. The stakes were returned.",
        draw: "The last turn ended without a winner. The stakes were returned.",
      },
    ),
  resource: EN_RESOURCE,
  short: (kind) => (isResource(kind) ? EN_RESOURCE[kind] : kind === "ANY" ? "any" : "Desert"),
  tile: (resource, number) => (isResource(resource) ? `${EN_RESOURCE[resource].toLowerCase()} ${number}` : "desert"),
  harbor: (kind) =>
    isResource(kind)
      ? `Harbor: two ${EN_RESOURCE[kind].toLowerCase()} for one card`
      : "Harbor: three cards of a kind for one card",
  board: "The island",
  placeRobber: (tile) => `Move the robber to ${tile}`,
  placeRoad: (between) => `Road next to ${between || "the sea"}`,
  placeHome: (city, around) => `${city ? "City" : "Settlement"} at ${around}`,
  robberAt: (tile) => `The robber is on ${tile}`,
  dev: (card) => EN_DEV[card] ?? { name: card, does: "" },
  devTitle: "Your development cards",
  good: { road: "Road", settlement: "Settlement", city: "City", development: "Card" },
  word(text) {
    const { verb, object } = read(text);
    if (verb === "discard" && isResource(object)) return `Discard ${EN_RESOURCE[object].toLowerCase()}`;
    return EN_WORD[verb] ?? text;
  },
  why: (code) => oneOf(EN_WHY, code),
  setup: "Setup",
  turn: (n) => `Turn ${n}`,
  over: "The match is over.",
  chance: "Rolling the dice…",
  waits: (who, phase) =>
    phase === "DISCARD"
      ? `${who} is discarding…`
      : phase === "TRADE_RESPONSE"
        ? `${who} is considering an offer…`
        : `${who}’s turn`,
  asks(phase, nDiscard) {
    switch (phase) {
      case "SETUP_SETTLEMENT":
        return "Choose a place for a settlement.";
      case "SETUP_ROAD":
        return "Choose a road next to it.";
      case "ROLL":
        return "Your turn: roll the dice, or play a card first.";
      case "DISCARD":
        return `A 7 was rolled: discard ${EN.count(nDiscard, "card", "cards")}.`;
      case "MOVE_ROBBER":
        return "Choose a tile for the robber.";
      case "ROAD_BUILDING":
        return "Choose a free road.";
      case "TRADE_RESPONSE":
        return "You have an offer.";
      default:
        return "Build, trade, or end your turn.";
    }
  },
  goOn: (verb) =>
    verb === "knight"
      ? "Choose a tile for the robber."
      : verb === "discard"
        ? "Choose the next card to discard."
        : verb === "roads" || verb === "free-road"
          ? "Choose a free road."
          : "Choose what comes next.",
  confirmAsk: "Confirm or undo.",
  chosen: "Chosen. Confirm with C, undo with Escape.",
  pickPlace: "Choose one of the highlighted places on the island.",
  dice: (one, other) => `Dice: ${one} and ${other}`,
  pot: (n) => `Pot ${n}`,
  secondsLeft: (n) => EN.count(n, "second left", "seconds left"),
  standsStill: "The clock is paused",
  away: (names) => `Waiting for ${names.join(" and ")} to reconnect.`,
  isAway: "offline",
  you: "you",
  points: (n, hidden, of) =>
    `${EN.count(n, "point", "points")}${hidden > 0 ? ` and ${hidden} hidden` : ""}, ${of} to win`,
  cards: (n) => EN.count(n, "card", "cards"),
  devCards: (n) => EN.count(n, "development card", "development cards"),
  knights: (n) => EN.count(n, "knight", "knights"),
  road: (n) => `road length ${n}`,
  largestArmy: "largest army",
  longestRoad: "longest road",
  piecesLeft: (roads, settlements, cities) =>
    `left: ${EN.count(roads, "road", "roads")}, ${EN.count(settlements, "settlement", "settlements")}, ${EN.count(cities, "city", "cities")}`,
  actions: "Your actions",
  build: "Build and buy",
  costs: "costs",
  confirm: "Confirm",
  undo: "Undo",
  roll: "Roll the dice",
  endTurn: "End turn",
  accept: "Accept",
  decline: "Decline",
  discard: "Discard",
  offered: (who, give, get) => `${who} offers ${give} for your ${get}.`,
  trade: "Trade",
  give: "You give",
  get: "You get",
  inBank: (n) => `bank ${n}`,
  tradeBank: (n) => (n === null ? "Trade with the bank" : `Trade ${n} for 1 with the bank`),
  offerTo: (who) => `Offer to ${who}`,
  side: (mine) => (mine ? "You offer" : "You ask for"),
  oneMore: (mine, kind) => (mine ? `Offer one more ${kind}` : `Ask for one more ${kind}`),
  oneLess: (mine, kind) => (mine ? `Offer one less ${kind}` : `Ask for one less ${kind}`),
  offerNow: "Send the offer",
  empty: "Clear",
  offerRule: (most) => `Up to ${most} cards on each side. No resource can be on both sides.`,
  bank: "Bank",
  deck: (n) => EN.count(n, "development card left", "development cards left"),
  log: "Game log",
  keys: "Keys: R rolls, E ends the turn, T opens trading, C confirms, Escape undoes. Arrow keys move around the island.",
  told: {
    rolls: (who, sum) => `${who} rolls ${sum}`,
    gets: (who, what) => `${who} gets ${what}`,
    short: (what) => `The bank does not have enough ${what} for everyone`,
    discards: (who, what) => `${who} discards ${what}`,
    robber: (who) => `${who} moves the robber`,
    steals: (who, what, from) => `${who} steals ${what} from ${from}`,
    road: (who) => `${who} builds a road`,
    settlement: (who) => `${who} builds a settlement`,
    city: (who) => `${who} builds a city`,
    longestRoad: (who) => `${who} has the longest road`,
    noLongestRoad: "No one has the longest road anymore",
    largestArmy: (who) => `${who} has the largest army`,
    buys: (who, card) => (card === null ? `${who} buys a development card` : `${who} buys a development card: ${card}`),
    plays: (who, card) => `${who} plays ${card}`,
    monopoly: (who, n, what) => `${who} takes ${n} ${what}`,
    trades: (who, give, get) => `${who} trades ${give} for ${get}`,
    offers: (who, give, get) => `${who} offers ${give} for ${get}`,
    accepts: (who) => `${who} accepts`,
    declines: (who) => `${who} declines`,
    ends: (who) => `${who} ends the turn`,
    leaves: (who) => `${who} leaves`,
    truncated: "The turn limit was reached",
    over: "The match is over",
  },
  landmark: {
    turn: (n) => `Turn ${n}`,
    city: "City",
    settlement: "Settlement",
    longestRoad: "Longest road",
    largestArmy: "Largest army",
    end: "End",
  },
  form: {
    points: "Points to win",
    board: "Island",
    random: "Random",
    reference: "Standard",
    against: "Against",
    friend: "A friend, by link",
    beside: "A friend next to you, on this screen",
    open: "Create match",
  },
  tutorial: {
    progress: (n, of) => `${n} of ${of}`,
    back: "Back",
    next: "Next",
    skip: "Skip",
    finish: "Back to home",
    steps: [
      {
        title: "An island for two",
        text: "Nineteen tiles yield brick, lumber, wool, grain and ore. A tile yields when the dice show its number; the dots show how likely that is.",
      },
      {
        title: "Setup",
        text: "Each player places two settlements, each with a road, in the order one, two, two, one. Settlements stand on corners, at least two roads apart.",
      },
      {
        title: "A turn",
        text: "Roll the dice. Every settlement on a tile with that number earns its owner one card, and every city two. Then build, trade and end your turn.",
      },
      {
        title: "Building",
        text: "A road costs brick and lumber; a settlement brick, lumber, wool and grain; a city two grain and three ore; a development card wool, grain and ore. The places where you can build light up.",
      },
      {
        title: "A seven",
        text: "No one gets anything. Anyone with more than nine cards discards half. Then the robber moves; its tile yields nothing, and you steal a card.",
      },
      {
        title: "Winning",
        text: "A settlement is one point, a city two. The longest road (five or more) and the largest army (three knights or more) are two each. Some development cards are worth a hidden point. First to fifteen wins.",
      },
    ],
  },
};

const FR_RESOURCE: Record<Resource, string> = {
  BRICK: "Argile",
  LUMBER: "Bois",
  WOOL: "Laine",
  GRAIN: "Blé",
  ORE: "Minerai",
};
const FR_DEV: Record<string, { name: string; does: string }> = {
  KNIGHT: {
    name: "Chevalier",
    does: "Déplacez le voleur et volez une carte. La plus grande armée demande au moins trois chevaliers.",
  },
  ROAD_BUILDING: { name: "Construction de routes", does: "Construisez deux routes gratuitement." },
  YEAR_OF_PLENTY: { name: "Année d’abondance", does: "Prenez deux cartes de votre choix à la banque." },
  MONOPOLY: { name: "Monopole", does: "Prenez à votre adversaire toutes ses cartes d’une ressource." },
  VICTORY_POINT: { name: "Point de victoire", does: "Un point. Votre adversaire ne le voit pas avant la fin." },
};
const FR_WHY: Record<string, string> = {
  not_your_turn: "Ce n’est pas votre tour.",
  wrong_phase: "Vous ne pouvez pas faire cela maintenant.",
  roll_first: "Lancez d’abord les dés.",
  needs_test_setup: "Les dés ne peuvent être imposés que dans une partie d’essai.",
  not_enough_resources: "Vous n’avez pas les cartes nécessaires.",
  no_pieces_left: "Vous n’avez plus de pièces de ce type.",
  not_connected: "Construisez à côté d’une de vos routes.",
  too_close: "Trop proche d’une autre colonie : laissez au moins deux routes entre elles.",
  no_settlement_there: "Seules vos colonies peuvent devenir des villes.",
  deck_empty: "Il n’y a plus de cartes développement.",
  card_not_held: "Vous n’avez pas cette carte.",
  card_bought_this_turn: "Une carte ne peut pas être jouée le tour de son achat.",
  one_card_a_turn: "Vous ne pouvez jouer qu’une carte développement par tour.",
  no_road_possible: "Il n’y a aucune place pour une route gratuite.",
  bank_empty: "La banque n’a plus cette carte.",
  no_such_port: "Vous n’avez pas de port pour ce taux.",
  too_many_offers: "Vous avez épuisé vos offres pour ce tour.",
  other_lacks_it: "Votre adversaire n’a pas cette carte.",
  offer_incomplete: "Mettez au moins une carte de chaque côté.",
  offer_too_large: "Une offre compte au plus cinq cartes de chaque côté.",
  same_resource: "Une même ressource ne peut pas être des deux côtés.",
  out_of_order: "Offrez les cartes dans l’ordre des ressources.",
  robber_must_move: "Déplacez le voleur sur une autre tuile.",
  friendly_robber: "Le voleur épargne les joueurs qui ont peu de points.",
  late: "Trop tard : le temps était écoulé.",
  busy: "Le serveur est occupé. Réessayez.",
};
const FR_WORD: Record<string, string> = {
  roll: "Lancer",
  robber: "Voleur",
  road: "Route",
  "free-road": "Route gratuite",
  settle: "Colonie",
  city: "Ville",
  buy: "Carte développement",
  knight: "Chevalier",
  roads: "Construction de routes",
  "first-settle": "Première colonie",
  "first-road": "Première route",
  end: "Fin du tour",
  accept: "Accepter",
  decline: "Refuser",
};

const fr: CatanTexts = {
  title: "Catan",
  tagline: "Une île pour deux. Le premier à quinze points gagne.",
  rules:
    "Lancez les dés, récoltez, bâtissez, échangez. Une colonie vaut un point, une ville deux, la plus longue route et la plus grande armée deux chacune.",
  bot(name) {
    switch (name) {
      case "random":
        return { title: "Naufragé", about: "Joue n’importe quel coup permis, sans plan." };
      case "mcts":
        return { title: "Explorateur", about: "Essaie chaque coup dans des parties tirées au hasard." };
      case "heuristic":
        return { title: "Colon", about: "Vise le gain immédiat." };
      case "search":
        return { title: "Stratège", about: "Prévoit quelques tours à l’avance." };
      default:
        return { title: name.charAt(0).toUpperCase() + name.slice(1), about: "" };
    }
  },
  rounds: (n) => FR.count(n, "tour", "tours"),
  reason: (outcome, seat, names) =>
    reasonOf(
      outcome,
      seat,
      names,
      {
        points: (winner) => [
          "Vous avez atteint le score gagnant.",
          `${winner} a atteint le score gagnant.`,
          `${winner} a atteint le score gagnant.`,
        ],
        disconnect: (_, loser) => [
          `${loser} a perdu la connexion.`,
          "Vous êtes resté déconnecté trop longtemps.",
          `${loser} a perdu la connexion.`,
        ],
        timeout: (_, loser) => [
          `${loser} a dépassé le temps imparti.`,
          "Vous avez dépassé le temps imparti deux fois de suite.",
          `${loser} a dépassé le temps imparti.`,
        ],
        resign: (_, loser) => [`${loser} a abandonné.`, "Vous avez abandonné.", `${loser} a abandonné.`],
      },
      {
        void: "La partie a été annulée. Les mises ont été rendues.",
        draw: "Le dernier tour s’est terminé sans vainqueur. Les mises ont été rendues.",
      },
    ),
  resource: FR_RESOURCE,
  short: (kind) => (isResource(kind) ? FR_RESOURCE[kind] : kind === "ANY" ? "tout" : "Désert"),
  tile: (resource, number) => (isResource(resource) ? `${FR_RESOURCE[resource].toLowerCase()} ${number}` : "désert"),
  harbor: (kind) =>
    isResource(kind)
      ? `Port : deux cartes ${FR_RESOURCE[kind].toLowerCase()} contre une carte`
      : "Port : trois cartes identiques contre une carte",
  board: "L’île",
  placeRobber: (tile) => `Déplacer le voleur sur ${tile}`,
  placeRoad: (between) => `Route à côté de ${between || "la mer"}`,
  placeHome: (city, around) => `${city ? "Ville" : "Colonie"} à ${around}`,
  robberAt: (tile) => `Le voleur est sur ${tile}`,
  dev: (card) => FR_DEV[card] ?? { name: card, does: "" },
  devTitle: "Vos cartes développement",
  good: { road: "Route", settlement: "Colonie", city: "Ville", development: "Carte" },
  word(text) {
    const { verb, object } = read(text);
    if (verb === "discard" && isResource(object)) return `Défausser ${FR_RESOURCE[object].toLowerCase()}`;
    return FR_WORD[verb] ?? text;
  },
  why: (code) => oneOf(FR_WHY, code),
  setup: "Mise en place",
  turn: (n) => `Tour ${n}`,
  over: "La partie est terminée.",
  chance: "Lancer des dés…",
  waits: (who, phase) =>
    phase === "DISCARD"
      ? `${who} se défausse…`
      : phase === "TRADE_RESPONSE"
        ? `${who} réfléchit à une offre…`
        : `Au tour de ${who}`,
  asks(phase, nDiscard) {
    switch (phase) {
      case "SETUP_SETTLEMENT":
        return "Choisissez une place pour une colonie.";
      case "SETUP_ROAD":
        return "Choisissez une route à côté de la colonie.";
      case "ROLL":
        return "À vous : lancez les dés, ou jouez d’abord une carte.";
      case "DISCARD":
        return `Un 7 est sorti : défaussez ${FR.count(nDiscard, "carte", "cartes")}.`;
      case "MOVE_ROBBER":
        return "Choisissez une tuile pour le voleur.";
      case "ROAD_BUILDING":
        return "Choisissez une route gratuite.";
      case "TRADE_RESPONSE":
        return "Vous avez reçu une offre.";
      default:
        return "Bâtissez, échangez, ou finissez votre tour.";
    }
  },
  goOn: (verb) =>
    verb === "knight"
      ? "Choisissez une tuile pour le voleur."
      : verb === "discard"
        ? "Choisissez la carte suivante à défausser."
        : verb === "roads" || verb === "free-road"
          ? "Choisissez une route gratuite."
          : "Choisissez la suite.",
  confirmAsk: "Confirmez ou annulez.",
  chosen: "Choisi. C confirme, Échap annule.",
  pickPlace: "Choisissez une des places mises en évidence sur l’île.",
  dice: (one, other) => `Dés : ${one} et ${other}`,
  pot: (n) => `Pot ${n}`,
  secondsLeft: (n) => FR.count(n, "seconde restante", "secondes restantes"),
  standsStill: "L’horloge est en pause",
  away: (names) => `En attente de la reconnexion de ${names.join(" et ")}.`,
  isAway: "hors ligne",
  you: "vous",
  points: (n, hidden, of) =>
    `${FR.count(n, "point", "points")}${hidden > 0 ? ` et ${FR.count(hidden, "caché", "cachés")}` : ""}, ${of} pour gagner`,
  cards: (n) => FR.count(n, "carte", "cartes"),
  devCards: (n) => FR.count(n, "carte développement", "cartes développement"),
  knights: (n) => FR.count(n, "chevalier", "chevaliers"),
  road: (n) => `route de longueur ${n}`,
  largestArmy: "plus grande armée",
  longestRoad: "plus longue route",
  piecesLeft: (roads, settlements, cities) =>
    `en réserve : ${FR.count(roads, "route", "routes")}, ${FR.count(settlements, "colonie", "colonies")}, ${FR.count(cities, "ville", "villes")}`,
  actions: "Vos actions",
  build: "Bâtir et acheter",
  costs: "coûte",
  confirm: "Confirmer",
  undo: "Annuler",
  roll: "Lancer les dés",
  endTurn: "Finir le tour",
  accept: "Accepter",
  decline: "Refuser",
  discard: "Défausser",
  offered: (who, give, get) => `${who} offre ${give} et vous demande ${get}.`,
  trade: "Échanger",
  give: "Vous donnez",
  get: "Vous recevez",
  inBank: (n) => `banque ${n}`,
  tradeBank: (n) => (n === null ? "Échanger avec la banque" : `Échanger ${n} contre 1 avec la banque`),
  offerTo: (who) => `Offre à ${who}`,
  side: (mine) => (mine ? "Vous offrez" : "Vous demandez"),
  oneMore: (mine, kind) => `${mine ? "Offrir" : "Demander"} une carte de plus : ${kind}`,
  oneLess: (mine, kind) => `${mine ? "Offrir" : "Demander"} une carte de moins : ${kind}`,
  offerNow: "Envoyer l’offre",
  empty: "Effacer",
  offerRule: (most) => `Au plus ${most} cartes de chaque côté. Aucune ressource ne peut être des deux côtés.`,
  bank: "Banque",
  deck: (n) => FR.count(n, "carte développement restante", "cartes développement restantes"),
  log: "Journal de la partie",
  keys: "Clavier : R lance les dés, E finit le tour, T ouvre les échanges, C confirme, Échap annule. Les flèches parcourent l’île.",
  told: {
    rolls: (who, sum) => `${who} obtient ${sum} aux dés`,
    gets: (who, what) => `${who} reçoit ${what}`,
    short: (what) => `La banque n’a pas assez de cartes pour tous : ${what}`,
    discards: (who, what) => `${who} défausse ${what}`,
    robber: (who) => `${who} déplace le voleur`,
    steals: (who, what, from) => `${who} vole ${what} à ${from}`,
    road: (who) => `${who} bâtit une route`,
    settlement: (who) => `${who} bâtit une colonie`,
    city: (who) => `${who} bâtit une ville`,
    longestRoad: (who) => `${who} a la plus longue route`,
    noLongestRoad: "Plus personne n’a la plus longue route",
    largestArmy: (who) => `${who} a la plus grande armée`,
    buys: (who, card) =>
      card === null ? `${who} achète une carte développement` : `${who} achète une carte développement : ${card}`,
    plays: (who, card) => `${who} joue ${card}`,
    monopoly: (who, n, what) => `${who} prend ${n} ${what}`,
    trades: (who, give, get) => `${who} échange ${give} contre ${get}`,
    offers: (who, give, get) => `${who} offre ${give} contre ${get}`,
    accepts: (who) => `${who} accepte`,
    declines: (who) => `${who} refuse`,
    ends: (who) => `${who} finit son tour`,
    leaves: (who) => `${who} quitte la partie`,
    truncated: "La limite de tours est atteinte",
    over: "La partie est terminée",
  },
  landmark: {
    turn: (n) => `Tour ${n}`,
    city: "Ville",
    settlement: "Colonie",
    longestRoad: "Plus longue route",
    largestArmy: "Plus grande armée",
    end: "Fin",
  },
  form: {
    points: "Points pour gagner",
    board: "Île",
    random: "Aléatoire",
    reference: "Standard",
    against: "Contre",
    friend: "Un ami, par lien",
    beside: "Un ami à côté de vous, sur cet écran",
    open: "Créer la partie",
  },
  tutorial: {
    progress: (n, of) => `${n} sur ${of}`,
    back: "Retour",
    next: "Suivant",
    skip: "Passer",
    finish: "Retour à l’accueil",
    steps: [
      {
        title: "Une île pour deux",
        text: "Dix-neuf tuiles donnent argile, bois, laine, blé et minerai. Une tuile produit quand les dés donnent son nombre ; les points indiquent à quel point c’est probable.",
      },
      {
        title: "La mise en place",
        text: "Chaque joueur place deux colonies, chacune avec une route, dans l’ordre un, deux, deux, un. Une colonie se pose sur un coin, à au moins deux routes de toute autre.",
      },
      {
        title: "Un tour",
        text: "Lancez les dés. Chaque colonie sur une tuile portant ce nombre rapporte une carte, chaque ville deux. Ensuite, bâtissez, échangez et finissez votre tour.",
      },
      {
        title: "Bâtir",
        text: "Une route coûte argile et bois ; une colonie argile, bois, laine et blé ; une ville deux blés et trois minerais ; une carte développement laine, blé et minerai. Les places où vous pouvez bâtir s’éclairent.",
      },
      {
        title: "Un sept",
        text: "Personne ne reçoit rien. Tout joueur qui a plus de neuf cartes en défausse la moitié. Puis le voleur se déplace : sa tuile ne produit rien, et vous volez une carte.",
      },
      {
        title: "Gagner",
        text: "Une colonie vaut un point, une ville deux. La plus longue route (cinq ou plus) et la plus grande armée (trois chevaliers ou plus) valent deux points chacune. Certaines cartes développement valent un point caché. Le premier à quinze gagne.",
      },
    ],
  },
};

export const texts: Record<Language, CatanTexts> = { en, fr };

/** The texts in the chosen language. */
export function words(): CatanTexts {
  return texts[settings.language];
}
