/** A match that is watched with the public's eyes; no account is needed. */

import { loadGame } from "../games";
import type { MatchEnd, Outcome, ServerMessage, Message, Watching } from "../generated/protocol";
import { connection } from "./connection.svelte";
import { Course } from "./course.svelte";

export class Spectator {
  watching: Watching | null = $state.raw(null);
  course: Course | null = $state.raw(null);
  outcome: Outcome | null = $state.raw(null);
  end: MatchEnd | null = $state.raw(null);
  /** Why it cannot be watched. */
  refused: string | null = $state(null);
  #early: Message[] = [];
  #stop: (() => void)[] = [];

  constructor(readonly matchId: string) {
    this.#stop.push(connection.listen((message) => this.#hear(message)));
    this.#stop.push(connection.whenReady(() => this.#watch()));
    connection.open();
  }

  close(): void {
    for (const stop of this.#stop) stop();
    connection.send({ type: "unwatch", match_id: this.matchId });
  }

  #watch(): void {
    if (this.end === null) connection.send({ type: "watch", match_id: this.matchId });
  }

  #hear(message: ServerMessage): void {
    if (message.type === "error" && this.watching === null) {
      if (message.code === "unknown_match" || message.code === "not_watchable") this.refused = message.code;
      return;
    }
    if (!("match_id" in message) || message.match_id !== this.matchId) return;
    switch (message.type) {
      case "watching":
        void this.#begin(message);
        break;
      case "match":
        this.#told(message.message);
        break;
      case "match_end":
        this.end = message;
        this.outcome = message.outcome as Outcome;
        break;
    }
  }

  async #begin(watching: Watching): Promise<void> {
    this.refused = null;
    this.watching = watching;
    this.#early = [];
    if (this.course !== null) return;
    const course = new Course(await loadGame(watching.game));
    this.course = course;
    for (const message of this.#early.splice(0)) this.#told(message);
  }

  #told(message: Message): void {
    if (this.course === null) {
      this.#early.push(message);
    } else if (message.type === "over") {
      this.outcome = message.outcome;
    } else if (this.course.hear(message) === "behind") {
      this.#watch();
    }
  }
}
