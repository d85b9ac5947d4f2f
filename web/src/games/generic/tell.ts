/** Events as sentences. */

import type { Language } from "../../shell/settings.svelte";
import { withNames } from "./faces";
import type { Event } from "./seen";
import type { GenericTexts } from "./texts";

/** A line of the game log. Lines without a seat belong to no player. */
export interface Line {
  readonly text: string;
  readonly seat: number | null;
}

/** Events as lines. Consecutive draws of chance make one line. */
export function linesOf(events: readonly Event[], names: readonly string[], t: GenericTexts): Line[] {
  const lines: Line[] = [];
  let nDrawn = 0;
  const drawn = () => {
    if (nDrawn > 0) lines.push({ text: t.told.draws(nDrawn), seat: null });
    nDrawn = 0;
  };
  for (const event of events) {
    if (event.type === "DREW") {
      nDrawn += 1;
      continue;
    }
    drawn();
    lines.push(lineOf(event, names, t));
  }
  drawn();
  return lines;
}

/** The most important thing that happened, for the line below a replay. */
export function tellEvents(events: readonly Event[], names: readonly string[], t: GenericTexts): string | null {
  const lines = linesOf(events, names, t).map((it) => it.text);
  return lines.length === 0 ? null : lines.join(" ");
}

/** The end, departures and the announcements of the rules are jump targets. */
export function landmarkOf(events: readonly Event[], move: number, t: GenericTexts): string | null {
  const has = (type: Event["type"]) => events.some((it) => it.type === type);
  if (has("MATCH_ENDED")) return t.landmark.end;
  if (has("PLAYER_LEFT")) return t.landmark.left;
  return has("SAID") ? t.move(move) : null;
}

function lineOf(event: Exclude<Event, { type: "DREW" }>, names: readonly string[], t: GenericTexts): Line {
  const called = (seat: number) => names[seat] ?? "";
  switch (event.type) {
    case "PLAYED":
      return { text: t.told.plays(called(event.player_id), withNames(event.label, names)), seat: event.player_id };
    case "SAID":
      return { text: withNames(event.text, names), seat: null };
    case "PLAYER_LEFT":
      return { text: t.told.leaves(called(event.player_id), event.cause), seat: event.player_id };
    case "MATCH_ENDED":
      return { text: t.over, seat: null };
  }
}

/** Names joined as a language joins them: "Anna, Bert and Cleo". */
export function listed(names: readonly string[], language: Language): string {
  return new Intl.ListFormat(language, { style: "long", type: "conjunction" }).format(names);
}
