/** A scenario being written. The text is the source of truth: the form edits the text, and the
 * server validates it after every pause in typing. */

import type { ScenarioFinding, ScenarioSurvey } from "../generated/http";
import { api, Refusal } from "../shell/api";
import { faultText } from "../texts";

export type Value = string | number | boolean | null | Value[] | { [key: string]: Value };
type Fields = Record<string, Value>;

const KEY = "referee.workshop";
const PAUSE_MS = 250;
const BUSY_MS = 600;

/** The document of an empty form. */
export const EMPTY: Fields = {
  schemaVersion: 1,
  id: "",
  meta: { title: "", description: "", difficulty: 3 },
  generation: { systemCount: 0, radius: 0, topology: "" },
  setup: { factions: [], startingDistribution: "", initialFleets: [] },
  objectives: { victory: [], constraints: {} },
  rules: { fogOfWar: true, useAdvancedCombat: true, aiEnabled: true, totalWar: true },
};

export class Draft {
  text: string = $state(localStorage.getItem(KEY) ?? written(EMPTY));
  seed: number = $state(1);
  survey: ScenarioSurvey | null = $state.raw(null);
  fault: string = $state("");
  /** True while the survey belongs to an older text. */
  stale: boolean = $state(true);
  #nth = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The parsed document, or null if the text is not a JSON object. */
  readonly document: Fields | null = $derived.by(() => {
    try {
      const read: unknown = JSON.parse(this.text);
      return typeof read === "object" && read !== null && !Array.isArray(read) ? (read as Fields) : null;
    } catch {
      return null;
    }
  });

  /** Validates the text after a pause in typing. Returns a function that cancels this. */
  look(pause: number = PAUSE_MS): () => void {
    this.stale = true;
    this.#nth += 1;
    const nth = this.#nth;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(nth), pause);
    return () => clearTimeout(this.#timer);
  }

  async #ask(nth: number): Promise<void> {
    try {
      localStorage.setItem(KEY, this.text);
    } catch {
      // Without storage, the draft is lost when the page is closed.
    }
    try {
      const survey = await api.survey(this.text, Number.isInteger(this.seed) && this.seed >= 0 ? this.seed : 0);
      if (nth !== this.#nth) return;
      [this.survey, this.fault, this.stale] = [survey, "", false];
    } catch (error) {
      if (nth !== this.#nth) return;
      if (error instanceof Refusal && error.code === "busy") this.look(BUSY_MS);
      else this.fault = faultText(error);
    }
  }

  take(document: unknown): void {
    this.text = written(document as Fields);
  }

  /** The value at a JSON pointer. */
  at(pointer: string): Value | undefined {
    let here: Value | undefined = this.document ?? undefined;
    for (const key of keys(pointer)) {
      if (typeof here !== "object" || here === null) return undefined;
      here = (here as Record<string, Value>)[key];
    }
    return here;
  }

  list(pointer: string): Value[] {
    const found = this.at(pointer);
    return Array.isArray(found) ? found : [];
  }

  /** Sets the value at a pointer and creates missing parents. An undefined value removes it. */
  put(pointer: string, value: Value | undefined): void {
    const document = this.document === null ? null : (JSON.parse(this.text) as Fields);
    if (document === null) return;
    const path = keys(pointer);
    const last = path.pop() ?? "";
    let here = document;
    path.forEach((key, idx) => {
      const next = here[key];
      const list = /^\d+$/.test(path[idx + 1] ?? last);
      if (typeof next !== "object" || next === null) here[key] = list ? [] : {};
      here = here[key] as Fields;
    });
    if (value === undefined && Array.isArray(here)) (here as Value[]).splice(Number(last), 1);
    else if (value === undefined) Reflect.deleteProperty(here, last);
    else here[last] = value;
    this.text = written(document);
  }

  add(pointer: string, value: Value): void {
    this.put(`${pointer}/${this.list(pointer).length}`, value);
  }

  /** The findings at a pointer, and with `below` also those under it. */
  found(pointer: string, below = false): ScenarioFinding[] {
    const here = this.survey?.findings ?? [];
    return here.filter((it) => it.pointer === pointer || (below && it.pointer.startsWith(`${pointer}/`)));
  }
}

const keys = (pointer: string): string[] => pointer.split("/").slice(1);

export function written(document: Fields): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** A value as a field shows it. Lists and objects, which no field expects, are shown as JSON. */
export function shownText(value: Value): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
