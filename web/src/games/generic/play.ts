/** The part of a match that the elements of a picture need to be chosen. */

import { spoken } from "./faces";
import type { Choice } from "./seen";

export interface Play {
  /** The label of each word that can be played now. */
  readonly open: ReadonlyMap<string, string>;
  choose(word: string): void;
}

/** A picture that only shows, such as a frame of a replay. */
export const NOTHING: Play = { open: new Map(), choose: () => undefined };

export function playOf(choices: readonly Choice[], choose: (word: string) => void): Play {
  return { open: new Map(choices.map((it) => [it.word, spoken(it.label)])), choose };
}

interface Element {
  readonly word?: string | null;
  readonly text?: string;
  readonly face?: string | null;
}

/** The name of an element whose word can be played now: what it shows, and the label of the word. */
export function labelOf(play: Play, element: Element): string | undefined {
  const label = element.word == null ? undefined : play.open.get(element.word);
  const shown = spoken(element.text ?? element.face ?? "");
  return label === undefined || label.includes(shown) ? label : `${shown}, ${label}`;
}
