/** Rematch requests and their answers. */

import type { Rematch, ServerMessage } from "../generated/protocol";
import { connection } from "./connection.svelte";

class Again {
  /** A request for a rematch. */
  wish: Rematch | null = $state.raw(null);
  /** The match whose rematch was called off, and the reason. */
  off: { matchId: string; reason: string } | null = $state.raw(null);
  /** The match for which this page has requested a rematch. */
  asked: string | null = $state(null);

  constructor() {
    connection.listen((message) => this.#hear(message));
  }

  ask(matchId: string): void {
    this.off = null;
    this.asked = matchId;
    connection.send({ type: "rematch", match_id: matchId });
  }

  /** Declines or withdraws a rematch, and notifies the other players. */
  decline(matchId: string): void {
    const concerned = this.asked === matchId || this.wish?.match_id === matchId;
    if (concerned && this.off?.matchId !== matchId) connection.send({ type: "rematch_decline", match_id: matchId });
    this.#forget();
  }

  #forget(): void {
    this.wish = null;
    this.off = null;
    this.asked = null;
  }

  #hear(message: ServerMessage): void {
    switch (message.type) {
      case "rematch":
        this.wish = message;
        this.off = null;
        break;
      case "rematch_off":
        this.wish = null;
        this.asked = null;
        this.off = { matchId: message.match_id, reason: message.reason };
        break;
      case "match_found":
        this.#forget();
        break;
      case "error":
        if (this.asked === null || (message.seq ?? null) !== null) break;
        this.off = { matchId: this.asked, reason: message.code };
        this.asked = null;
        break;
    }
  }
}

export const again = new Again();
