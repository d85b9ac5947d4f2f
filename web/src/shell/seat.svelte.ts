/** The own seat in a live match: decisions are numbered, kept until they are answered, and
 * sent again after a connection was lost. */

import { loadGame } from "../games";
import type { Ask, Options } from "../games/contract";
import type { ClientMessage, MatchEnd, MatchFound, Outcome, Resume, ServerMessage, Message } from "../generated/protocol";
import { account } from "./account.svelte";
import { api } from "./api";
import { connection } from "./connection.svelte";
import { Course } from "./course.svelte";
import { router } from "./router.svelte";

type Numbered = Extract<ClientMessage, { seq: number }>;

/** What a tab remembers of its match, to tell after a reload what became of it. */
interface Kept {
  matchId: string;
  seat: number;
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

  /** Whether leaving now loses at once. */
  get fragile(): boolean {
    const found = this.found;
    return found !== null && this.playing && found.clock.grace_ms === 0 && found.players.every((it) => (it.bot ?? null) === null);
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
      case "match_end":
        if (message.match_id === this.found?.match_id) this.#finish(message);
        break;
      case "error":
        if ((message.seq ?? null) !== null) setTimeout(() => this.#sendAgain(message.seq ?? 0), RETRY_MS);
        break;
    }
  }

  async #begin(found: MatchFound): Promise<void> {
    const goesOn = this.found?.match_id === found.match_id && this.course !== null;
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
    keep({ matchId: found.match_id, seat: found.seat, over: false });
    this.#next = found.next_seq;
    this.#waiting = [];
    this.found = found;
    const game = await loadGame(found.game);
    if (this.found !== found) return;
    this.course = new Course(game);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const message of waiting) this.#told(message);
    if (found.resumed) connection.send({ type: "resync", match_id: found.match_id, seen: 1 });
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
    if (this.found !== null) keep({ matchId: end.match_id, seat: this.found.seat, over: true });
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
    return read && typeof read.matchId === "string" && typeof read.seat === "number" ? { matchId: read.matchId, seat: read.seat, over: read.over === true } : null;
  } catch {
    return null;
  }
}

export const seat = new Seat();
