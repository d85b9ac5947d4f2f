/** What the visitor waits for before a match: an opponent, or a guest. */

import type { Invited, Queued, ServerMessage, Table } from "../generated/protocol";
import { account } from "./account.svelte";
import { connection } from "./connection.svelte";

/** How a match was begun, so that the next one can begin the same way. */
export type Start =
  | { by: "bot"; game: string; bot: string }
  | { by: "queue"; game: string; stake: number };

/** Refusals that are about something else, or that only say what is so already. */
const NOT_OURS = new Set(["already_queued", "not_queued", "unknown_match", "not_watchable"]);
const KEY = "referee.start";

class Waiting {
  queued: Queued | null = $state(null);
  since = $state(0);
  invited: Invited[] = $state([]);
  /** The table that the visitor sits at. */
  table: Table | null = $state.raw(null);
  /** Why the last table was left. */
  tableClosed: { code: string; reason: string } | null = $state.raw(null);
  /** The last refusal, to be shown until the next attempt. */
  refused: { code: string; message: string } | null = $state(null);
  last: Start | null = $state(readStart());

  constructor() {
    connection.listen((message) => this.#hear(message));
    // A lost connection has left the queue; who waited still wants to.
    connection.whenReady(() => {
      if (this.queued !== null) connection.send({ type: "queue_join", game: this.queued.game, stake: this.queued.stake });
    });
  }

  start(start: Start): void {
    this.refused = null;
    this.last = start;
    sessionStorage.setItem(KEY, JSON.stringify(start));
    if (start.by === "bot") connection.send({ type: "play_bot", game: start.game, bot: start.bot });
    else connection.send({ type: "queue_join", game: start.game, stake: start.stake });
  }

  leave(): void {
    connection.send({ type: "queue_leave" });
  }

  invite(game: string, stake: number): void {
    this.refused = null;
    this.last = null;
    connection.send({ type: "invite_create", game, stake });
  }

  accept(code: string): void {
    this.refused = null;
    this.last = null;
    connection.send({ type: "invite_accept", code });
  }

  /** Sits down at a table; the match begins by itself when all are there. */
  sit(code: string): void {
    this.refused = null;
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
      case "queued":
        if (this.queued === null) this.since = performance.now();
        this.queued = message;
        account.hasTokens(message.tokens);
        break;
      case "unqueued":
        this.queued = null;
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
        this.queued = null;
        this.invited = [];
        this.table = null;
        break;
      case "match_end":
        // Whatever was refused while the match ran is of no interest any more.
        this.refused = null;
        break;
      case "error":
        if (NOT_OURS.has(message.code)) break;
        if ((message.seq ?? null) === null) this.refused = { code: message.code, message: message.message };
        break;
    }
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
