/** What is known of a match of Catan. The server tells where it stands after every event; what
 * is kept here beside it is only what was told, for eyes and ears. */

import type { CatanEvent as Event, CatanView as View } from "../../generated/protocol";

export interface Island {
  readonly view: View;
  /** The words of all that the own seat may do. */
  readonly legal: readonly string[];
  /** What has happened since the standing before: it led to this view. */
  readonly recent: readonly Event[];
  /** What has happened since this view. */
  readonly pending: readonly Event[];
  /** What was told lately, the newest last. */
  readonly log: readonly Event[];
  /** Rises with every standing, so that what moves moves again. */
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

/** While a decision is on its way nothing else can be decided. */
export function echo(before: Island): Island {
  return { ...before, legal: [] };
}
