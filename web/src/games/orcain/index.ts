/** Orcain: the rooms together. */

import type { Event, View } from "../../generated/protocol";
import type { ReplayFrame } from "../../generated/http";
import type { Game } from "../contract";
import type { Language } from "../../shell/settings.svelte";
import Frame from "./Frame.svelte";
import { echo, happen, recall, standing, type Duel } from "./position";
import type { OrcainAsk } from "./rules";
import Table from "./Table.svelte";
import { texts } from "./texts";
import Tutorial from "./Tutorial.svelte";

/** The last event of a frame that is worth jumping to. */
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
        return words.step(event.step + 1);
    }
  }
  return null;
}

export const game: Game = {
  name: "orcain",
  texts,
  standing: (before, view) => standing(before as Duel | null, view as View),
  happen: (before, events) => happen(before as Duel, events as Event[]),
  recall: (before, events) => recall(before as Duel, events as Event[]),
  echo: (before, ask) => echo(before as Duel, ask as OrcainAsk),
  Table,
  Frame,
  Tutorial,
  landmark,
};
