/** A scenario being written. The text is the source of truth: the form and the map edit the text, and the
 * server validates it after every pause in typing. */

import type { ScenarioFinding, ScenarioSurvey } from "../generated/http";
import { api, Refusal } from "../shell/api";
import { faultText } from "../texts";
import { listAt, objectIn, valueAt, withValue, written, type Fields, type Value } from "./document";
import { begun, edited, redone, undone, type History } from "./history";

const KEY = "referee.workshop";
const SEED_KEY = "referee.workshop.seed";
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
  seed: number | null = $state(Number(localStorage.getItem(SEED_KEY) ?? 1) || 0);
  survey: ScenarioSurvey | null = $state.raw(null);
  fault: string = $state("");
  /** True while the survey belongs to an older text. */
  stale: boolean = $state(true);
  /** True while the browser's storage holds this text; null after a failed write. */
  saved: boolean | null = $state(true);
  /** Counts the scenarios that were opened, each of which has a map of its own. */
  nOpened: number = $state(0);
  #history: History = $state.raw(begun(localStorage.getItem(KEY) ?? written(EMPTY)));
  #nth = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  get text(): string {
    return this.#history.now;
  }

  set text(text: string) {
    this.#record(text, "text");
  }

  readonly canUndo: boolean = $derived(this.#history.past.length > 0);
  readonly canRedo: boolean = $derived(this.#history.future.length > 0);

  /** The parsed document, or null if the text is not a JSON object. */
  readonly document: Fields | null = $derived(objectIn(this.text));

  undo(): void {
    this.#history = undone(this.#history);
  }

  redo(): void {
    this.#history = redone(this.#history);
  }

  /** Changes the document as one step. Quick changes with the same source are one step. */
  edit(change: (document: Fields) => Fields, source: string | null = null): void {
    if (this.document !== null) this.#record(written(change(this.document)), source);
  }

  #record(text: string, source: string | null): void {
    this.#history = edited(this.#history, text, source, Date.now());
  }

  /** Validates the text after a pause in typing. Returns a function that cancels this. */
  look(pause: number = PAUSE_MS): () => void {
    this.stale = true;
    this.saved = this.saved === null ? null : false;
    this.#nth += 1;
    const nth = this.#nth;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(nth), pause);
    return () => clearTimeout(this.#timer);
  }

  save(): void {
    try {
      localStorage.setItem(KEY, this.text);
      localStorage.setItem(SEED_KEY, `${this.seed ?? 0}`);
      this.saved = true;
    } catch {
      this.saved = null;
    }
  }

  async #ask(nth: number): Promise<void> {
    this.save();
    try {
      const seed = this.seed ?? 0;
      const survey = await api.survey(this.text, Number.isInteger(seed) && seed >= 0 ? seed : 0);
      if (nth !== this.#nth) return;
      [this.survey, this.fault, this.stale] = [survey, "", false];
    } catch (error) {
      if (nth !== this.#nth) return;
      if (error instanceof Refusal && error.code === "busy") this.look(BUSY_MS);
      else this.fault = faultText(error);
    }
  }

  /** Opens another scenario in place of this one. Undo brings this one back. */
  take(document: unknown): void {
    this.#record(written(document as Fields), null);
    this.nOpened += 1;
  }

  /** The value at a JSON pointer. */
  at(pointer: string): Value | undefined {
    return valueAt(this.document, pointer);
  }

  list(pointer: string): Value[] {
    return listAt(this.document, pointer);
  }

  /** Sets the value at a pointer and creates missing parents. An undefined value removes it. */
  put(pointer: string, value: Value | undefined): void {
    this.edit((document) => withValue(document, pointer, value), pointer);
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
