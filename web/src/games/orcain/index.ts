/** Orcain, assembled for the shell. */

import type { OrcainAsk, OrcainCard as Card, OrcainEvent as Event, OrcainView as View } from "../../generated/protocol";
import type { ReplayFrame } from "../../generated/http";
import type { Game } from "../contract";
import type { Language } from "../../shell/settings.svelte";
import Frame from "./Frame.svelte";
import { echo, happen, recall, standing, type Duel } from "./position";
import Live from "./Live.svelte";
import { texts } from "./texts";
import Tutorial from "./Tutorial.svelte";

/** The label of the last event in a frame that is a jump target. */
function landmark(frame: ReplayFrame, language: Language): string | null {
  const { landmark: words } = texts[language];
  for (const event of (frame.events as Event[]).toReversed()) {
    switch (event.type) {
      case "MATCH_ENDED":
        return words.end;
      case "PLAYER_LEFT":
        return words.left;
      case "ROUND_STARTED":
        return words.round(event.round);
      case "STEP_REVEALED":
        return words.step(event.round, event.step + 1);
    }
  }
  return null;
}

/** The sentence for the last event in a frame that has one. */
function tell(frame: ReplayFrame, names: readonly string[], language: Language): string | null {
  const t = texts[language];
  const named = (card: Card | null | undefined) => (card ? t.card[card].name : t.nothing);
  for (const event of (frame.events as Event[]).toReversed()) {
    switch (event.type) {
      case "DRAFT_RECEIVED":
        return t.told.drafts(names[event.player_id] ?? "", frame.text ?? "");
      case "LAYOUT_CONFIRMED":
        return t.told.confirms(names[event.player_id] ?? "", frame.text ?? "");
      case "ROUND_FINALIZED":
        return t.told.final(event.round);
      case "STEP_REVEALED":
        return t.told.step(event.step + 1, named(event.cards[0]), named(event.cards[1]));
      case "ROUND_STARTED":
        return event.sudden_death ? t.suddenDeath : t.lastRound(event.round);
      case "PLAYER_LEFT":
        return t.told.leaves(names[event.player_id] ?? "");
      case "MATCH_ENDED":
        return t.reason(event.outcome, null, names);
    }
  }
  return null;
}

export const game: Game<OrcainAsk> = {
  name: "orcain",
  judge: "equilibrium",
  texts,
  standing: (before, view) => standing(before as Duel | null, view as View),
  happen: (before, events) => happen(before as Duel, events as Event[]),
  recall: (before, events) => recall(before as Duel, events as Event[]),
  echo: (before, ask) => echo(before as Duel, ask),
  Live,
  Frame,
  Tutorial,
  tell,
  landmark,
};
