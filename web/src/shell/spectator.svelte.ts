/** A match watched as a spectator. No account is needed. */

import { loadGame } from "../games";
import type { MatchPage } from "../generated/http";
import type { MatchEnd, Outcome, ServerMessage, Message, Watching } from "../generated/protocol";
import { api, Refusal } from "./api";
import { connection } from "./connection.svelte";
import { Course } from "./course.svelte";

/** The refusal codes of a match that cannot be watched, or no longer. */
const NOT_TO_BE_SEEN = new Set(["unknown_match", "not_watchable"]);
const LOOK_AGAIN_MS = 2_000;

export class Spectator {
  watching: Watching | null = $state.raw(null);
  course: Course | null = $state.raw(null);
  outcome: Outcome | null = $state.raw(null);
  end: MatchEnd | null = $state.raw(null);
  /** The code for why the match cannot be watched. */
  refused: string | null = $state(null);
  #early: Message[] = [];
  #stop: (() => void)[] = [];
  /** True while the request to watch is unanswered. */
  #asked = false;
  #closed = false;
  #again: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly matchId: string) {
    this.#stop.push(connection.listen((message) => this.#hear(message)));
    this.#stop.push(connection.whenReady(() => this.#watch()));
    connection.open();
  }

  close(): void {
    this.#closed = true;
    for (const stop of this.#stop) stop();
    clearTimeout(this.#again);
    connection.send({ type: "unwatch", match_id: this.matchId });
  }

  #watch(): void {
    if (this.outcome === null) this.#asked = connection.send({ type: "watch", match_id: this.matchId });
  }

  #hear(message: ServerMessage): void {
    if (message.type === "error") {
      if (this.#asked && NOT_TO_BE_SEEN.has(message.code)) this.#turnedAway(message.code);
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
        this.outcome = message.outcome;
        break;
    }
  }

  /** A spectator who is refused after watching was disconnected at the end, or reconnected too early. */
  #turnedAway(code: string): void {
    this.#asked = false;
    if (this.watching === null) this.refused = code;
    else void this.#look();
  }

  /** Fetches the outcome of the match. If the match still runs or the request fails, tries again later. */
  async #look(): Promise<void> {
    const page = await api.match(this.matchId).catch((error: unknown) => error);
    if (this.outcome !== null || this.#closed) return;
    if (page instanceof Refusal && page.status === 404) this.#giveUp();
    else if (page instanceof Error || (page as MatchPage).state === "open") this.#watchLater();
    else this.#learn(page as MatchPage);
  }

  #learn(page: MatchPage): void {
    this.outcome = (page.outcome ?? null) as Outcome | null;
    // Without a board to show, only the replay is left.
    if (this.outcome === null || this.course?.position == null) this.#giveUp();
  }

  #giveUp(): void {
    this.watching = null;
    this.refused = "unknown_match";
  }

  #watchLater(): void {
    clearTimeout(this.#again);
    this.#again = setTimeout(() => this.#watch(), LOOK_AGAIN_MS);
  }

  async #begin(watching: Watching): Promise<void> {
    this.#asked = false;
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
