/** What the visitor waits for before a match: an opponent, or a guest. */

import type { Invited, Queued, ServerMessage } from "../generated/protocol";
import { account } from "./account.svelte";
import { connection } from "./connection.svelte";

/** How a match was begun, so that the next one can begin the same way. */
export type Start =
  | { by: "bot"; game: string; bot: string }
  | { by: "queue"; game: string; stake: number };

class Waiting {
  queued: Queued | null = $state(null);
  since = $state(0);
  invited: Invited[] = $state([]);
  /** The last refusal, to be shown until the next attempt. */
  refused: { code: string; message: string } | null = $state(null);
  last: Start | null = $state(null);

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
    if (start.by === "bot") connection.send({ type: "play_bot", game: start.game, bot: start.bot });
    else connection.send({ type: "queue_join", game: start.game, stake: start.stake });
  }

  leave(): void {
    connection.send({ type: "queue_leave" });
  }

  invite(game: string, stake: number): void {
    this.refused = null;
    connection.send({ type: "invite_create", game, stake });
  }

  accept(code: string): void {
    this.refused = null;
    connection.send({ type: "invite_accept", code });
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
      case "match_found":
        this.queued = null;
        this.invited = [];
        break;
      case "error":
        if (message.code === "already_queued") break;
        if ((message.seq ?? null) === null) this.refused = { code: message.code, message: message.message };
        break;
    }
  }
}

export const waiting = new Waiting();
