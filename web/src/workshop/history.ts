/** The history of a text: one for all places that edit it. */

export interface History {
  readonly past: readonly string[];
  readonly now: string;
  readonly future: readonly string[];
  /** The field of the last edit and its time, while another edit can still join it. */
  readonly open: { readonly source: string; readonly atMs: number } | null;
}

/** Edits of one field with shorter pauses than this are one step. */
export const JOIN_MS = 1_000;
/** The bounds of the past. */
export const STEPS_MAX = 200;
export const CHARS_MAX = 8_000_000;

export function begun(text: string): History {
  return { past: [], now: text, future: [], open: null };
}

/** Adds an edit. Quick edits with the same source are one step; an edit without a source is always one of its own. */
export function edited(history: History, text: string, source: string | null, atMs: number): History {
  if (text === history.now) return history;
  const { open } = history;
  const joins = open !== null && open.source === source && atMs - open.atMs < JOIN_MS;
  return {
    past: joins ? history.past : bounded([...history.past, history.now]),
    now: text,
    future: [],
    open: source === null ? null : { source, atMs },
  };
}

export function undone(history: History): History {
  const before = history.past.at(-1);
  if (before === undefined) return history;
  return { past: history.past.slice(0, -1), now: before, future: [history.now, ...history.future], open: null };
}

export function redone(history: History): History {
  const [next, ...rest] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.now], now: next, future: rest, open: null };
}

/** The range of `to` that differs from `from`. */
export function changedRange(from: string, to: string): [number, number] {
  const most = Math.min(from.length, to.length);
  let start = 0;
  while (start < most && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < most - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end += 1;
  return [start, to.length - end];
}

/** The newest steps within the bounds. */
function bounded(past: readonly string[]): readonly string[] {
  let nChars = 0;
  let first = past.length;
  while (first > 0 && past.length - first < STEPS_MAX) {
    nChars += past[first - 1]?.length ?? 0;
    if (nChars > CHARS_MAX) break;
    first -= 1;
  }
  return past.slice(first);
}
