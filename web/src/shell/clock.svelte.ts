/** The server's time. A device's own clock may be wrong, so it only measures what passes. */

class ServerClock {
  #offset: number | null = null;
  #bestTrip = Infinity;
  /** Rises many times a second while something counts down, so that views follow. */
  #tick = $state(0);
  #watchers = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** The server said its time; `trip` is how long the question and the answer took. */
  learn(serverMs: number, trip: number): void {
    if (this.#offset !== null && trip > this.#bestTrip * 1.5 + 20) return;
    this.#bestTrip = Math.min(this.#bestTrip, trip);
    this.#offset = serverMs + trip / 2 - performance.now();
  }

  /** A message said its time, and nobody knows how long it was on its way. */
  hint(serverMs: number): void {
    if (this.#offset === null) this.#offset = serverMs - performance.now();
  }

  /** A new connection may be a new server: measure again. */
  forget(): void {
    this.#bestTrip = Infinity;
  }

  get now(): number {
    void this.#tick;
    return performance.now() + (this.#offset ?? Date.now() - performance.now());
  }

  /** Makes `now` move while it is watched; gives the end of it. */
  watch(): () => void {
    this.#watchers += 1;
    this.#timer ??= setInterval(() => (this.#tick += 1), 100);
    return () => {
      this.#watchers -= 1;
      if (this.#watchers === 0) {
        clearInterval(this.#timer);
        this.#timer = undefined;
      }
    };
  }
}

export const clock = new ServerClock();
