/** Stellar Fleet, assembled for the shell. */

import type { ReplayFrame } from "../../generated/http";
import type { StellarAsk, StellarEvent as Event, StellarView as View } from "../../generated/protocol";
import type { Language } from "../../shell/settings.svelte";
import type { Game } from "../contract";
import { tellEvent } from "./chronicle";
import Frame from "./Frame.svelte";
import { echo, happen, recall, standing, type Campaign } from "./position";
import Live from "./Live.svelte";
import LobbyForm from "./LobbyForm.svelte";
import { texts } from "./texts";
import Tutorial from "./Tutorial.svelte";

/** Resolved turns and the end are jump targets. */
function landmark(frame: ReplayFrame, language: Language): string | null {
  const { landmark: words } = texts[language];
  const events = frame.events as Event[];
  if (events.some((it) => it.name === "ENDED")) return words.end;
  const resolved = events.find((it) => it.name === "RESOLVED");
  return resolved === undefined ? null : words.turn(resolved.n);
}

/** A sentence for the most important event of a frame, or for the order given in it. */
function tell(frame: ReplayFrame, names: readonly string[], language: Language): string | null {
  const t = texts[language];
  const map = (frame.views[0] as View | undefined)?.map;
  if (map === undefined) return null;
  const factions = map.factions.map((it) => it.name);
  const events = frame.events as Event[];
  if (events.some((it) => it.name === "ENDED")) return t.reports.ended;
  const resolved = events.find((it) => it.name === "RESOLVED");
  if (resolved !== undefined) return t.reports.resolved(resolved.n);
  const told = events.flatMap((it) => tellEvent(it, map, factions, t) ?? []).at(-1);
  if (told !== undefined) return told.text;
  const who = typeof frame.seat === "number" ? (names[frame.seat] ?? factions[frame.seat] ?? "") : "";
  if (frame.kind === "DONE" && who !== "") return t.told.done(who);
  return frame.text != null && who !== "" ? t.told.order(who, frame.text) : null;
}

export const game: Game<StellarAsk> = {
  name: "stellar",
  wide: true,
  texts,
  standing: (before, view) => standing(before as Campaign | null, view as View),
  happen: (before, events) => happen(before as Campaign, events as Event[]),
  recall: (before, events) => recall(before as Campaign, events as Event[]),
  echo: (before, ask) => echo(before as Campaign, ask),
  Live,
  Frame,
  Tutorial,
  LobbyForm,
  tell,
  landmark,
};
