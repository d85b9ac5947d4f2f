/** JSON documents, and the values in them by JSON pointer. */

export type Value = string | number | boolean | null | Value[] | { [key: string]: Value };
export type Fields = Record<string, Value>;

const keys = (pointer: string): string[] => pointer.split("/").slice(1);

/** The value at a pointer. */
export function valueAt(document: Fields | null, pointer: string): Value | undefined {
  let here: Value | undefined = document ?? undefined;
  for (const key of keys(pointer)) {
    if (typeof here !== "object" || here === null) return undefined;
    here = (here as Fields)[key];
  }
  return here;
}

/** The list at a pointer; empty if there is none. */
export function listAt(document: Fields | null, pointer: string): Value[] {
  const found = valueAt(document, pointer);
  return Array.isArray(found) ? found : [];
}

/** A copy with another value at a pointer. Missing parents are created; an undefined value is removed. */
export function withValue(document: Fields, pointer: string, value: Value | undefined): Fields {
  const copy = structuredClone(document);
  const path = keys(pointer);
  const last = path.pop() ?? "";
  let here = copy;
  path.forEach((key, idx) => {
    const next = here[key];
    const list = /^\d+$/.test(path[idx + 1] ?? last);
    if (typeof next !== "object" || next === null) here[key] = list ? [] : {};
    here = here[key] as Fields;
  });
  if (value === undefined && Array.isArray(here)) (here as Value[]).splice(Number(last), 1);
  else if (value === undefined) Reflect.deleteProperty(here, last);
  else here[last] = value;
  return copy;
}

/** The object in a text, or null if the text is not a JSON object. */
export function objectIn(text: string): Fields | null {
  try {
    const read: unknown = JSON.parse(text);
    return isFields(read) ? read : null;
  } catch {
    return null;
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function written(document: Fields): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** A value as a field shows it. Lists and objects, which no field expects, are shown as JSON. */
export function shownText(value: Value): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
