/** Every word of Orcain, in every language. */

import type { OrcainCard as Card, Outcome } from "../../generated/protocol";
import type { GameTexts } from "../contract";
import { settings, type Language } from "../../shell/settings.svelte";
import type { Effect } from "./rules";

export interface OrcainTexts extends GameTexts {
  card: Record<Card, { name: string; does: string }>;
  nothing: string;
  empty: string;
  hidden: string;
  hand: string;
  you: string;
  slot(nth: number): string;
  step(nth: number): string;
  round(round: number, limit: number): string;
  suddenDeath: string;
  suddenDeathAbout: string;
  lastRound(round: number): string;
  earlier: string;
  phase: Record<"PREP" | "REVEAL" | "END", string>;
  secondsLeft(n: number): string;
  standsStill: string;
  pot(n: number): string;
  confirm: string;
  confirmed: string;
  confirmMissing(n: number): string;
  confirmHint: string;
  clear: string;
  keys: string;
  hitPoints(name: string, hp: number, max: number): string;
  missedOnce(own: boolean, name: string): string;
  effect(effect: Effect, name: string | null): string;
  /** The same beside the card it happened to, where nobody need be named. */
  verdict(effect: Effect): string;
  laidOut(card: string, slot: number): string;
  takenBack(card: string): string;
  picked(card: string): string;
  saving: string;
  saved: string;
  unsaved: string;
  away(names: string[]): string;
  told: {
    drafts(name: string, cards: string): string;
    confirms(name: string, cards: string): string;
    final(round: number): string;
    step(nth: number, one: string, other: string): string;
    leaves(name: string): string;
  };
  landmark: { round(n: number): string; step(round: number, n: number): string; end: string; left: string };
  tutorial: {
    title: string;
    skip: string;
    next: string;
    back: string;
    finish: string;
    progress(n: number, of: number): string;
    coach: string;
    steps: { title: string; text: string }[];
    reveal: string;
  };
}

type Names = readonly string[];

const en: OrcainTexts = {
  title: "Orcain",
  tagline: "Lay three cards in secret. Turn them over together.",
  rules:
    "Both start with 10 hit points and the same four cards. Each round both lay out up to three of them, face down; then the cards meet one by one. After round three the higher hit points win; if they are equal, the first unequal round decides.",
  bot(name) {
    switch (name) {
      case "random":
        return { title: "Wanderer", about: "Lays out whatever comes to hand." };
      case "equilibrium":
        return { title: "Old Master", about: "Plays the exact equilibrium: nobody can outplay it in the long run." };
      default:
        return { title: name, about: "" };
    }
  },
  rounds: (n) => (n === 1 ? "1 round" : `${n} rounds`),
  reason(outcome, seat, names) {
    const winner = outcome.winners[0] ?? null;
    if (outcome.result === "void") return "The match was called off. The stakes went back.";
    if (outcome.result === "all_lose") return "Both missed two rounds in a row, so both lose and nobody gets the pot.";
    if (outcome.result === "draw") {
      return outcome.truncated
        ? "Still equal after the last round there is: a draw. The stakes went back."
        : "Both fell in the same round: a draw. The stakes went back.";
    }
    const won = winner === seat;
    const loser = names[1 - (winner ?? 0)] ?? "";
    const other = names[1 - (seat ?? 0)] ?? "";
    const told: Record<string, [string, string, string]> = {
      normal: ["You have more hit points.", `${other} has more hit points.`, `${names[winner ?? 0] ?? ""} has more hit points.`],
      timeout: [
        `${other} missed two rounds in a row.`,
        "You missed two rounds in a row: a round counts as missed when nothing at all was laid out.",
        `${loser} missed two rounds in a row.`,
      ],
      disconnect: [`${other} lost the connection.`, "Your connection was lost, and between people that loses the match at once.", `${loser} lost the connection.`],
      resign: [`${other} gave up.`, "You gave up.", `${loser} gave up.`],
    };
    const [mine, theirs, watched] = told[outcome.reason] ?? [outcome.reason, outcome.reason, outcome.reason];
    return seat === null ? watched : won ? mine : theirs;
  },
  card: {
    attack: { name: "Attack", does: "Takes 2, unless defended or countered." },
    defense: { name: "Defense", does: "Blocks an attack." },
    heal: { name: "Heal", does: "Gives 1 back, before any damage." },
    counter: { name: "Counter", does: "Turns an attack back on the attacker for 2." },
  },
  nothing: "nothing",
  empty: "empty",
  hidden: "face down",
  hand: "Your hand",
  you: "You",
  slot: (nth) => `Slot ${nth}`,
  step: (nth) => `Exchange ${nth}`,
  round: (round, limit) => (round > limit ? `Round ${round}` : `Round ${round} of ${limit}`),
  suddenDeath: "Sudden death",
  suddenDeathAbout: "The first round that ends unequal decides.",
  lastRound: (round) => `Round ${round}`,
  earlier: "What happened so far",
  phase: { PREP: "Lay out your cards", REVEAL: "Cards on the table", END: "Over" },
  secondsLeft: (n) => `${n} seconds left`,
  standsStill: "The clock stands still",
  pot: (n) => `Pot ${n}`,
  confirm: "Confirm",
  confirmed: "Confirmed. Your opponent is thinking…",
  confirmMissing: (n) => (n === 1 ? "Lay one more card" : `Lay ${n} more cards`),
  confirmHint: "What lies in the slots when time runs out counts too.",
  clear: "Take all back",
  keys: "Keys: 1–4 lay a card, Backspace takes one back, arrows and Enter choose a slot, Ctrl+Enter confirms.",
  hitPoints: (name, hp, max) => `${name}: ${hp} of ${max} hit points`,
  missedOnce: (own, name) =>
    own ? "You missed a round: one more missed round loses the match." : `${name} missed a round: one more loses the match.`,
  effect(effect, name) {
    const who = name ?? "You";
    const lose = name === null ? "lose" : "loses";
    const gain = name === null ? "gain" : "gains";
    switch (effect.what) {
      case "hit":
        return effect.by === 0 ? `${who} ${lose} nothing` : `${who} ${lose} ${effect.by}`;
      case "struck_back":
        return `${who} ${lose} ${effect.by}: countered`;
      case "healed":
        return effect.by === 0 ? `${who}: already full` : `${who} ${gain} ${effect.by}`;
      case "healed_and_hit":
        return effect.by === 0 ? `${who}: healed and hit` : `${who}: healed, then hit: ${signed(effect.by)}`;
      case "blocked":
        return name === null ? "You block" : `${who} blocks`;
      case "countered":
        return name === null ? "You strike back" : `${who} strikes back`;
      case "nothing":
        return "";
    }
  },
  verdict(effect) {
    switch (effect.what) {
      case "hit":
        return effect.by === 0 ? "Nothing lost" : signed(-effect.by);
      case "struck_back":
        return `Countered: ${signed(-effect.by)}`;
      case "healed":
        return effect.by === 0 ? "Already full" : signed(effect.by);
      case "healed_and_hit":
        return effect.by === 0 ? "Healed and hit" : `Healed and hit: ${signed(effect.by)}`;
      case "blocked":
        return "Blocked";
      case "countered":
        return "Struck back";
      case "nothing":
        return "";
    }
  },
  laidOut: (card, slot) => `${card} in slot ${slot}`,
  takenBack: (card) => `${card} taken back`,
  picked: (card) => `${card} picked: choose a slot`,
  saving: "Saving…",
  saved: "Saved by the referee",
  unsaved: "Not saved yet: no connection",
  away: (names) => `Waiting for ${names.join(" and ")} to come back.`,
  told: {
    drafts: (name, cards) => `${name} changes the draft: ${cards}`,
    confirms: (name, cards) => `${name} confirms: ${cards}`,
    final: (round) => `Round ${round}: the layouts are final`,
    step: (nth, one, other) => `Exchange ${nth}: ${one} – ${other}`,
    leaves: (name) => `${name} is gone`,
  },
  landmark: { round: (n) => `Round ${n}`, step: (round, n) => `${round} · ${n}`, end: "End", left: "Left" },
  tutorial: {
    title: "Learn Orcain in two minutes",
    skip: "Skip",
    next: "Next",
    back: "Back",
    finish: "To the lobby",
    progress: (n, of) => `${n} of ${of}`,
    coach: "Coach",
    reveal: "Turn over",
    steps: [
      { title: "Two fighters, ten hit points", text: "You and the coach start equal. Here you both have 8, so that you see healing too." },
      { title: "Your hand", text: "Everybody holds the same four cards in every round: attack, defense, heal and counter. Nobody draws, nobody is lucky." },
      { title: "Three slots", text: "Lay up to three cards, left to right. Tap a card, drag it, or press its number. Lay Attack in the first slot." },
      { title: "Think of the answer", text: "The coach may attack as well. Lay Defense in the second slot." },
      { title: "Room to breathe", text: "Lay Heal in the third slot." },
      { title: "Nothing is final until you confirm", text: "You may change your mind until then. When time runs out, what lies in the slots counts." },
      { title: "First exchange", text: "Both first cards are turned over together. Your attack meets a defense: nothing happens." },
      { title: "Second exchange", text: "The coach attacks, and your defense holds. A counter would have turned it back." },
      { title: "Third exchange", text: "Both heal: one hit point each. Healing comes before damage, and never above ten." },
      { title: "Who wins", text: "After three rounds the higher hit points win. If you are equal, sudden death begins: the first unequal round decides." },
      { title: "Be there", text: "A round in which you lay out nothing at all is missed. Two missed rounds in a row lose the match. Now go and play!" },
    ],
  },
};

const fr: OrcainTexts = {
  title: "Orcain",
  tagline: "Posez trois cartes en secret. Retournez-les ensemble.",
  rules:
    "Chacun commence avec 10 points de vie et les mêmes quatre cartes. À chaque manche, chacun en pose jusqu’à trois, face cachée ; puis les cartes se rencontrent une à une. Après la troisième manche, le plus de points de vie gagne ; à égalité, la première manche inégale décide.",
  bot(name) {
    switch (name) {
      case "random":
        return { title: "Vagabond", about: "Pose ce qui lui tombe sous la main." };
      case "equilibrium":
        return { title: "Vieux Maître", about: "Joue l’équilibre exact : personne ne peut le dominer à la longue." };
      default:
        return { title: name, about: "" };
    }
  },
  rounds: (n) => (n === 1 ? "1 manche" : `${n} manches`),
  reason(outcome, seat, names) {
    const winner = outcome.winners[0] ?? null;
    if (outcome.result === "void") return "La partie a été annulée. Les mises ont été rendues.";
    if (outcome.result === "all_lose") return "Les deux ont manqué deux manches de suite : les deux perdent et personne ne prend le pot.";
    if (outcome.result === "draw") {
      return outcome.truncated
        ? "Encore à égalité après la toute dernière manche : partie nulle. Les mises ont été rendues."
        : "Les deux sont tombés à la même manche : partie nulle. Les mises ont été rendues.";
    }
    const won = winner === seat;
    const loser = names[1 - (winner ?? 0)] ?? "";
    const other = names[1 - (seat ?? 0)] ?? "";
    const told: Record<string, [string, string, string]> = {
      normal: ["Vous avez plus de points de vie.", `${other} a plus de points de vie.`, `${names[winner ?? 0] ?? ""} a plus de points de vie.`],
      timeout: [
        `${other} a manqué deux manches de suite.`,
        "Vous avez manqué deux manches de suite : une manche est manquée quand rien n’a été posé.",
        `${loser} a manqué deux manches de suite.`,
      ],
      disconnect: [
        `${other} a perdu la connexion.`,
        "Votre connexion a été perdue, et entre joueurs cela fait perdre la partie aussitôt.",
        `${loser} a perdu la connexion.`,
      ],
      resign: [`${other} a abandonné.`, "Vous avez abandonné.", `${loser} a abandonné.`],
    };
    const [mine, theirs, watched] = told[outcome.reason] ?? [outcome.reason, outcome.reason, outcome.reason];
    return seat === null ? watched : won ? mine : theirs;
  },
  card: {
    attack: { name: "Attaque", does: "Retire 2, sauf défense ou contre." },
    defense: { name: "Défense", does: "Bloque une attaque." },
    heal: { name: "Soin", does: "Rend 1, avant tout dégât." },
    counter: { name: "Contre", does: "Renvoie l’attaque à l’attaquant pour 2." },
  },
  nothing: "rien",
  empty: "vide",
  hidden: "face cachée",
  hand: "Votre main",
  you: "Vous",
  slot: (nth) => `Place ${nth}`,
  step: (nth) => `Échange ${nth}`,
  round: (round, limit) => (round > limit ? `Manche ${round}` : `Manche ${round} sur ${limit}`),
  suddenDeath: "Mort subite",
  suddenDeathAbout: "La première manche inégale décide.",
  lastRound: (round) => `Manche ${round}`,
  earlier: "Ce qui s’est passé",
  phase: { PREP: "Posez vos cartes", REVEAL: "Cartes sur table", END: "Terminé" },
  secondsLeft: (n) => `${n} secondes restantes`,
  standsStill: "L’horloge est arrêtée",
  pot: (n) => `Pot ${n}`,
  confirm: "Confirmer",
  confirmed: "Confirmé. L’adversaire réfléchit…",
  confirmMissing: (n) => (n === 1 ? "Posez encore une carte" : `Posez encore ${n} cartes`),
  confirmHint: "Ce qui est posé quand le temps s’achève compte aussi.",
  clear: "Tout reprendre",
  keys: "Clavier : 1–4 posent une carte, Retour arrière en reprend une, flèches et Entrée choisissent une place, Ctrl+Entrée confirme.",
  hitPoints: (name, hp, max) => `${name} : ${hp} points de vie sur ${max}`,
  missedOnce: (own, name) =>
    own ? "Vous avez manqué une manche : une de plus et la partie est perdue." : `${name} a manqué une manche : une de plus et la partie est perdue.`,
  effect(effect, name) {
    const who = name ?? "Vous";
    const own = name === null;
    switch (effect.what) {
      case "hit":
        return effect.by === 0 ? `${who} ${own ? "ne perdez" : "ne perd"} rien` : `${who} ${own ? "perdez" : "perd"} ${effect.by}`;
      case "struck_back":
        return `${who} ${own ? "perdez" : "perd"} ${effect.by} : contré`;
      case "healed":
        return effect.by === 0 ? `${who} : déjà au maximum` : `${who} ${own ? "gagnez" : "gagne"} ${effect.by}`;
      case "healed_and_hit":
        return effect.by === 0 ? `${who} : soin puis coup` : `${who} : soin puis coup, ${signed(effect.by)}`;
      case "blocked":
        return own ? "Vous bloquez" : `${who} bloque`;
      case "countered":
        return own ? "Vous renvoyez le coup" : `${who} renvoie le coup`;
      case "nothing":
        return "";
    }
  },
  verdict(effect) {
    switch (effect.what) {
      case "hit":
        return effect.by === 0 ? "Rien perdu" : signed(-effect.by);
      case "struck_back":
        return `Contré : ${signed(-effect.by)}`;
      case "healed":
        return effect.by === 0 ? "Déjà au maximum" : signed(effect.by);
      case "healed_and_hit":
        return effect.by === 0 ? "Soin puis coup" : `Soin puis coup : ${signed(effect.by)}`;
      case "blocked":
        return "Bloqué";
      case "countered":
        return "Coup renvoyé";
      case "nothing":
        return "";
    }
  },
  laidOut: (card, slot) => `${card} en place ${slot}`,
  takenBack: (card) => `${card} reprise`,
  picked: (card) => `${card} choisie : choisissez une place`,
  saving: "Enregistrement…",
  saved: "Enregistré par l’arbitre",
  unsaved: "Pas encore enregistré : pas de connexion",
  away: (names) => `On attend le retour de ${names.join(" et ")}.`,
  told: {
    drafts: (name, cards) => `${name} change son projet : ${cards}`,
    confirms: (name, cards) => `${name} confirme : ${cards}`,
    final: (round) => `Manche ${round} : les cartes sont fixées`,
    step: (nth, one, other) => `Échange ${nth} : ${one} – ${other}`,
    leaves: (name) => `${name} est parti`,
  },
  landmark: { round: (n) => `Manche ${n}`, step: (round, n) => `${round} · ${n}`, end: "Fin", left: "Départ" },
  tutorial: {
    title: "Apprendre Orcain en deux minutes",
    skip: "Passer",
    next: "Suite",
    back: "Retour",
    finish: "Vers le salon",
    progress: (n, of) => `${n} sur ${of}`,
    coach: "Maître d’armes",
    reveal: "Retourner",
    steps: [
      { title: "Deux combattants, dix points de vie", text: "Vous et le maître commencez à égalité. Ici vous avez 8 tous les deux, pour voir aussi le soin." },
      { title: "Votre main", text: "Chacun tient les mêmes quatre cartes à chaque manche : attaque, défense, soin et contre. Pas de pioche, pas de chance." },
      { title: "Trois places", text: "Posez jusqu’à trois cartes, de gauche à droite. Touchez une carte, glissez-la, ou tapez son numéro. Posez Attaque à la première place." },
      { title: "Pensez à la réponse", text: "Le maître peut attaquer aussi. Posez Défense à la deuxième place." },
      { title: "Reprendre son souffle", text: "Posez Soin à la troisième place." },
      { title: "Rien n’est définitif avant de confirmer", text: "Vous pouvez changer d’avis jusque-là. Quand le temps s’achève, ce qui est posé compte." },
      { title: "Premier échange", text: "Les deux premières cartes se retournent ensemble. Votre attaque rencontre une défense : rien ne se passe." },
      { title: "Deuxième échange", text: "Le maître attaque, et votre défense tient. Un contre aurait renvoyé le coup." },
      { title: "Troisième échange", text: "Deux soins : un point chacun. Le soin passe avant les dégâts, et jamais au-dessus de dix." },
      { title: "Qui gagne", text: "Après trois manches, le plus de points de vie gagne. À égalité, la mort subite commence : la première manche inégale décide." },
      { title: "Soyez là", text: "Une manche où vous ne posez rien du tout est manquée. Deux manches manquées de suite font perdre. À vous de jouer !" },
    ],
  },
};

function signed(n: number): string {
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0";
}

export const texts: Record<Language, OrcainTexts> = { en, fr };

/** The words in the language that was chosen. */
export function words(): OrcainTexts {
  return texts[settings.language];
}

export type { Names, Outcome };
