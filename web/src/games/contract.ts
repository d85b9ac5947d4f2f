/** What the shell asks of a game. Every game has a folder with the same rooms:
 *
 * - `position.ts`: what is known of a match, and what an event does to it;
 * - `Table.svelte`: a live match, for a seat or a spectator, with its input;
 * - `Frame.svelte`: one moment of a replay;
 * - `Tutorial.svelte`: how to play, without a server;
 * - `texts.ts`: every word of it, in every language;
 * - `index.ts`: the rooms together, as this contract wants them.
 */

import type { Component } from "svelte";
import type { GameAsk, MatchEnd, Message, Outcome, Player } from "../generated/protocol";
import type { ReplayFrame, TableOrder } from "../generated/http";
import type { Language } from "../shell/settings.svelte";

/** What is known of a match: the game's own business. */
export type Position = object;

/** An event or a view as it came over the wire; only the game knows its shape. */
export type Wire = unknown;

/** A game that is asked for `Ask`. */
export interface Game<Ask extends GameAsk = GameAsk> {
  readonly name: string;
  /** Whether it wants more room than a page of text has. */
  readonly wide?: boolean;
  /** The bot that is asked how it sees the chances; nothing where none has an opinion. */
  readonly judge?: string;
  /** The colours of the seats on its board, where it has some. */
  readonly seatColors?: readonly string[];
  readonly texts: Record<Language, GameTexts>;
  /** Where a match stands, with what is remembered of it. `legal` are the words of all that the
   * own seat may do, for games whose server tells them. */
  standing(before: Position | null, view: Wire, legal: readonly string[]): Position;
  /** What events do to a position; nothing when only the server can tell. */
  happen(before: Position, events: readonly Wire[]): Position | null;
  /** Events of the past, told again: they change the memory alone. */
  recall(before: Position, events: readonly Wire[]): Position;
  /** An own decision that is on its way. */
  echo(before: Position, ask: Ask): Position;
  /** Whose decision a position waits for; only for games that people play at one screen. */
  decides?(position: Position): number | null;
  readonly Table: Component<TableProps>;
  readonly Frame: Component<FrameProps>;
  readonly Tutorial: Component<TutorialProps>;
  /** A form for a table of the visitor's own; nothing for games that have only one setup. */
  readonly TableForm?: Component<TableFormProps>;
  /** What happened in a frame, in a sentence; nothing when the game has none for it. */
  tell(frame: ReplayFrame, names: readonly string[], language: Language): string | null;
  /** Where a replay can be jumped to. */
  landmark(frame: ReplayFrame, language: Language): string | null;
}

export interface GameTexts {
  readonly title: string;
  readonly tagline: string;
  readonly rules: string;
  /** How a bot is called and what it does, by its name on the server. */
  bot(name: string): { title: string; about: string };
  /** How long a match took, in what the game counts. */
  rounds(n: number): string;
  /** Why it ended, for a seat or for somebody who only watches. */
  reason(outcome: Outcome, seat: number | null, names: readonly string[]): string;
}

export interface TableProps {
  readonly position: Position;
  /** The own seat; nothing for spectators. */
  readonly seat: number | null;
  readonly players: readonly Player[];
  readonly names: readonly string[];
  readonly pot: number;
  /** When time runs out, by the server's clock; nothing while the match stands still. */
  readonly deadlineMs: number | null;
  readonly turnMs: number;
  /** Seats that are away while the match waits for them. */
  readonly absent: readonly number[];
  /** Whether decisions reach the server now. */
  readonly online: boolean;
  readonly over: boolean;
  /** Why the last decision was refused, as the server's code; nothing once another was taken. */
  readonly refused: string | null;
  ask(ask: GameAsk): void;
  /** What could follow this much of a decision; nothing when there is nobody to ask. */
  consider(ask: GameAsk): Promise<Options | null>;
}

/** The answer to a question what could be done. */
export type Options = Extract<Message, { type: "options" }>;

export interface TableFormProps {
  readonly bots: readonly { readonly name: string; readonly summary: string }[];
  readonly online: boolean;
  open(order: TableOrder): void;
}

export interface FrameProps {
  readonly frame: ReplayFrame;
  /** All of them, for games that tell how it came to this. */
  readonly frames: readonly ReplayFrame[];
  readonly names: readonly string[];
  /** Whose eyes: a seat, everybody's, or the public's. */
  readonly viewer: Viewer;
}

export type Viewer = "public" | "all" | `${number}`;

export interface TutorialProps {
  done(): void;
}

export type { MatchEnd };
