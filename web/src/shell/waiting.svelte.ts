/** What the visitor waits for before a match: an opponent, or a guest. */

import type { Invited, Queued, ServerMessage, Table, Welcome } from "../generated/protocol";
import { account } from "./account.svelte";
import { connection } from "./connection.svelte";
import { seat } from "./seat.svelte";

/** How a match was begun, so that the next one can begin the same way. */
export type Start =
  | { by: "bot"; game: string; bot: string }
  | { by: "queue"; game: string; stake: number };

/** Refusals that are about a match. */
const NOT_OURS = new Set(["not_seated", "unknown_match", "not_watchable"]);
const KEY = "referee.start";

class Waiting {
  queued: Queued | null = $state(null);
  since = $state(0);
  /** Why the wait for an opponent ended, if the visitor did not ask for that. */
  ended: string | null = $state(null);
  invited: Invited[] = $state([]);
  /** The table that the visitor sits at. */
  table: Table | null = $state.raw(null);
  /** Why the last table was left. */
  tableClosed: { code: string; reason: string } | null = $state.raw(null);
  /** The last refusal, to be shown until the next attempt. */
  refused: { code: string; message: string } | null = $state(null);
  last: Start | null = $state(readStart());
  /** The account that waits. */
  #whose: string | null = null;
  /** Whether the place in the queue is this connection's: the server has said so. */
  #placed = false;
  /** Whether the visitor has asked to wait no more. */
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
    // Without a connection there is no place to give up.
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

  /** Sits down at a table; the match begins by itself when all are there. */
  sit(code: string): void {
    this.#tryAnew();
    this.last = null;
    this.tableClosed = null;
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
        // Who plays does not wait: this was said before the match was found.
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
        this.table = message;
        break;
      case "table_closed":
        if (this.table?.code === message.code) this.table = null;
        this.tableClosed = message;
        break;
      case "match_found":
        this.#forget();
        this.ended = null;
        break;
      case "match_end":
        // Whatever was refused while the match ran is of no interest any more.
        this.refused = null;
        break;
      case "error":
        if ((message.seq ?? null) === null && !NOT_OURS.has(message.code)) this.#turnedAway(message.code, message.message);
        break;
    }
  }

  /** A lost connection has left the queue; who waited still wants to, unless a match was found. */
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
        // It may only say what is so already. Otherwise the place is another window's.
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
    this.table = null;
  }

  /** What was refused before is of no interest any more. */
  #tryAnew(): void {
    this.refused = null;
    this.ended = null;
  }
}

/** How the last match of this tab was begun; a reload forgets nothing. */
function readStart(): Start | null {
  try {
    const read = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Partial<Record<string, unknown>> | null;
    if (read === null || typeof read["game"] !== "string") return null;
    if (read["by"] === "bot" && typeof read["bot"] === "string") return { by: "bot", game: read["game"], bot: read["bot"] };
    if (read["by"] === "queue" && typeof read["stake"] === "number") return { by: "queue", game: read["game"], stake: read["stake"] };
  } catch {
    // Whatever stands there was not written by this page.
  }
  return null;
}

export const waiting = new Waiting();
