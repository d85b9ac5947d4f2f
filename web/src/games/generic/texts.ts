/** The texts around a game that brings its own words: everything but those words, in every language. */

import type { Outcome } from "../../generated/protocol";
import { settings, type Language } from "../../shell/settings.svelte";
import { numbersIn } from "../../texts/numbers";
import type { GameTexts } from "../contract";

/** A game's own words, from the server. */
export interface About {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
}

export interface GenericTexts {
  move(n: number): string;
  yourTurn: string;
  onBoard: string;
  waits(names: string): string;
  chance: string;
  over: string;
  you: string;
  players: string;
  picture: string;
  toMove: string;
  choices: string;
  log: string;
  logEmpty: string;
  keys: string;
  sent: string;
  why(code: string): string;
  pot(n: number): string;
  secondsLeft: (n: number) => string;
  standsStill: string;
  away(names: string): string;
  isAway: string;
  die(n: number): string;
  faceDown: string;
  empty: string;
  told: {
    plays(name: string, label: string): string;
    draws(n: number): string;
    leaves(name: string, cause: string): string;
  };
  landmark: { end: string; left: string };
  tutorial: { act: string; steps: readonly string[]; rules: string; loading: string; play: string };
  form: { players: string; seat(n: number): string; you: string; guest: string; beside: string; open: string };
}

const EN = numbersIn("en-US");
const FR = numbersIn("fr-FR");

const EN_WHY: Record<string, string> = {
  not_your_turn: "It is not your turn.",
  match_over: "The match is over.",
  busy: "The server is busy. Try again.",
};

const FR_WHY: Record<string, string> = {
  not_your_turn: "Ce n’est pas votre tour.",
  match_over: "La partie est terminée.",
  busy: "Le serveur est occupé. Réessayez.",
};

/** A code as plain words: `last_with_dice` becomes "last with dice". */
const inWords = (code: string) => code.replaceAll("_", " ");

const en: GenericTexts = {
  move: (n) => `Move ${EN.number(n)}`,
  yourTurn: "Your turn: choose.",
  onBoard: "Your turn: choose on the board.",
  waits: (names) => `Waiting for ${names}…`,
  chance: "Chance decides…",
  over: "The match is over.",
  you: "you",
  players: "Players",
  picture: "Board",
  toMove: "to move",
  choices: "Your choices",
  log: "Game log",
  logEmpty: "Nothing has happened yet.",
  keys: "Keys: press the letter or number on a button. Arrow keys move between buttons, and Enter chooses.",
  sent: "Sent…",
  why: (code) => EN_WHY[code] ?? `Not allowed now: ${inWords(code)}.`,
  pot: (n) => `Pot ${EN.number(n)}`,
  secondsLeft: (n) => EN.count(n, "second left", "seconds left"),
  standsStill: "The clock is paused",
  away: (names) => `Waiting for ${names} to reconnect.`,
  isAway: "offline",
  die: (n) => `die ${n}`,
  faceDown: "face down",
  empty: "empty",
  told: {
    plays: (name, label) => `${name}: ${label}`,
    draws: (n) => (n === 1 ? "A random draw." : `${EN.number(n)} random draws.`),
    leaves: (name, cause) =>
      cause === "resign"
        ? `${name} gave up.`
        : cause === "timeout"
          ? `${name} ran out of time.`
          : cause === "disconnect"
            ? `${name} disconnected.`
            : `${name} left.`,
  },
  landmark: { end: "End", left: "Departure" },
  tutorial: {
    act: "How to play on this page",
    steps: [
      "The board shows everything you can see. A bright border marks the player whose turn it is.",
      "On your turn, your choices appear as buttons. Parts of the board with a bright border can be chosen too.",
      "Each button shows its key. Arrow keys move between buttons, and Enter chooses.",
      "The game log lists everything that happened. Afterwards, you can replay the match from every player’s view.",
    ],
    rules: "Rules",
    loading: "Loading the rules…",
    play: "Back to home",
  },
  form: {
    players: "Players",
    seat: (n) => `Player ${n}`,
    you: "You",
    guest: "Another player, by link",
    beside: "Someone next to you, on this screen",
    open: "Create match",
  },
};

const fr: GenericTexts = {
  move: (n) => `Coup ${FR.number(n)}`,
  yourTurn: "À vous : choisissez.",
  onBoard: "À vous : choisissez sur le plateau.",
  waits: (names) => `En attente de ${names}…`,
  chance: "Le hasard décide…",
  over: "La partie est terminée.",
  you: "vous",
  players: "Joueurs",
  picture: "Plateau",
  toMove: "doit jouer",
  choices: "Vos choix",
  log: "Journal de la partie",
  logEmpty: "Rien ne s’est encore passé.",
  keys: "Clavier : la lettre ou le chiffre affiché sur un bouton le choisit. Les flèches passent d’un bouton à l’autre, Entrée choisit.",
  sent: "Envoyé…",
  why: (code) => FR_WHY[code] ?? `Impossible maintenant : ${inWords(code)}.`,
  pot: (n) => `Pot ${FR.number(n)}`,
  secondsLeft: (n) => FR.count(n, "seconde restante", "secondes restantes"),
  standsStill: "L’horloge est en pause",
  away: (names) => `En attente de la reconnexion de ${names}.`,
  isAway: "hors ligne",
  die: (n) => `dé ${n}`,
  faceDown: "face cachée",
  empty: "vide",
  told: {
    plays: (name, label) => `${name} : ${label}`,
    draws: (n) => (n === 1 ? "Un tirage au sort." : `${FR.number(n)} tirages au sort.`),
    leaves: (name, cause) =>
      cause === "resign"
        ? `${name} a abandonné.`
        : cause === "timeout"
          ? `${name} a dépassé le temps imparti.`
          : cause === "disconnect"
            ? `${name} a perdu la connexion.`
            : `${name} a quitté la partie.`,
  },
  landmark: { end: "Fin", left: "Départ" },
  tutorial: {
    act: "Comment jouer sur cette page",
    steps: [
      "Le plateau montre tout ce que vous pouvez voir. Une bordure vive signale le joueur dont c’est le tour.",
      "À votre tour, vos choix apparaissent sous forme de boutons. Les éléments du plateau à bordure vive peuvent aussi être choisis.",
      "Chaque bouton indique sa touche. Les flèches passent d’un bouton à l’autre, Entrée choisit.",
      "Le journal énumère tout ce qui s’est passé. Ensuite, vous pouvez revoir la partie du point de vue de chaque joueur.",
    ],
    rules: "Règles (en anglais)",
    loading: "Chargement des règles…",
    play: "Retour à l’accueil",
  },
  form: {
    players: "Joueurs",
    seat: (n) => `Joueur ${n}`,
    you: "Vous",
    guest: "Un autre joueur, par lien",
    beside: "Quelqu’un à côté de vous, sur cet écran",
    open: "Créer la partie",
  },
};

export const texts: Record<Language, GenericTexts> = { en, fr };

/** The texts in the chosen language. */
export function words(): GenericTexts {
  return texts[settings.language];
}

/** The texts of one game, as the shell needs them. */
export function gameTexts(about: About): Record<Language, GameTexts> {
  const own = { title: about.title, tagline: about.summary, rules: about.summary };
  return {
    en: {
      ...own,
      bot: (name) => EN_BOTS[name] ?? { title: capital(name), about: "" },
      rounds: (n) => EN.count(n, "move", "moves"),
      reason: (outcome, seat, names) => reasonOf(outcome, seat, names, EN_REASONS),
    },
    fr: {
      ...own,
      bot: (name) => FR_BOTS[name] ?? { title: capital(name), about: "" },
      rounds: (n) => FR.count(n, "coup", "coups"),
      reason: (outcome, seat, names) => reasonOf(outcome, seat, names, FR_REASONS),
    },
  };
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const EN_BOTS: Record<string, { title: string; about: string }> = {
  random: { title: "Rookie", about: "Plays any legal move, without a plan." },
  mcts: { title: "Thinker", about: "Tries out each move in random continuations." },
};

const FR_BOTS: Record<string, { title: string; about: string }> = {
  random: { title: "Novice", about: "Joue n’importe quel coup légal, sans plan." },
  mcts: { title: "Penseur", about: "Essaie chaque coup dans des parties tirées au hasard." },
};

interface Reasons {
  void: string;
  draw: string;
  allLose: string;
  truncated: string;
  /** The departure that ended the match: addressed to the loser, and told of the loser. */
  left: Record<string, { own: string; other(loser: string): string }>;
}

const EN_REASONS: Reasons = {
  void: "The match was called off. The stakes were returned.",
  draw: "A draw. The stakes were returned.",
  allLose: "Everyone loses, and no one gets the pot.",
  truncated: "The limit on the number of turns was reached.",
  left: {
    disconnect: { own: "You were disconnected for too long.", other: (loser) => `${loser} disconnected.` },
    timeout: { own: "You ran out of time.", other: (loser) => `${loser} ran out of time.` },
    resign: { own: "You gave up.", other: (loser) => `${loser} gave up.` },
  },
};

const FR_REASONS: Reasons = {
  void: "La partie a été annulée. Les mises ont été rendues.",
  draw: "Égalité. Les mises ont été rendues.",
  allLose: "Tout le monde perd, et personne ne gagne le pot.",
  truncated: "La limite du nombre de tours est atteinte.",
  left: {
    disconnect: {
      own: "Vous êtes resté déconnecté trop longtemps.",
      other: (loser) => `${loser} a perdu la connexion.`,
    },
    timeout: { own: "Vous avez dépassé le temps imparti.", other: (loser) => `${loser} a dépassé le temps imparti.` },
    resign: { own: "Vous avez abandonné.", other: (loser) => `${loser} a abandonné.` },
  },
};

function reasonOf(outcome: Outcome, seat: number | null, names: readonly string[], of: Reasons): string {
  if (outcome.result === "void") return of.void;
  if (outcome.result === "all_lose") return of.allLose;
  if (outcome.truncated) return of.truncated;
  if (outcome.result === "draw") return of.draw;
  const left = of.left[outcome.reason];
  if (left === undefined) return `${capital(inWords(outcome.reason))}.`;
  if (seat !== null && !outcome.winners.includes(seat)) return left.own;
  const losers = names.filter((_, idx) => !outcome.winners.includes(idx));
  return left.other(losers.join(", "));
}
