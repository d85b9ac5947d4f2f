/** The arrangement of a seat's choices on the page, and their keys. */

import type { Choice, Part, Picture } from "./seen";

/** A choice, with the key that plays it. */
export interface Keyed extends Choice {
  readonly key: string | null;
}

export type Group = Row | Table;

/** Buttons side by side. */
export interface Row {
  readonly kind: "row";
  readonly name: string | null;
  readonly choices: readonly Keyed[];
}

/** Choices whose labels have the form `A × B`: a row for each A, a column for each B. */
export interface Table {
  readonly kind: "table";
  readonly name: string | null;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly name: string; readonly cells: readonly (Keyed | null)[] }[];
}

const BETWEEN = " × ";
/** Fewer choices than this are no table. */
const TABLE_MIN = 4;
const DIGITS = Array.from("123456789");
const LETTERS = Array.from("abcdefghijklmnopqrstuvwxyz");

/** The choices in groups, rows before tables, so that a long table hides no other choice. */
export function arrange(choices: readonly Choice[]): Group[] {
  const named = new Map<string | null, Choice[]>();
  for (const choice of choices) {
    const name = choice.group ?? null;
    named.set(name, [...(named.get(name) ?? []), choice]);
  }
  const drafts = [...named].map(([name, members]) => ({ name, members, pairs: pairsOf(members) }));
  const keys = new Keys();
  // The columns of a table have the digits, so that rows must look for other keys.
  const tables = drafts.flatMap(({ name, pairs }) => (pairs === null ? [] : [tableOf(name, pairs, keys)]));
  const rows = drafts.flatMap(({ name, members, pairs }) => (pairs === null ? [rowOf(name, members, keys)] : []));
  return [...rows, ...tables];
}

/** All choices of a group, in reading order. */
export function choicesOf(group: Group): readonly Keyed[] {
  if (group.kind === "row") return group.choices;
  return group.rows.flatMap((row) => row.cells.filter((it) => it !== null));
}

/** The words that an element of the picture plays. */
export function wordsIn(picture: Picture): ReadonlySet<string> {
  const words = picture.parts.flatMap((part) => elementsOf(part).map((it) => it.word ?? null));
  return new Set(words.filter((it) => it !== null));
}

function elementsOf(part: Part): readonly { readonly word?: string | null }[] {
  switch (part.type) {
    case "text":
      return [];
    case "cards":
      return part.cards;
    case "grid":
      return part.cells;
    case "graph":
      return part.nodes;
  }
}

interface Pair {
  readonly row: string;
  readonly column: string;
  readonly choice: Choice;
}

/** The two parts of each label, or null if the choices form no table. */
function pairsOf(choices: readonly Choice[]): readonly Pair[] | null {
  const pairs = choices.flatMap((choice): Pair[] => {
    const [row, column, ...rest] = choice.label.split(BETWEEN);
    return row && column && rest.length === 0 ? [{ row, column, choice }] : [];
  });
  const places = new Set(pairs.map((it) => it.choice.label));
  return pairs.length === choices.length && places.size === pairs.length && pairs.length >= TABLE_MIN ? pairs : null;
}

function tableOf(name: string | null, pairs: readonly Pair[], keys: Keys): Table {
  const sorted = (of: (pair: Pair) => string) => [...new Set(pairs.map(of))].sort(inOrder);
  const columns = sorted((it) => it.column);
  const open = new Set(columns);
  const rows = sorted((it) => it.row).map((row) => {
    const cells = columns.map((column, idx) => {
      const choice = pairs.find((it) => it.row === row && it.column === column)?.choice;
      if (choice === undefined) return null;
      // The key of a column plays its first choice.
      const key = open.delete(column) ? keys.take([DIGITS[idx] ?? ""]) : null;
      return { ...choice, key };
    });
    return { name: row, cells };
  });
  return { kind: "table", name, columns, rows };
}

function rowOf(name: string | null, choices: readonly Choice[], keys: Keys): Row {
  const keyed = choices.map((choice) => {
    return { ...choice, key: keys.take([...wishesOf(choice.label), ...DIGITS, ...LETTERS]) };
  });
  return { kind: "row", name, choices: keyed };
}

/** The keys that fit a label: the initials of its words, then its other letters. The last word comes
 * first, because it distinguishes labels such as "Go north" and "Go south". */
function wishesOf(label: string): string[] {
  const words = label.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const initials = words.map((it) => it.charAt(0)).reverse();
  return [...initials, ...Array.from(words.join(""))];
}

/** The keys that are not in use yet. */
class Keys {
  readonly #free = new Set([...DIGITS, ...LETTERS]);

  /** Takes the first of the wished keys that is free. */
  take(wishes: readonly string[]): string | null {
    const key = wishes.find((it) => this.#free.has(it));
    if (key !== undefined) this.#free.delete(key);
    return key ?? null;
  }
}

function inOrder(one: string, other: string): number {
  const [a, b] = [Number(one), Number(other)];
  if (Number.isFinite(a) && Number.isFinite(b)) return a - b;
  return one < other ? -1 : one > other ? 1 : 0;
}
