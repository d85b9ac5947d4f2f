/** The page's knowledge of a match. The server sends a full view after every event; the events are
 * kept only to show and announce them. */

import { hasDice } from "./faces";
import type { Choice, Event, Seen } from "./seen";

export interface Board {
  readonly view: Seen;
  /** The choices of the viewer's own seat; empty while a decision is in flight. */
  readonly choices: readonly Choice[];
  /** The events between the previous view and this one. */
  readonly recent: readonly Event[];
  /** The events after this view. */
  readonly pending: readonly Event[];
  /** The latest events, newest last. */
  readonly log: readonly Event[];
  /** Incremented with every new view. */
  readonly beat: number;
  /** True once a view had dice: then hidden faces are drawn as dice too. */
  readonly dice: boolean;
}

const LOG_MAX = 300;

export function standing(before: Board | null, view: Seen): Board {
  return {
    view,
    choices: view.choices,
    recent: before?.pending ?? [],
    pending: [],
    log: before?.log ?? [],
    beat: (before?.beat ?? 0) + 1,
    dice: (before?.dice ?? false) || drawsDice(view),
  };
}

export function happen(before: Board, events: readonly Event[]): Board {
  return { ...recall(before, events), pending: [...before.pending, ...events] };
}

export function recall(before: Board, events: readonly Event[]): Board {
  return { ...before, log: [...before.log, ...events].slice(-LOG_MAX) };
}

/** Clears the choices: while a decision is in flight, no other can be made. */
export function echo(before: Board): Board {
  return { ...before, choices: [] };
}

/** True if a picture or a choice has the face of a die. */
export function drawsDice(view: Seen): boolean {
  return hasDice(JSON.stringify([view.picture, view.choices]));
}
