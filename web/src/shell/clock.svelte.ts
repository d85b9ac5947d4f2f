/** The server's time. The device's clock may be wrong, so it is used only to measure elapsed time. */

import { track } from "./track";

class ServerClock {
  #offset: number | null = null;
  #bestTrip = Infinity;
  /** Incremented ten times a second while something counts down, so that views update. */
  #tick = $state(0);
  #watchers = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Takes the server's time from an answer; `trip` is the length of the round trip. */
  learn(serverMs: number, trip: number): void {
    if (this.#offset !== null && trip > this.#bestTrip * 1.5 + 20) return;
    this.#bestTrip = Math.min(this.#bestTrip, trip);
    this.#offset = serverMs + trip / 2 - performance.now();
  }

  /** Takes the server's time from a message with an unknown delay. A measured time takes precedence. */
  hint(serverMs: number): void {
    if (this.#offset === null) this.#offset = serverMs - performance.now();
  }

  /** A new connection may lead to another server, so the offset is measured again. */
  forget(): void {
    this.#bestTrip = Infinity;
  }

  get now(): number {
    track(this.#tick);
    return performance.now() + (this.#offset ?? Date.now() - performance.now());
  }

  /** Makes `now` reactive until the returned function is called. */
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
