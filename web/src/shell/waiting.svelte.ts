/** The visitor's queue, invitations and lobby before a match starts. */

import type { Invited, Queued, ServerMessage, Lobby, Welcome } from "../generated/protocol";
import { account } from "./account.svelte";
import { connection } from "./connection.svelte";
import { seat } from "./seat.svelte";

/** The way a match was started, so that "Play again" can repeat it. */
export type Start = { by: "bot"; game: string; bot: string } | { by: "queue"; game: string; stake: number };

/** Refusals that concern a match and are handled elsewhere. */
const NOT_OURS = new Set(["not_seated", "unknown_match", "not_watchable"]);
const KEY = "referee.start";

class Waiting {
  queued: Queued | null = $state(null);
  since = $state(0);
  /** The reason why the visitor was removed from the queue; null if they left it themselves. */
  ended: string | null = $state(null);
  invited: Invited[] = $state([]);
  /** The lobby that the visitor has joined. */
  lobby: Lobby | null = $state.raw(null);
  /** The last closed lobby and the reason. */
  lobbyClosed: { code: string; reason: string } | null = $state.raw(null);
  /** The last refusal, shown until the next attempt. */
  refused: { code: string; message: string } | null = $state(null);
  last: Start | null = $state(readStart());
  #whose: string | null = null;
  /** True once the server has confirmed that this connection is in the queue. */
  #placed = false;
  /** True once the visitor has asked to leave the queue. */
  #leaving = false;

  constructor() {
    connection.listen((message) => this.#hear(message));
  }

  start(start: Start): void {
    this.#tryAnew();
    this.last = start;
    sessionStorage.setItem(KEY, JSON.stringify(start));
    if (start.by === "bot") connection.send({ type: "play_bot", game: start.game, bot: start.bot });
    else connection.send({ type: "queue_join", game: start.game, stake: start.stake });
  }

  leave(): void {
    this.#leaving = true;
    // Without a connection there is no place in the queue to leave.
    if (!connection.send({ type: "queue_leave" })) this.#waitNoMore();
  }

  invite(game: string, stake: number): void {
    this.#tryAnew();
    this.last = null;
    connection.send({ type: "invite_create", game, stake });
  }

  accept(code: string): void {
    this.#tryAnew();
    this.last = null;
    connection.send({ type: "invite_accept", code });
  }

  /** Joins a lobby. The match starts when all players are present. */
  sit(code: string): void {
    this.#tryAnew();
    this.last = null;
    this.lobbyClosed = null;
    connection.send({ type: "table_join", code });
  }

  stand(code: string): void {
    connection.send({ type: "table_leave", code });
  }

  cancel(code: string): void {
    connection.send({ type: "invite_cancel", code });
  }

  #hear(message: ServerMessage): void {
    switch (message.type) {
      case "welcome":
        this.#welcomed(message);
        break;
      case "queued":
        // A late message: the server sent it before it found the match.
        if (!seat.playing) this.#wait(message);
        break;
      case "unqueued":
        if (this.queued !== null && !(message.reason === "left" && this.#leaving)) this.ended = message.reason;
        this.#waitNoMore();
        break;
      case "invited":
        this.invited.push(message);
        break;
      case "uninvited":
        this.invited = this.invited.filter((it) => it.code !== message.code);
        break;
      case "table":
        this.lobby = message;
        break;
      case "table_closed":
        if (this.lobby?.code === message.code) this.lobby = null;
        this.lobbyClosed = message;
        break;
      case "match_found":
        this.#forget();
        this.ended = null;
        break;
      case "match_end":
        // Refusals from during the match no longer matter.
        this.refused = null;
        break;
      case "error":
        if ((message.seq ?? null) === null && !NOT_OURS.has(message.code))
          this.#turnedAway(message.code, message.message);
        break;
    }
  }

  /** A lost connection loses its place in the queue, so the page joins again unless a match was found. */
  #welcomed(welcome: Welcome): void {
    this.#placed = false;
    const other = this.#whose !== null && this.#whose !== welcome.account_id;
    this.#whose = welcome.account_id;
    if (other) this.#forget();
    if (this.#leaving || (welcome.match_id ?? null) !== null) this.#waitNoMore();
    if (this.queued !== null) connection.send({ type: "queue_join", game: this.queued.game, stake: this.queued.stake });
  }

  #turnedAway(code: string, message: string): void {
    switch (code) {
      case "already_queued":
        // If this connection is in the queue, the refusal says nothing new. Otherwise another window is in it.
        if (this.#placed) return;
        this.#waitNoMore();
        break;
      case "not_queued":
        this.#waitNoMore();
        return;
    }
    this.refused = { code, message };
  }

  #wait(queued: Queued): void {
    if (this.queued === null) this.since = performance.now();
    this.queued = queued;
    this.ended = null;
    this.#placed = true;
    account.hasTokens(queued.tokens);
  }

  #waitNoMore(): void {
    this.queued = null;
    this.#placed = false;
    this.#leaving = false;
  }

  #forget(): void {
    this.#waitNoMore();
    this.invited = [];
    this.lobby = null;
  }

  /** Clears earlier refusals before a new attempt. */
  #tryAnew(): void {
    this.refused = null;
    this.ended = null;
  }
}

/** The way the last match of this tab was started. It survives a reload. */
function readStart(): Start | null {
  try {
    const read = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Partial<Record<string, unknown>> | null;
    if (read === null || typeof read["game"] !== "string") return null;
    if (read["by"] === "bot" && typeof read["bot"] === "string")
      return { by: "bot", game: read["game"], bot: read["bot"] };
    if (read["by"] === "queue" && typeof read["stake"] === "number")
      return { by: "queue", game: read["game"], stake: read["stake"] };
  } catch {
    // The stored value was not written by this page.
  }
  return null;
}

export const waiting = new Waiting();
