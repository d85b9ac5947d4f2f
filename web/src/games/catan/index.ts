/** Catan, assembled for the shell. */

import type { CatanAsk, CatanEvent as Event, CatanView as View } from "../../generated/protocol";
import type { ReplayFrame } from "../../generated/http";
import type { Language } from "../../shell/settings.svelte";
import type { Game } from "../contract";
import Frame from "./Frame.svelte";
import { echo, happen, recall, standing, type Island } from "./position";
import Live from "./Live.svelte";
import LobbyForm from "./LobbyForm.svelte";
import { sentence } from "./tell";
import { texts } from "./texts";
import Tutorial from "./Tutorial.svelte";

function tell(frame: ReplayFrame, names: readonly string[], language: Language): string | null {
  const told = (frame.events as Event[]).map((it) => sentence(it, names, texts[language])).filter((it) => it !== null);
  return told.length === 0 ? null : told.join(". ");
}

/** Turns, buildings, titles and the end of the match. */
function landmark(frame: ReplayFrame, language: Language): string | null {
  const { landmark: words } = texts[language];
  for (const event of frame.events as Event[]) {
    switch (event.type) {
      case "DICE_ROLLED":
        return words.turn((frame.views as View[])[0]?.number ?? 0);
      case "CITY_PLACED":
        return words.city;
      case "SETTLEMENT_PLACED":
        return words.settlement;
      case "LONGEST_ROAD_CHANGED":
        return words.longestRoad;
      case "LARGEST_ARMY_CHANGED":
        return words.largestArmy;
      case "GAME_ENDED":
        return words.end;
    }
  }
  return null;
}

export const game: Game<CatanAsk> = {
  name: "catan",
  judge: "heuristic",
  seatColors: ["var(--player-0)", "var(--player-1)"],
  texts,
  standing: (before, view, legal) => standing(before as Island | null, view as View, legal),
  happen: (before, events) => happen(before as Island, events as Event[]),
  recall: (before, events) => recall(before as Island, events as Event[]),
  echo: (before) => echo(before as Island),
  decides: (position) => [(position as Island).view.to_decide ?? []].flat(),
  Live,
  Frame,
  Tutorial,
  LobbyForm,
  tell,
  landmark,
};
