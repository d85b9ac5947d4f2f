/** A decision being composed from action words. Nothing is sent before the player confirms, so
 * every step can be undone. */

import type { CatanAsk } from "../../generated/protocol";
import type { Options } from "../contract";

export interface Asking {
  legal(): readonly string[];
  ask(ask: CatanAsk): void;
  consider(ask: CatanAsk): Promise<Options | null>;
}

export class Choosing {
  draft: readonly string[] = $state.raw([]);
  /** The legal continuations; empty while the server is being asked. */
  #options: readonly string[] = $state.raw([]);
  whole: boolean = $state(false);
  /** The server's code for why something cannot be done. */
  reason: string | null = $state(null);
  #round = 0;

  constructor(readonly asking: Asking) {}

  /** The words that can come next. */
  get open(): readonly string[] {
    return this.draft.length === 0 ? this.asking.legal() : this.whole ? [] : this.#options;
  }

  /** Appends a word to the draft, to be confirmed later. */
  async pick(word: string): Promise<void> {
    if (!this.open.includes(word)) return;
    await this.#become([...this.draft, word]);
  }

  /** Replaces the last word of the draft. */
  async swap(word: string): Promise<void> {
    await this.#become([...this.draft.slice(0, -1), word]);
  }

  /** Sends a decision of one word without confirmation. */
  say(word: string): void {
    if (!this.asking.legal().includes(word)) return;
    this.clear();
    this.asking.ask({ actions: [word] });
  }

  /** Sends a decision of several words. Returns false and sets `reason` if it is not legal. */
  async sayAll(actions: readonly string[]): Promise<boolean> {
    this.clear();
    const round = this.#round;
    const options = await this.asking.consider({ actions: [...actions] });
    if (round !== this.#round || options === null) return false;
    if (options.whole) this.asking.ask({ actions: [...actions] });
    else this.reason = options.code ?? "offer_incomplete";
    return options.whole;
  }

  async undo(): Promise<void> {
    await this.#become(this.draft.slice(0, -1));
  }

  clear(): void {
    this.#round += 1;
    this.draft = [];
    this.#options = [];
    this.whole = false;
    this.reason = null;
  }

  confirm(): void {
    if (!this.whole) return;
    const actions = [...this.draft];
    this.clear();
    this.asking.ask({ actions });
  }

  /** Asks the server why a word is not legal, and sets `reason`. */
  async why(word: string): Promise<void> {
    this.#round += 1;
    const round = this.#round;
    const options = await this.asking.consider({ actions: [word] });
    if (round === this.#round) this.reason = options?.code ?? null;
  }

  async #become(draft: readonly string[]): Promise<void> {
    this.#round += 1;
    const round = this.#round;
    this.draft = draft;
    this.whole = false;
    this.#options = [];
    this.reason = null;
    if (draft.length === 0) return;
    const options = await this.asking.consider({ actions: [...draft] });
    if (round !== this.#round || options === null) return;
    this.reason = options.code ?? null;
    this.whole = options.whole;
    this.#options = options.legal;
  }
}
