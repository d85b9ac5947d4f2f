/** A measurement of a scenario's balance: the server plays some matches per request until all are played. */

import type { BalancePage } from "../generated/http";
import { api, Refusal } from "../shell/api";

export type State = "idle" | "running" | "waiting" | "stopped" | "done" | "tooMuch" | "failed";

/** The pause before another try while the server measures another scenario. */
const WAIT_MS = 2_000;

export class Measurement {
  state: State = $state("idle");
  page: BalancePage | null = $state.raw(null);
  /** The text that was measured. */
  text: string | null = $state(null);
  error: unknown = $state.raw(null);
  readonly #run = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  #abort: AbortController | null = null;

  get isActive(): boolean {
    return this.state === "running" || this.state === "waiting";
  }

  /** Measures a scenario to the end, until it is stopped, or until the server refuses. */
  async start(text: string): Promise<void> {
    this.#abort?.abort();
    const abort = new AbortController();
    const isCurrent = () => this.#abort === abort;
    const order = { game: "stellar", setup: JSON.parse(text) as Record<string, unknown>, run: this.#run };
    [this.#abort, this.text, this.page, this.error, this.state] = [abort, text, null, null, "running"];
    while (isCurrent() && this.isActive) {
      try {
        const page = await api.balance(order, abort.signal);
        if (!isCurrent()) return;
        this.page = page;
        this.state = page.n_done < page.n_matches ? "running" : "done";
      } catch (error) {
        if (!isCurrent()) return;
        [this.state, this.error] = [stateAfter(error), error];
        if (stateAfter(error) === "waiting") await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
      }
    }
  }

  stop(): void {
    this.#abort?.abort();
    this.#abort = null;
    if (this.isActive) this.state = "stopped";
  }
}

function stateAfter(error: unknown): State {
  const code = error instanceof Refusal ? error.code : "";
  if (code === "busy") return "waiting";
  return code === "too_much_work" || code === "rate_limited" ? "tooMuch" : "failed";
}
