/** The contract between the shell and a game. A game with a page of its own has a folder with these
 * files; `generic` has them for all others:
 *
 * - `position.ts`: the page's knowledge of a match, and the effect of each event on it;
 * - `Live.svelte`: a live match with its input, for a seat or a spectator;
 * - `Frame.svelte`: one frame of a replay;
 * - `Tutorial.svelte`: a tutorial that needs no server;
 * - `texts.ts`: all texts, in every language;
 * - `index.ts`: everything above, assembled as a `Game`.
 */

import type { Component } from "svelte";
import type { GameAsk, MatchEnd, Message, Outcome, Player } from "../generated/protocol";
import type { LobbyGame, LobbyOrder, ReplayFrame } from "../generated/http";
import type { Language } from "../shell/settings.svelte";

/** The page's knowledge of a match. Only the game knows its shape. */
export type Position = object;

/** An event or a view as received from the server. Only the game knows its shape. */
export type Wire = unknown;

/** A game whose decisions are sent as `Ask`. */
export interface Game<Ask extends GameAsk = GameAsk> {
  readonly name: string;
  /** True if the game needs a wider page than text does. */
  readonly wide?: boolean;
  /** The bot that evaluates positions in replays; undefined if no bot can. */
  readonly judge?: string;
  /** The color of each seat on the board, if the game assigns them. */
  readonly seatColors?: readonly string[];
  readonly texts: Record<Language, GameTexts>;
  /** The position that a standing message describes, keeping the history of `before`. `legal` lists
   * the legal action words of the viewer's own seat, for games whose server sends them. */
  standing(before: Position | null, view: Wire, legal: readonly string[]): Position;
  /** The position after `events`, or null if the page must ask the server for a new standing. */
  happen(before: Position, events: readonly Wire[]): Position | null;
  /** Adds past events to the history without changing the position itself. */
  recall(before: Position, events: readonly Wire[]): Position;
  /** The position with the viewer's own decision applied before the server has answered. */
  echo(before: Position, ask: Ask): Position;
  /** The seats that must decide. Only games that support a shared screen have it. */
  decides?(position: Position): readonly number[];
  readonly Live: Component<LiveProps>;
  readonly Frame: Component<FrameProps>;
  readonly Tutorial: Component<TutorialProps>;
  /** The form for a custom match. Games with a single setup have none. */
  readonly LobbyForm?: Component<LobbyFormProps>;
  /** A sentence about the events of a frame, or null if the game has none for them. */
  tell(frame: ReplayFrame, names: readonly string[], language: Language): string | null;
  /** The label of a frame that the replay offers as a jump target, or null. */
  landmark(frame: ReplayFrame, language: Language): string | null;
}

export interface GameTexts {
  readonly title: string;
  readonly tagline: string;
  readonly rules: string;
  /** The display name and description of a bot, by its name on the server. */
  bot(name: string): { title: string; about: string };
  /** The length of a match in the game's own unit, such as rounds or turns. */
  rounds(n: number): string;
  /** The reason why the match ended, addressed to a seat, or to a spectator if `seat` is null. */
  reason(outcome: Outcome, seat: number | null, names: readonly string[]): string;
}

export interface LiveProps {
  readonly position: Position;
  /** The viewer's own seat; null for spectators. */
  readonly seat: number | null;
  readonly players: readonly Player[];
  readonly names: readonly string[];
  readonly pot: number;
  /** The deadline by the server's clock; null while the clock is paused. */
  readonly deadlineMs: number | null;
  readonly turnMs: number;
  /** Disconnected seats that the match waits for. */
  readonly absent: readonly number[];
  /** True while the page is connected to the server. */
  readonly online: boolean;
  readonly over: boolean;
  /** The server's code for the refusal of the last decision; null once a later one is accepted. */
  readonly refused: string | null;
  ask: (ask: GameAsk) => void;
  /** The legal continuations of a partial decision, or null if the server cannot be asked. */
  consider: (ask: GameAsk) => Promise<Options | null>;
}

/** The answer to `consider`. */
export type Options = Extract<Message, { type: "options" }>;

export interface LobbyFormProps {
  /** The game as the server offers it. */
  readonly offer: LobbyGame;
  readonly online: boolean;
  open: (order: LobbyOrder) => void;
}

export interface FrameProps {
  readonly frame: ReplayFrame;
  /** All frames of the replay, for games that show the history. */
  readonly frames: readonly ReplayFrame[];
  readonly names: readonly string[];
  /** The point of view: one seat, all seats together, or a spectator. */
  readonly viewer: Viewer;
}

export type Viewer = "public" | "all" | `${number}`;

export interface TutorialProps {
  readonly game: Game;
  done: () => void;
}

export type { MatchEnd };
