/** The state of one match, built from the messages that one viewer receives. */

import type { GameAsk, Message, Note } from "../generated/protocol";
import type { Game, Position } from "../games/contract";
import { clock } from "./clock.svelte";

/** The effect of a message. */
export type Heard =
  | "taken"
  /** An earlier message is missing, or the game cannot apply this one: a resync is needed. */
  | "behind";

export class Course {
  position: Position | null = $state.raw(null);
  deadlineMs: number | null = $state(null);
  absent: number[] = $state([]);
  /** True during an outage: the server cannot save, and the clock is stopped. */
  stalled: boolean = $state(false);
  /** The last version received. */
  version: number = $state(0);

  constructor(readonly game: Game) {}

  hear(message: Message): Heard {
    if (message.type === "standing") {
      clock.hint(message.now_ms);
      this.position = this.game.standing(this.position, message.view, message.legal);
      this.absent = [...message.absent];
      this.version = message.version;
      this.deadlineMs = message.deadline_ms ?? null;
      this.stalled = false;
      return "taken";
    }
    if (message.type === "stalled") {
      this.stalled = true;
      this.deadlineMs = null;
    }
    if (message.type !== "news") return "taken";
    if (this.position === null) return "behind";
    if (message.version <= this.version) {
      this.position = this.game.recall(this.position, message.events);
      return "taken";
    }
    if (message.version > this.version + 1) return "behind";
    this.version = message.version;
    this.deadlineMs = message.deadline_ms ?? null;
    this.#note(message.note ?? null);
    const next = this.game.happen(this.position, message.events);
    if (next === null) return "behind";
    this.position = next;
    return "taken";
  }

  /** Shows the viewer's own decision before the server has answered. */
  echo(ask: GameAsk): void {
    if (this.position !== null) this.position = this.game.echo(this.position, ask);
  }

  #note(note: Note | null): void {
    if (note === null) return;
    if (typeof note === "object" && "recovered" in note) this.stalled = false;
    if (note === "resumed") this.absent = [];
    else if (typeof note === "object" && "paused" in note) this.absent = [...note.paused.absent];
  }
}
