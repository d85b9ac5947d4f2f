/** A page for any game whose rules describe their own picture, made from the game's own words. */

import type { ReplayFrame } from "../../generated/http";
import type { Game } from "../contract";
import Frame from "./Frame.svelte";
import Live from "./Live.svelte";
import LobbyForm from "./LobbyForm.svelte";
import { echo, happen, recall, standing, type Board } from "./position";
import type { Event, Seen } from "./seen";
import { landmarkOf, tellEvents } from "./tell";
import { gameTexts, texts, type About } from "./texts";
import Tutorial from "./Tutorial.svelte";

const SEATS_MAX = 8;

/** The page of one game. */
export function gameOf(about: About): Game {
  return {
    name: about.name,
    seatColors: Array.from({ length: SEATS_MAX }, (_, seat) => `var(--seat-${seat})`),
    texts: gameTexts(about),
    standing: (before, view) => standing(before as Board | null, view as Seen),
    happen: (before, events) => happen(before as Board, events as Event[]),
    recall: (before, events) => recall(before as Board, events as Event[]),
    echo: (before) => echo(before as Board),
    decides: (position) => (position as Board).view.to_move,
    Live,
    Frame,
    Tutorial,
    LobbyForm,
    tell: (frame, names, language) => tellEvents(frame.events as Event[], names, texts[language]),
    landmark: (frame, language) => landmarkOf(frame.events as Event[], moveOf(frame), texts[language]),
  };
}

function moveOf(frame: ReplayFrame): number {
  return (frame.views as Seen[])[0]?.turn_number ?? 0;
}
