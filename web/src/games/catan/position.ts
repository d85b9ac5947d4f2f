/** The page's knowledge of a match of Catan. The server sends a full view after every event; the
 * events are kept only to show and announce them. */

import type { CatanEvent as Event, CatanView as View } from "../../generated/protocol";

export interface Island {
  readonly view: View;
  /** The legal action words of the viewer's own seat. */
  readonly legal: readonly string[];
  /** The events between the previous view and this one. */
  readonly recent: readonly Event[];
  /** The events after this view. */
  readonly pending: readonly Event[];
  /** The latest events, newest last. */
  readonly log: readonly Event[];
  /** Incremented with every new view, so that animations restart. */
  readonly beat: number;
}

const LOG_MAX = 60;

export function standing(before: Island | null, view: View, legal: readonly string[]): Island {
  return {
    view,
    legal,
    recent: before?.pending ?? [],
    pending: [],
    log: before?.log ?? [],
    beat: (before?.beat ?? 0) + 1,
  };
}

export function happen(before: Island, events: readonly Event[]): Island {
  return { ...before, pending: [...before.pending, ...events], log: [...before.log, ...events].slice(-LOG_MAX) };
}

export function recall(before: Island, events: readonly Event[]): Island {
  return { ...before, log: [...before.log, ...events].slice(-LOG_MAX) };
}

/** Clears the legal words: while a decision is in flight, no other can be made. */
export function echo(before: Island): Island {
  return { ...before, legal: [] };
}
