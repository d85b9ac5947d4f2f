/** Every word of Catan, in every language. */

import type { Outcome } from "../../generated/protocol";
import { settings, type Language } from "../../shell/settings.svelte";
import type { GameTexts } from "../contract";
import { isResource, read, type Resource } from "./words";

export interface CatanTexts extends GameTexts {
  resource: Record<Resource, string>;
  /** A few letters for a resource or a harbour's kind. */
  short(kind: string): string;
  tile(resource: string, number: number): string;
  harbour(kind: string): string;
  board: string;
  placeRobber(tile: string): string;
  placeRoad(between: string): string;
  placeHome(city: boolean, around: string): string;
  robberAt(tile: string): string;
  dev(card: string): { name: string; does: string };
  devTitle: string;
  good: Record<"road" | "settlement" | "city" | "development", string>;
  /** A word of an action, for people. */
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
  secondsLeft(n: number): string;
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
  /** How many of a resource are on a side of the offer, and how many its giver has. */
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
  landmark: { turn(n: number): string; city: string; settlement: string; longestRoad: string; largestArmy: string; end: string };
  form: { points: string; board: string; random: string; reference: string; against: string; friend: string; beside: string; open: string };
  tutorial: { progress(n: number, of: number): string; back: string; next: string; skip: string; finish: string; steps: { title: string; text: string }[] };
}

/** Why it ended, told three ways: to who won, to who lost, to who watched. */
function reasonOf(outcome: Outcome, seat: number | null, names: readonly string[], told: Record<string, (winner: string, loser: string) => [string, string, string]>, other: { void: string; draw: string }): string {
  if (outcome.result === "void") return other.void;
  const winner = outcome.winners[0];
  if (winner === undefined) return other.draw;
  const ways = told[outcome.reason]?.(names[winner] ?? "", names[1 - winner] ?? "");
  if (ways === undefined) return outcome.reason;
  return seat === null ? ways[2] : seat === winner ? ways[0] : ways[1];
}

function oneOf(table: Record<string, string>, code: string): string {
  return table[code] ?? code.replaceAll("_", " ");
}

const EN_WHY: Record<string, string> = {
  not_your_turn: "It is not your turn.",
  wrong_phase: "Not now.",
  roll_first: "Roll the dice first.",
  needs_test_setup: "Dice are forced only in test matches.",
  not_enough_resources: "You do not have the cards for it.",
  no_pieces_left: "All your pieces of this kind are on the board.",
  not_connected: "No free place there touches your roads.",
  too_close: "Another settlement is too close: two roads must lie between.",
  no_settlement_there: "Only a settlement of your own becomes a city.",
  deck_empty: "All development cards are bought.",
  card_not_held: "You do not have this card.",
  card_bought_this_turn: "A card cannot be played in the turn in which it was bought.",
  one_card_a_turn: "Only one development card a turn.",
  no_road_possible: "There is no place for a free road.",
  bank_empty: "The bank does not have that card.",
  no_such_port: "You have no harbour for this rate.",
  too_many_offers: "You have made all the offers of this turn.",
  other_lacks_it: "The other player does not have that card.",
  offer_incomplete: "Put at least one card on each side.",
  offer_too_large: "An offer has at most five cards on each side.",
  same_resource: "A resource can stand on one side only.",
  out_of_order: "Cards are offered in the order of the resources.",
  robber_must_move: "The robber must go to another tile.",
  friendly_robber: "The robber spares players with few points.",
  late: "Too late: the time was over.",
  busy: "The server is busy: try again.",
};

const EN_WORD: Record<string, string> = {
  roll: "Roll", robber: "Robber", road: "Road", "free-road": "Free road", settle: "Settlement", city: "City", buy: "Development card",
  knight: "Knight", roads: "Road building", "first-settle": "First settlement", "first-road": "First road", end: "End turn", accept: "Accept", decline: "Decline",
};

const EN_RESOURCE: Record<Resource, string> = { BRICK: "Brick", LUMBER: "Lumber", WOOL: "Wool", GRAIN: "Grain", ORE: "Ore" };
const EN_DEV: Record<string, { name: string; does: string }> = {
  KNIGHT: { name: "Knight", does: "Move the robber and steal a card. Three knights make an army." },
  ROAD_BUILDING: { name: "Road building", does: "Two roads for free." },
  YEAR_OF_PLENTY: { name: "Year of plenty", does: "Two cards of your choice from the bank." },
  MONOPOLY: { name: "Monopoly", does: "All cards of one resource from the other player." },
  VICTORY_POINT: { name: "Victory point", does: "One point. Nobody else sees it before the end." },
};

const en: CatanTexts = {
  title: "Catan",
  tagline: "Settle an island for two. First to fifteen points.",
  rules: "Roll, gather, build, trade. Settlements are worth one point, cities two, the longest road and the largest army two each.",
  bot(name) {
    switch (name) {
      case "random":
        return { title: "Castaway", about: "Does whatever is allowed, without a plan." };
      case "heuristic":
        return { title: "Settler", about: "Takes what makes its own island strongest at once." };
      case "search":
        return { title: "Strategist", about: "Tries decisions out over the next turns before it takes one." };
      default:
        return { title: name.charAt(0).toUpperCase() + name.slice(1), about: "" };
    }
  },
  rounds: (n) => (n === 1 ? "1 turn" : `${n} turns`),
  reason: (outcome, seat, names) =>
    reasonOf(outcome, seat, names, {
      points: (winner, loser) => ["You have all the points you need.", `${winner} has all the points needed.`, `${winner} has all the points needed; ${loser} comes second.`],
      disconnect: (_, loser) => [`${loser} stayed away.`, "You stayed away too long.", `${loser} stayed away.`],
      timeout: (_, loser) => [`${loser} ran out of time.`, "You ran out of time twice in a row.", `${loser} ran out of time.`],
      resign: (_, loser) => [`${loser} gave up.`, "You gave up.", `${loser} gave up.`],
    }, { void: "The match was called off. The stakes went back.", draw: "The last turn ended without a winner. The stakes went back." }),
  resource: EN_RESOURCE,
  short: (kind) => (isResource(kind) ? EN_RESOURCE[kind] : kind === "ANY" ? "any" : "Desert"),
  tile: (resource, number) => (isResource(resource) ? `${EN_RESOURCE[resource].toLowerCase()} ${number}` : "desert"),
  harbour: (kind) => (isResource(kind) ? `Harbour: two ${EN_RESOURCE[kind].toLowerCase()} for one card` : "Harbour: three equal cards for one"),
  board: "The island",
  placeRobber: (tile) => `Robber to ${tile}`,
  placeRoad: (between) => `Road beside ${between || "the sea"}`,
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
  setup: "Founding",
  turn: (n) => `Turn ${n}`,
  over: "The match is over.",
  chance: "The dice decide…",
  waits: (who, phase) => (phase === "DISCARD" ? `${who} discards…` : phase === "TRADE_RESPONSE" ? `${who} thinks about an offer…` : `${who} is to play…`),
  asks(phase, nDiscard) {
    switch (phase) {
      case "SETUP_SETTLEMENT":
        return "Choose a place for a settlement.";
      case "SETUP_ROAD":
        return "Choose a road beside it.";
      case "ROLL":
        return "Your turn: roll the dice, or play a card first.";
      case "DISCARD":
        return `A seven, and you hold too much: discard ${nDiscard}.`;
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
  goOn: (verb) => (verb === "knight" ? "Choose a tile for the robber." : verb === "discard" ? "More cards to discard." : verb === "roads" || verb === "free-road" ? "Choose a free road." : "Choose what follows."),
  confirmAsk: "Confirm, or undo.",
  chosen: "Chosen. Confirm with C, undo with Escape.",
  pickPlace: "Choose one of the lit places on the island.",
  dice: (one, other) => `Dice: ${one} and ${other}`,
  pot: (n) => `Pot ${n}`,
  secondsLeft: (n) => `${n} seconds left`,
  standsStill: "The clock stands still",
  away: (names) => `${names.join(", ")} lost the connection. The match waits a while.`,
  isAway: "away",
  you: "you",
  points: (n, hidden, of) => `${n} points${hidden > 0 ? ` and ${hidden} hidden` : ""} of ${of}`,
  cards: (n) => (n === 1 ? "1 card" : `${n} cards`),
  devCards: (n) => (n === 1 ? "1 development card" : `${n} development cards`),
  knights: (n) => (n === 1 ? "1 knight" : `${n} knights`),
  road: (n) => `road ${n}`,
  largestArmy: "largest army",
  longestRoad: "longest road",
  piecesLeft: (roads, settlements, cities) => `left: ${roads} roads, ${settlements} settlements, ${cities} cities`,
  actions: "What you can do",
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
  oneLess: (mine, kind) => (mine ? `Offer one ${kind} less` : `Ask for one ${kind} less`),
  offerNow: "Send the offer",
  empty: "Clear",
  offerRule: (most) => `Up to ${most} cards on each side, and no resource on both.`,
  bank: "Bank",
  deck: (n) => `${n} development cards left`,
  log: "What happened",
  keys: "Keys: R rolls, E ends the turn, T trades, C confirms, Escape undoes; arrows move on the island.",
  told: {
    rolls: (who, sum) => `${who} rolls ${sum}`,
    gets: (who, what) => `${who} gets ${what}`,
    short: (what) => `The bank cannot pay everybody's ${what}`,
    discards: (who, what) => `${who} discards ${what}`,
    robber: (who) => `${who} moves the robber`,
    steals: (who, what, from) => `${who} steals ${what} from ${from}`,
    road: (who) => `${who} builds a road`,
    settlement: (who) => `${who} builds a settlement`,
    city: (who) => `${who} builds a city`,
    longestRoad: (who) => `${who} has the longest road`,
    noLongestRoad: "Nobody has the longest road any more",
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
    truncated: "The last turn is over",
    over: "The match is over",
  },
  landmark: { turn: (n) => `Turn ${n}`, city: "City", settlement: "Settlement", longestRoad: "Longest road", largestArmy: "Largest army", end: "The end" },
  form: { points: "Points to win", board: "Island", random: "Random", reference: "Standard", against: "Against", friend: "A friend with the link", beside: "A friend beside you, at this screen", open: "Open the table" },
  tutorial: {
    progress: (n, of) => `${n} of ${of}`,
    back: "Back",
    next: "Next",
    skip: "Skip",
    finish: "To the lobby",
    steps: [
      { title: "An island for two", text: "Nineteen tiles yield brick, lumber, wool, grain and ore. The number on a tile is what the dice must show; the dots say how likely that is." },
      { title: "Founding", text: "Each places two settlements with a road, in the order one, two, two, one. A settlement stands on a corner, two roads away from any other." },
      { title: "A turn", text: "Roll. Every settlement on a tile with that number brings its owner a card, every city two. Then build, trade and end the turn." },
      { title: "Building", text: "Roads cost brick and lumber; settlements brick, lumber, wool and grain; a city two grain and three ore; a development card wool, grain and ore. Places that you can build on light up." },
      { title: "A seven", text: "Nobody gets anything. Who holds more than nine cards discards half, and the robber moves: his tile yields nothing, and you steal a card." },
      { title: "Winning", text: "A settlement is one point, a city two. The longest road (five or more) and the largest army (three knights or more) are two each. Some development cards hide a point. Fifteen win." },
    ],
  },
};

const FR_RESOURCE: Record<Resource, string> = { BRICK: "Argile", LUMBER: "Bois", WOOL: "Laine", GRAIN: "Blé", ORE: "Minerai" };
const FR_DEV: Record<string, { name: string; does: string }> = {
  KNIGHT: { name: "Chevalier", does: "Déplacez le voleur et volez une carte. Trois chevaliers font une armée." },
  ROAD_BUILDING: { name: "Construction de routes", does: "Deux routes gratuites." },
  YEAR_OF_PLENTY: { name: "Année d’abondance", does: "Deux cartes de la banque, au choix." },
  MONOPOLY: { name: "Monopole", does: "Toutes les cartes d’une ressource de l’adversaire." },
  VICTORY_POINT: { name: "Point de victoire", does: "Un point. Personne d’autre ne le voit avant la fin." },
};
const FR_WHY: Record<string, string> = {
  not_your_turn: "Ce n’est pas votre tour.",
  wrong_phase: "Pas maintenant.",
  roll_first: "Lancez d’abord les dés.",
  needs_test_setup: "Les dés ne sont imposés que dans une partie d’essai.",
  not_enough_resources: "Vous n’avez pas les cartes qu’il faut.",
  no_pieces_left: "Toutes vos pièces de ce type sont sur le plateau.",
  not_connected: "Aucune place libre ne touche vos routes.",
  too_close: "Une autre colonie est trop proche : deux routes doivent les séparer.",
  no_settlement_there: "Seule une de vos colonies devient une ville.",
  deck_empty: "Toutes les cartes développement sont achetées.",
  card_not_held: "Vous n’avez pas cette carte.",
  card_bought_this_turn: "Une carte ne se joue pas au tour où elle est achetée.",
  one_card_a_turn: "Une seule carte développement par tour.",
  no_road_possible: "Aucune place pour une route gratuite.",
  bank_empty: "La banque n’a pas cette carte.",
  no_such_port: "Vous n’avez pas de port pour ce taux.",
  too_many_offers: "Vous avez fait toutes les offres de ce tour.",
  other_lacks_it: "L’adversaire n’a pas cette carte.",
  offer_incomplete: "Mettez au moins une carte de chaque côté.",
  offer_too_large: "Une offre compte au plus cinq cartes de chaque côté.",
  same_resource: "Une ressource ne peut être que d’un côté.",
  out_of_order: "Les cartes s’offrent dans l’ordre des ressources.",
  robber_must_move: "Le voleur doit changer de tuile.",
  friendly_robber: "Le voleur épargne ceux qui ont peu de points.",
  late: "Trop tard : le temps était écoulé.",
  busy: "Le serveur est occupé : réessayez.",
};
const FR_WORD: Record<string, string> = {
  roll: "Lancer", robber: "Voleur", road: "Route", "free-road": "Route gratuite", settle: "Colonie", city: "Ville", buy: "Carte développement",
  knight: "Chevalier", roads: "Construction de routes", "first-settle": "Première colonie", "first-road": "Première route", end: "Fin du tour", accept: "Accepter", decline: "Refuser",
};

const fr: CatanTexts = {
  title: "Catan",
  tagline: "Une île pour deux. Quinze points pour gagner.",
  rules: "Lancez, récoltez, bâtissez, échangez. Une colonie vaut un point, une ville deux, la plus longue route et la plus grande armée deux chacune.",
  bot(name) {
    switch (name) {
      case "random":
        return { title: "Naufragé", about: "Fait tout ce qui est permis, sans plan." };
      case "heuristic":
        return { title: "Colon", about: "Prend ce qui rend aussitôt son île la plus forte." };
      case "search":
        return { title: "Stratège", about: "Essaie ses décisions sur les tours suivants avant d’en prendre une." };
      default:
        return { title: name.charAt(0).toUpperCase() + name.slice(1), about: "" };
    }
  },
  rounds: (n) => (n === 1 ? "1 tour" : `${n} tours`),
  reason: (outcome, seat, names) =>
    reasonOf(outcome, seat, names, {
      points: (winner, loser) => ["Vous avez tous les points qu’il faut.", `${winner} a tous les points qu’il faut.`, `${winner} a tous les points qu’il faut ; ${loser} est second.`],
      disconnect: (_, loser) => [`${loser} est resté absent.`, "Vous êtes resté absent trop longtemps.", `${loser} est resté absent.`],
      timeout: (_, loser) => [`${loser} a dépassé le temps.`, "Vous avez dépassé le temps deux fois de suite.", `${loser} a dépassé le temps.`],
      resign: (_, loser) => [`${loser} abandonne.`, "Vous avez abandonné.", `${loser} abandonne.`],
    }, { void: "La partie est annulée. Les mises sont rendues.", draw: "Le dernier tour s’est terminé sans vainqueur. Les mises sont rendues." }),
  resource: FR_RESOURCE,
  short: (kind) => (isResource(kind) ? FR_RESOURCE[kind] : kind === "ANY" ? "tout" : "Désert"),
  tile: (resource, number) => (isResource(resource) ? `${FR_RESOURCE[resource].toLowerCase()} ${number}` : "désert"),
  harbour: (kind) => (isResource(kind) ? `Port : deux ${FR_RESOURCE[kind].toLowerCase()} contre une carte` : "Port : trois cartes égales contre une"),
  board: "L’île",
  placeRobber: (tile) => `Voleur sur ${tile}`,
  placeRoad: (between) => `Route le long de ${between || "la mer"}`,
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
  setup: "Fondation",
  turn: (n) => `Tour ${n}`,
  over: "La partie est terminée.",
  chance: "Les dés décident…",
  waits: (who, phase) => (phase === "DISCARD" ? `${who} se défausse…` : phase === "TRADE_RESPONSE" ? `${who} réfléchit à une offre…` : `À ${who} de jouer…`),
  asks(phase, nDiscard) {
    switch (phase) {
      case "SETUP_SETTLEMENT":
        return "Choisissez la place d’une colonie.";
      case "SETUP_ROAD":
        return "Choisissez une route à côté.";
      case "ROLL":
        return "À vous : lancez les dés, ou jouez d’abord une carte.";
      case "DISCARD":
        return `Un sept, et votre main est trop pleine : défaussez ${nDiscard}.`;
      case "MOVE_ROBBER":
        return "Choisissez une tuile pour le voleur.";
      case "ROAD_BUILDING":
        return "Choisissez une route gratuite.";
      case "TRADE_RESPONSE":
        return "On vous fait une offre.";
      default:
        return "Bâtissez, échangez, ou finissez votre tour.";
    }
  },
  goOn: (verb) => (verb === "knight" ? "Choisissez une tuile pour le voleur." : verb === "discard" ? "Encore des cartes à défausser." : verb === "roads" || verb === "free-road" ? "Choisissez une route gratuite." : "Choisissez la suite."),
  confirmAsk: "Confirmez, ou annulez.",
  chosen: "Choisi. C confirme, Échap annule.",
  pickPlace: "Choisissez une des places éclairées de l’île.",
  dice: (one, other) => `Dés : ${one} et ${other}`,
  pot: (n) => `Pot ${n}`,
  secondsLeft: (n) => `${n} secondes restantes`,
  standsStill: "L’horloge est arrêtée",
  away: (names) => `${names.join(", ")} a perdu la connexion. La partie attend un peu.`,
  isAway: "absent",
  you: "vous",
  points: (n, hidden, of) => `${n} points${hidden > 0 ? ` et ${hidden} cachés` : ""} sur ${of}`,
  cards: (n) => (n === 1 ? "1 carte" : `${n} cartes`),
  devCards: (n) => (n === 1 ? "1 carte développement" : `${n} cartes développement`),
  knights: (n) => (n === 1 ? "1 chevalier" : `${n} chevaliers`),
  road: (n) => `route ${n}`,
  largestArmy: "plus grande armée",
  longestRoad: "plus longue route",
  piecesLeft: (roads, settlements, cities) => `restent : ${roads} routes, ${settlements} colonies, ${cities} villes`,
  actions: "Ce que vous pouvez faire",
  build: "Bâtir et acheter",
  costs: "coûte",
  confirm: "Confirmer",
  undo: "Annuler",
  roll: "Lancer les dés",
  endTurn: "Finir le tour",
  accept: "Accepter",
  decline: "Refuser",
  discard: "Défausser",
  offered: (who, give, get) => `${who} offre ${give} contre ${get} de votre main.`,
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
  offerRule: (most) => `Au plus ${most} cartes de chaque côté, et aucune ressource des deux côtés.`,
  bank: "Banque",
  deck: (n) => `${n} cartes développement restantes`,
  log: "Ce qui s’est passé",
  keys: "Touches : R lance, E finit le tour, T échange, C confirme, Échap annule ; les flèches parcourent l’île.",
  told: {
    rolls: (who, sum) => `${who} lance ${sum}`,
    gets: (who, what) => `${who} reçoit ${what}`,
    short: (what) => `La banque ne peut payer tout le ${what}`,
    discards: (who, what) => `${who} défausse ${what}`,
    robber: (who) => `${who} déplace le voleur`,
    steals: (who, what, from) => `${who} vole ${what} à ${from}`,
    road: (who) => `${who} bâtit une route`,
    settlement: (who) => `${who} bâtit une colonie`,
    city: (who) => `${who} bâtit une ville`,
    longestRoad: (who) => `${who} a la plus longue route`,
    noLongestRoad: "Personne n’a plus la plus longue route",
    largestArmy: (who) => `${who} a la plus grande armée`,
    buys: (who, card) => (card === null ? `${who} achète une carte développement` : `${who} achète une carte développement : ${card}`),
    plays: (who, card) => `${who} joue ${card}`,
    monopoly: (who, n, what) => `${who} prend ${n} ${what}`,
    trades: (who, give, get) => `${who} échange ${give} contre ${get}`,
    offers: (who, give, get) => `${who} offre ${give} contre ${get}`,
    accepts: (who) => `${who} accepte`,
    declines: (who) => `${who} refuse`,
    ends: (who) => `${who} finit son tour`,
    leaves: (who) => `${who} quitte la partie`,
    truncated: "Le dernier tour est passé",
    over: "La partie est terminée",
  },
  landmark: { turn: (n) => `Tour ${n}`, city: "Ville", settlement: "Colonie", longestRoad: "Plus longue route", largestArmy: "Plus grande armée", end: "La fin" },
  form: { points: "Points pour gagner", board: "Île", random: "Aléatoire", reference: "Standard", against: "Contre", friend: "Un ami avec le lien", beside: "Un ami à côté de vous, sur cet écran", open: "Ouvrir la table" },
  tutorial: {
    progress: (n, of) => `${n} sur ${of}`,
    back: "Retour",
    next: "Suite",
    skip: "Passer",
    finish: "Au salon",
    steps: [
      { title: "Une île pour deux", text: "Dix-neuf tuiles donnent argile, bois, laine, blé et minerai. Le nombre d’une tuile est celui que les dés doivent montrer ; les points disent combien c’est probable." },
      { title: "La fondation", text: "Chacun place deux colonies avec une route, dans l’ordre un, deux, deux, un. Une colonie se pose sur un coin, à deux routes de toute autre." },
      { title: "Un tour", text: "Lancez. Chaque colonie sur une tuile de ce nombre rapporte une carte, chaque ville deux. Puis bâtissez, échangez et finissez le tour." },
      { title: "Bâtir", text: "Une route coûte argile et bois ; une colonie argile, bois, laine et blé ; une ville deux blés et trois minerais ; une carte développement laine, blé et minerai. Les places possibles s’éclairent." },
      { title: "Un sept", text: "Personne ne reçoit rien. Qui tient plus de neuf cartes en défausse la moitié, et le voleur se déplace : sa tuile ne donne rien, et vous volez une carte." },
      { title: "Gagner", text: "Une colonie vaut un point, une ville deux. La plus longue route (cinq ou plus) et la plus grande armée (trois chevaliers ou plus) valent deux points chacune. Certaines cartes cachent un point. Quinze gagnent." },
    ],
  },
};

export const texts: Record<Language, CatanTexts> = { en, fr };

/** The words in the language that was chosen. */
export function words(): CatanTexts {
  return texts[settings.language];
}
