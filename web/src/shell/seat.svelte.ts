/** The own seat in a live match: decisions are numbered, kept until they are answered, and
 * sent again after a connection was lost. */

import { loadGame } from "../games";
import type { Ask, Options } from "../games/contract";
import type { Chances, ClientMessage, MatchEnd, MatchFound, Outcome, Resume, ServerMessage, Message } from "../generated/protocol";
import { account } from "./account.svelte";
import { api } from "./api";
import { connection } from "./connection.svelte";
import { Course } from "./course.svelte";
import { router } from "./router.svelte";

type Numbered = Extract<ClientMessage, { seq: number }>;

/** What a tab remembers of its match, to tell after a reload what became of it. */
interface Kept {
  matchId: string;
  /** Nothing where people share the screen: then both have won and lost. */
  seat: number | null;
  /** Whether the visitor has been shown how it ended. */
  over: boolean;
}

const KEY = "referee.match";
const RETRY_MS = 400;

class Seat {
  found: MatchFound | null = $state.raw(null);
  course: Course | null = $state.raw(null);
  outcome: Outcome | null = $state.raw(null);
  end: MatchEnd | null = $state.raw(null);
  /** The match was over when this page came back: this is how. */
  missed: { kept: Kept; outcome: Outcome | null; names: string[]; game: string; stake: number } | null = $state.raw(null);
  /** The match that was left, and goes on without this account. */
  left: string | null = $state(null);
  /** How a bot sees the chances; nothing before one has said so. */
  chances: Chances | null = $state.raw(null);
  /** Decisions that the server has not answered yet. */
  nUnanswered: number = $state(0);
  /** Why the last decision was refused. */
  refused: string | null = $state(null);
  #question = 0;
  #questions = new Map<number, (options: Options | null) => void>();
  /** The number of the next decision. */
  #next = 1;
  #unanswered: Numbered[] = [];
  #waiting: Message[] = [];

  constructor() {
    connection.resume = () => this.#resume();
    connection.listen((message) => this.#hear(message));
  }

  get playing(): boolean {
    return this.found !== null && this.outcome === null && this.end === null;
  }

  /** Whether people share this screen. */
  get shared(): boolean {
    return (this.found?.own_seats.length ?? 0) > 1;
  }

  /** Whether nobody but bots plays against the visitor. */
  get alone(): boolean {
    return this.found !== null && this.found.players.filter((it) => (it.bot ?? null) === null).length === 1;
  }

  /** Whether leaving now loses at once. */
  get fragile(): boolean {
    const found = this.found;
    return found !== null && this.playing && !this.shared && found.clock.grace_ms === 0 && found.players.every((it) => (it.bot ?? null) === null);
  }

  ask(ask: Ask): void {
    const found = this.found;
    if (found === null || !this.playing) return;
    this.course?.echo(ask);
    this.#say({ type: "ask", match_id: found.match_id, seq: this.#next, ask } as unknown as Numbered);
  }

  /** Asks what could follow this much of a decision; nothing is done. */
  consider(ask: Ask): Promise<Options | null> {
    const found = this.found;
    if (found === null || !this.playing) return Promise.resolve(null);
    this.#question += 1;
    const question = this.#question;
    const sent = connection.send({ type: "consider", match_id: found.match_id, question, ask } as unknown as ClientMessage);
    if (!sent) return Promise.resolve(null);
    return new Promise((resolve) => this.#questions.set(question, resolve));
  }

  /** The player of this seat sits in front of the screen now. */
  sit(seat: number): void {
    if (this.found !== null) connection.send({ type: "sit", match_id: this.found.match_id, seat });
  }

  /** Asks how a bot sees the chances; the answer comes as `chances`. */
  askChances(): void {
    if (this.found !== null && this.playing) connection.send({ type: "chances", match_id: this.found.match_id });
  }

  resign(): void {
    const found = this.found;
    if (found === null || !this.playing) return;
    this.#say({ type: "resign", match_id: found.match_id, seq: this.#next });
  }

  /** The visitor has seen the result. */
  leave(): void {
    this.found = null;
    this.course = null;
    this.outcome = null;
    this.end = null;
    this.missed = null;
    this.left = null;
    this.chances = null;
    this.#unanswered = [];
    this.nUnanswered = 0;
    this.refused = null;
    this.#forgetQuestions();
    keep(null);
  }

  #forgetQuestions(): void {
    for (const resolve of this.#questions.values()) resolve(null);
    this.#questions.clear();
  }

  #say(message: Numbered): void {
    this.#next = message.seq + 1;
    this.#unanswered.push(message);
    this.nUnanswered = this.#unanswered.length;
    connection.send(message);
  }

  #resume(): Resume | null {
    const { found, course } = this;
    if (found === null || course === null || !this.playing) return null;
    const next = this.#unanswered[0]?.seq ?? this.#next;
    return { match_id: found.match_id, seen: course.version, next_seq: next };
  }

  #hear(message: ServerMessage): void {
    switch (message.type) {
      case "welcome":
        if ((message.match_id ?? null) === null) void this.#miss();
        break;
      case "match_found":
        void this.#begin(message);
        break;
      case "match":
        if (message.match_id === this.found?.match_id) this.#told(message.message);
        break;
      case "chances":
        if (message.match_id === this.found?.match_id) this.chances = message;
        break;
      case "left":
        if (message.match_id === this.found?.match_id) {
          this.leave();
          this.left = message.match_id;
        }
        break;
      case "match_end":
        if (message.match_id === this.found?.match_id) this.#finish(message);
        break;
      case "error":
        if ((message.seq ?? null) !== null) setTimeout(() => this.#sendAgain(message.seq ?? 0), RETRY_MS);
        break;
    }
  }

  async #begin(found: MatchFound): Promise<void> {
    // Where people share the screen, each is shown the match from the start.
    const same = this.found?.seat === found.seat && this.found.curtain === found.curtain && !found.curtain;
    const goesOn = this.found?.match_id === found.match_id && same && this.course !== null;
    account.hasTokens(found.tokens);
    if (goesOn) {
      this.found = found;
      this.#forgetQuestions();
      // Messages that the server has answered while this page was away are done.
      this.#unanswered = this.#unanswered.filter((it) => it.seq >= found.next_seq);
      for (const message of this.#unanswered) connection.send(message);
      this.nUnanswered = this.#unanswered.length;
      return;
    }
    this.leave();
    keep({ matchId: found.match_id, seat: found.own_seats.length > 1 ? null : found.seat, over: false });
    this.#next = found.next_seq;
    this.#waiting = [];
    this.found = found;
    const game = await loadGame(found.game);
    if (this.found !== found) return;
    this.course = new Course(game);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const message of waiting) this.#told(message);
    if (found.resumed && !found.curtain) connection.send({ type: "resync", match_id: found.match_id, seen: 1 });
  }

  #told(message: Message): void {
    const { found, course } = this;
    if (found === null) return;
    if (course === null) {
      this.#waiting.push(message);
      return;
    }
    switch (message.type) {
      case "ack":
        this.#unanswered = this.#unanswered.filter((it) => it.seq > message.client_seq);
        this.nUnanswered = this.#unanswered.length;
        this.refused = message.taken || message.code === "known" ? null : (message.code ?? null);
        // What was shown before the answer is not so.
        if (this.refused !== null) connection.send({ type: "resync", match_id: found.match_id, seen: 0 });
        return;
      case "options":
        this.#questions.get(message.question)?.(message);
        this.#questions.delete(message.question);
        return;
      case "gap":
        for (const later of this.#unanswered.filter((it) => it.seq >= message.expected)) connection.send(later);
        return;
      case "over":
        this.outcome = message.outcome;
        return;
      default:
        if (course.hear(message) === "behind") {
          connection.send({ type: "resync", match_id: found.match_id, seen: course.version });
        }
    }
  }

  #sendAgain(seq: number): void {
    const message = this.#unanswered.find((it) => it.seq === seq);
    if (message !== undefined) connection.send(message);
  }

  #finish(end: MatchEnd): void {
    this.end = end;
    this.outcome = end.outcome as Outcome;
    if (typeof end.tokens === "number") account.hasTokens(end.tokens);
    if (this.found !== null) keep({ matchId: end.match_id, seat: this.shared ? null : this.found.seat, over: true });
    void account.refresh();
  }

  /** The server knows of no match: if this tab had one, it ended without it. */
  async #miss(): Promise<void> {
    const tab = kept();
    if (tab === null || this.missed !== null || this.end !== null) return;
    if (tab.over && router.page.at !== "match") {
      keep(null);
      return;
    }
    const page = await api.match(tab.matchId).catch(() => null);
    if (page === null || page.state === "open") return;
    keep({ ...tab, over: true });
    const names = page.players.map((it) => (it.bot ? `bot:${it.bot}` : (it.name ?? "")));
    this.found = null;
    this.course = null;
    this.missed = { kept: tab, outcome: (page.outcome ?? null) as Outcome | null, names, game: page.game, stake: page.stake };
    void account.refresh();
  }
}

function keep(kept: Kept | null): void {
  if (kept === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, JSON.stringify(kept));
}

function kept(): Kept | null {
  try {
    const read = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Partial<Kept> | null;
    if (!read || typeof read.matchId !== "string") return null;
    return { matchId: read.matchId, seat: typeof read.seat === "number" ? read.seat : null, over: read.over === true };
  } catch {
    return null;
  }
}

export const seat = new Seat();
