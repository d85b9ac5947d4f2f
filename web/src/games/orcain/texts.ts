/** Every text of Orcain, in every language. */

import type { OrcainCard as Card, Outcome } from "../../generated/protocol";
import type { GameTexts } from "../contract";
import { settings, type Language } from "../../shell/settings.svelte";
import { numbersIn } from "../../texts/numbers";
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
  secondsLeft: (n: number) => string;
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
  /** A short form of `effect` without names, shown next to the card. */
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

const EN = numbersIn("en-US");
const FR = numbersIn("fr-FR");

const en: OrcainTexts = {
  title: "Orcain",
  tagline: "Place three cards in secret. Reveal them together.",
  rules:
    "Both players start with 10 hit points and the same four cards. Each round, both place up to three of them face down; then the cards are revealed one pair at a time. After round three, the player with more hit points wins. If they are tied, the first round that breaks the tie decides.",
  bot(name) {
    switch (name) {
      case "random":
        return { title: "Wanderer", about: "Plays whatever comes to hand." };
      case "mcts":
        return { title: "Gambler", about: "Tries out each move in random continuations." };
      case "equilibrium":
        return { title: "Old Master", about: "Plays the exact equilibrium: no one can outplay it in the long run." };
      default:
        return { title: name, about: "" };
    }
  },
  rounds: (n) => EN.count(n, "round", "rounds"),
  reason(outcome, seat, names) {
    const winner = outcome.winners[0] ?? null;
    if (outcome.result === "void") return "The match was called off. The stakes were returned.";
    if (outcome.result === "all_lose")
      return "Both players missed two rounds in a row, so both lose and no one gets the pot.";
    if (outcome.result === "draw") {
      return outcome.truncated
        ? "Still tied after the final round: a draw. The stakes were returned."
        : "Both players fell in the same round: a draw. The stakes were returned.";
    }
    const won = winner === seat;
    const loser = names[1 - (winner ?? 0)] ?? "";
    const other = names[1 - (seat ?? 0)] ?? "";
    const told: Record<string, [string, string, string]> = {
      normal: [
        "You have more hit points.",
        `${other} has more hit points.`,
        `${names[winner ?? 0] ?? ""} has more hit points.`,
      ],
      timeout: [
        `${other} missed two rounds in a row.`,
        "You missed two rounds in a row. A round counts as missed if you place no cards.",
        `${loser} missed two rounds in a row.`,
      ],
      disconnect: [
        `${other} disconnected.`,
        "You disconnected. In a match against another player, that loses immediately.",
        `${loser} disconnected.`,
      ],
      resign: [`${other} gave up.`, "You gave up.", `${loser} gave up.`],
    };
    const [mine, theirs, watched] = told[outcome.reason] ?? [outcome.reason, outcome.reason, outcome.reason];
    return seat === null ? watched : won ? mine : theirs;
  },
  card: {
    attack: { name: "Attack", does: "Deals 2 damage unless blocked or countered." },
    defense: { name: "Defense", does: "Blocks an attack." },
    heal: { name: "Heal", does: "Restores 1 hit point, before any damage." },
    counter: { name: "Counter", does: "Turns an attack back on the attacker for 2 damage." },
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
  suddenDeathAbout: "The first round that breaks the tie decides.",
  lastRound: (round) => `Round ${round}`,
  earlier: "Game log",
  phase: { PREP: "Place your cards", REVEAL: "Revealing the cards", END: "Match over" },
  secondsLeft: (n) => EN.count(n, "second left", "seconds left"),
  standsStill: "The clock is paused",
  pot: (n) => `Pot ${n}`,
  confirm: "Confirm",
  confirmed: "Confirmed. Your opponent is thinking…",
  confirmMissing: (n) => (n === 1 ? "Place one more card" : `Place ${n} more cards`),
  confirmHint: "When time runs out, the cards in your slots are played.",
  clear: "Clear",
  keys: "Keys: 1–4 place a card, Backspace removes one, arrow keys and Enter choose a slot, Ctrl+Enter confirms.",
  hitPoints: (name, hp, max) => `${name}: ${hp} of ${max} hit points`,
  missedOnce: (own, name) =>
    own
      ? "You missed a round. Miss the next one and you lose the match."
      : `${name} missed a round. Missing the next one loses the match.`,
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
  takenBack: (card) => `${card} removed`,
  picked: (card) => `${card} selected: choose a slot`,
  saving: "Saving…",
  saved: "Saved",
  unsaved: "Not saved yet: no connection",
  away: (names) => `Waiting for ${names.join(" and ")} to reconnect.`,
  told: {
    drafts: (name, cards) => `${name} changes the draft: ${cards}`,
    confirms: (name, cards) => `${name} confirms: ${cards}`,
    final: (round) => `Round ${round}: the cards are locked in`,
    step: (nth, one, other) => `Exchange ${nth}: ${one} – ${other}`,
    leaves: (name) => `${name} left the match`,
  },
  landmark: { round: (n) => `Round ${n}`, step: (round, n) => `${round} · ${n}`, end: "End", left: "Left" },
  tutorial: {
    title: "Learn Orcain in two minutes",
    skip: "Skip",
    next: "Next",
    back: "Back",
    finish: "Back to home",
    progress: (n, of) => `${n} of ${of}`,
    coach: "Coach",
    reveal: "Reveal",
    steps: [
      {
        title: "Two fighters, ten hit points",
        text: "You and the coach start with the same hit points. Here you both have 8, so that you can see healing too.",
      },
      {
        title: "Your hand",
        text: "Both players hold the same four cards in every round: attack, defense, heal and counter. There is no drawing and no luck.",
      },
      {
        title: "Three slots",
        text: "Place up to three cards, left to right. Tap a card, drag it, or press its number. Place Attack in the first slot.",
      },
      { title: "Expect a reply", text: "The coach may attack too. Place Defense in the second slot." },
      { title: "Room to breathe", text: "Place Heal in the third slot." },
      {
        title: "Nothing is final until you confirm",
        text: "You can change your mind until then. When time runs out, the cards in your slots are played.",
      },
      {
        title: "First exchange",
        text: "Both first cards are revealed together. Your attack meets a defense: nothing happens.",
      },
      {
        title: "Second exchange",
        text: "The coach attacks, and your defense holds. A counter would have turned it back.",
      },
      {
        title: "Third exchange",
        text: "Both heal one hit point. Healing comes before damage and never goes above ten.",
      },
      {
        title: "Winning",
        text: "After three rounds, the player with more hit points wins. If you are tied, sudden death begins: the first round that breaks the tie decides.",
      },
      {
        title: "Stay in the match",
        text: "If you place no cards, you miss the round. Missing two rounds in a row loses the match. Now go and play!",
      },
    ],
  },
};

const fr: OrcainTexts = {
  title: "Orcain",
  tagline: "Posez trois cartes en secret. Révélez-les ensemble.",
  rules:
    "Chacun commence avec 10 points de vie et les quatre mêmes cartes. À chaque manche, chacun en pose jusqu’à trois, face cachée ; puis les cartes sont révélées deux par deux. Après la troisième manche, celui qui a le plus de points de vie gagne. À égalité, la première manche qui départage les joueurs décide.",
  bot(name) {
    switch (name) {
      case "random":
        return { title: "Vagabond", about: "Joue ce qui lui tombe sous la main." };
      case "mcts":
        return { title: "Parieur", about: "Essaie chaque coup dans des parties tirées au hasard." };
      case "equilibrium":
        return { title: "Vieux Maître", about: "Joue l’équilibre exact : personne ne peut le battre à la longue." };
      default:
        return { title: name, about: "" };
    }
  },
  rounds: (n) => FR.count(n, "manche", "manches"),
  reason(outcome, seat, names) {
    const winner = outcome.winners[0] ?? null;
    if (outcome.result === "void") return "La partie a été annulée. Les mises ont été rendues.";
    if (outcome.result === "all_lose")
      return "Les deux joueurs ont manqué deux manches de suite : tous deux perdent et personne ne remporte le pot.";
    if (outcome.result === "draw") {
      return outcome.truncated
        ? "Toujours à égalité après la dernière manche : partie nulle. Les mises ont été rendues."
        : "Les deux joueurs sont tombés à la même manche : partie nulle. Les mises ont été rendues.";
    }
    const won = winner === seat;
    const loser = names[1 - (winner ?? 0)] ?? "";
    const other = names[1 - (seat ?? 0)] ?? "";
    const told: Record<string, [string, string, string]> = {
      normal: [
        "Vous avez plus de points de vie.",
        `${other} a plus de points de vie.`,
        `${names[winner ?? 0] ?? ""} a plus de points de vie.`,
      ],
      timeout: [
        `${other} a manqué deux manches de suite.`,
        "Vous avez manqué deux manches de suite. Une manche est manquée si vous ne posez aucune carte.",
        `${loser} a manqué deux manches de suite.`,
      ],
      disconnect: [
        `${other} a perdu la connexion.`,
        "Vous avez perdu la connexion. Dans une partie contre un autre joueur, cela fait perdre immédiatement.",
        `${loser} a perdu la connexion.`,
      ],
      resign: [`${other} a abandonné.`, "Vous avez abandonné.", `${loser} a abandonné.`],
    };
    const [mine, theirs, watched] = told[outcome.reason] ?? [outcome.reason, outcome.reason, outcome.reason];
    return seat === null ? watched : won ? mine : theirs;
  },
  card: {
    attack: { name: "Attaque", does: "Inflige 2 dégâts, sauf défense ou contre." },
    defense: { name: "Défense", does: "Bloque une attaque." },
    heal: { name: "Soin", does: "Rend 1 point de vie, avant les dégâts." },
    counter: { name: "Contre", does: "Renvoie l’attaque à l’attaquant pour 2 dégâts." },
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
  suddenDeathAbout: "La première manche qui départage les joueurs décide.",
  lastRound: (round) => `Manche ${round}`,
  earlier: "Journal de la partie",
  phase: { PREP: "Posez vos cartes", REVEAL: "Révélation des cartes", END: "Partie terminée" },
  secondsLeft: (n) => FR.count(n, "seconde restante", "secondes restantes"),
  standsStill: "L’horloge est en pause",
  pot: (n) => `Pot ${n}`,
  confirm: "Confirmer",
  confirmed: "Confirmé. L’adversaire réfléchit…",
  confirmMissing: (n) => (n === 1 ? "Posez encore une carte" : `Posez encore ${n} cartes`),
  confirmHint: "À la fin du temps, les cartes posées sont jouées.",
  clear: "Effacer",
  keys: "Clavier : 1–4 posent une carte, Retour arrière en retire une, les flèches et Entrée choisissent une place, Ctrl+Entrée confirme.",
  hitPoints: (name, hp, max) => `${name} : ${hp} points de vie sur ${max}`,
  missedOnce: (own, name) =>
    own
      ? "Vous avez manqué une manche. Si vous manquez la suivante, vous perdez la partie."
      : `${name} a manqué une manche. Manquer la suivante fait perdre la partie.`,
  effect(effect, name) {
    const who = name ?? "Vous";
    const own = name === null;
    switch (effect.what) {
      case "hit":
        return effect.by === 0
          ? `${who} ${own ? "ne perdez" : "ne perd"} rien`
          : `${who} ${own ? "perdez" : "perd"} ${effect.by}`;
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
  takenBack: (card) => `Carte retirée : ${card}`,
  picked: (card) => `Carte choisie : ${card}. Choisissez une place`,
  saving: "Enregistrement…",
  saved: "Enregistré",
  unsaved: "Pas encore enregistré : pas de connexion",
  away: (names) => `En attente de la reconnexion de ${names.join(" et ")}.`,
  told: {
    drafts: (name, cards) => `${name} modifie son choix : ${cards}`,
    confirms: (name, cards) => `${name} confirme : ${cards}`,
    final: (round) => `Manche ${round} : les choix sont définitifs`,
    step: (nth, one, other) => `Échange ${nth} : ${one} – ${other}`,
    leaves: (name) => `${name} a quitté la partie`,
  },
  landmark: { round: (n) => `Manche ${n}`, step: (round, n) => `${round} · ${n}`, end: "Fin", left: "Départ" },
  tutorial: {
    title: "Apprendre Orcain en deux minutes",
    skip: "Passer",
    next: "Suivant",
    back: "Retour",
    finish: "Retour à l’accueil",
    progress: (n, of) => `${n} sur ${of}`,
    coach: "Maître d’armes",
    reveal: "Révéler",
    steps: [
      {
        title: "Deux combattants, dix points de vie",
        text: "Le maître d’armes et vous commencez à égalité. Ici, vous avez 8 points de vie tous les deux, pour que vous voyiez aussi le soin.",
      },
      {
        title: "Votre main",
        text: "À chaque manche, chacun a les quatre mêmes cartes : attaque, défense, soin et contre. Pas de pioche, pas de hasard.",
      },
      {
        title: "Trois places",
        text: "Posez jusqu’à trois cartes, de gauche à droite. Touchez une carte, faites-la glisser ou tapez son numéro. Posez Attaque à la première place.",
      },
      {
        title: "Attendez-vous à une réplique",
        text: "Le maître d’armes peut attaquer aussi. Posez Défense à la deuxième place.",
      },
      { title: "Reprendre son souffle", text: "Posez Soin à la troisième place." },
      {
        title: "Rien n’est définitif avant de confirmer",
        text: "Vous pouvez changer d’avis jusque-là. À la fin du temps, les cartes posées sont jouées.",
      },
      {
        title: "Premier échange",
        text: "Les deux premières cartes sont révélées ensemble. Votre attaque rencontre une défense : rien ne se passe.",
      },
      {
        title: "Deuxième échange",
        text: "Le maître d’armes attaque, et votre défense tient. Un contre aurait renvoyé le coup.",
      },
      {
        title: "Troisième échange",
        text: "Deux soins : un point de vie chacun. Le soin passe avant les dégâts et ne dépasse jamais dix.",
      },
      {
        title: "La victoire",
        text: "Après trois manches, celui qui a le plus de points de vie gagne. À égalité, la mort subite commence : la première manche qui départage les joueurs décide.",
      },
      {
        title: "Restez dans la partie",
        text: "Si vous ne posez aucune carte, vous manquez la manche. Manquer deux manches de suite fait perdre la partie. À vous de jouer !",
      },
    ],
  },
};

function signed(n: number): string {
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0";
}

export const texts: Record<Language, OrcainTexts> = { en, fr };

/** The texts in the chosen language. */
export function words(): OrcainTexts {
  return texts[settings.language];
}

export type { Names, Outcome };
