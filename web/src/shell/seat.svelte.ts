/** The visitor's seat in a live match. Decisions are numbered, kept until they are answered, and
 * sent again after a reconnect. */

import { loadGame } from "../games";
import type { Options } from "../games/contract";
import type { MatchPage } from "../generated/http";
import type {
  Chances,
  ClientMessage,
  GameAsk,
  MatchEnd,
  MatchFound,
  Message,
  Outcome,
  Resume,
  ServerMessage,
  Welcome,
} from "../generated/protocol";
import { account } from "./account.svelte";
import { api, Refusal } from "./api";
import { connection } from "./connection.svelte";
import { Course } from "./course.svelte";
import { keep, kept, type Kept } from "./kept";
import { router } from "./router.svelte";

type Numbered = Extract<ClientMessage, { seq: number }>;

const RETRY_MS = 400;
const LOOK_AGAIN_MS = 2_000;
/** Refusals that say there is no seat to decide for, so an immediate retry is useless. */
const NO_SEAT = new Set(["not_seated", "unknown_match"]);

class Seat {
  found: MatchFound | null = $state.raw(null);
  course: Course | null = $state.raw(null);
  outcome: Outcome | null = $state.raw(null);
  end: MatchEnd | null = $state.raw(null);
  /** The outcome of a match that ended while this page was disconnected. */
  missed: { kept: Kept; outcome: Outcome | null; names: string[]; game: string; stake: number } | null =
    $state.raw(null);
  /** The id of a match that the player left and that continues without them. */
  left: string | null = $state(null);
  /** A bot's evaluation; null until one has arrived. */
  chances: Chances | null = $state.raw(null);
  /** The number of decisions that the server has not answered yet. */
  nUnanswered: number = $state(0);
  /** The code for the refusal of the last decision. */
  refused: string | null = $state(null);
  #question = 0;
  #questions = new Map<number, (options: Options | null) => void>();
  /** The sequence number of the next decision. */
  #next = 1;
  #unanswered: Numbered[] = [];
  #waiting: Message[] = [];
  #whose: string | null = null;
  /** The match that this page was playing when it last sent `hello`. */
  #claimed: string | null = null;
  /** The claimed match, if the welcome message did not include it. */
  #unclaimed: string | null = null;
  /** Incremented whenever something happens, so that an older request for the outcome is recognized as stale. */
  #looks = 0;

  constructor() {
    connection.resume = () => this.#resume();
    connection.listen((message) => this.#hear(message));
  }

  get playing(): boolean {
    return this.found !== null && this.outcome === null && this.end === null;
  }

  /** True if several people share this screen. */
  get shared(): boolean {
    return (this.found?.own_seats.length ?? 0) > 1;
  }

  /** True if the visitor plays only against bots. */
  get alone(): boolean {
    return this.found !== null && this.found.players.filter((it) => (it.bot ?? null) === null).length === 1;
  }

  /** True if a disconnect now would lose the match immediately. */
  get fragile(): boolean {
    const found = this.found;
    return (
      found !== null &&
      this.playing &&
      !this.shared &&
      found.clock.grace_ms === 0 &&
      found.players.every((it) => (it.bot ?? null) === null)
    );
  }

  /** Goes to the page that an answer named, unless a match has started since the request: that
   * match must stay on the page because its clock is running. */
  goUnlessPlaying(path: string): void {
    if (!this.playing) router.go(path);
  }

  ask(ask: GameAsk): void {
    const found = this.found;
    if (found === null || !this.playing) return;
    this.course?.echo(ask);
    this.#say({ type: "ask", match_id: found.match_id, seq: this.#next, ask });
  }

  /** Asks for the legal continuations of a partial decision, without playing it. */
  consider(ask: GameAsk): Promise<Options | null> {
    const found = this.found;
    if (found === null || !this.playing) return Promise.resolve(null);
    this.#question += 1;
    const question = this.#question;
    const sent = connection.send({ type: "consider", match_id: found.match_id, question, ask });
    if (!sent) return Promise.resolve(null);
    return new Promise((resolve) => this.#questions.set(question, resolve));
  }

  /** Tells the server that the player of this seat is now in front of the screen. */
  sit(seat: number): void {
    if (this.found !== null) connection.send({ type: "sit", match_id: this.found.match_id, seat });
  }

  /** Requests a bot's evaluation; the answer arrives in `chances`. */
  askChances(): void {
    if (this.found !== null && this.playing) connection.send({ type: "chances", match_id: this.found.match_id });
  }

  resign(): void {
    const found = this.found;
    if (found === null || !this.playing) return;
    this.#say({ type: "resign", match_id: found.match_id, seq: this.#next });
  }

  /** Forgets the match, once the visitor has seen the result. */
  leave(): void {
    this.#looks += 1;
    this.found = null;
    this.course = null;
    this.outcome = null;
    this.end = null;
    this.missed = null;
    this.left = null;
    this.chances = null;
    this.refused = null;
    this.#expectNothing();
    keep(null);
  }

  /** Drops everything that waits for an answer. */
  #expectNothing(): void {
    this.#unanswered = [];
    this.nUnanswered = 0;
    this.#forgetQuestions();
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
    this.#claimed = this.playing ? (found?.match_id ?? null) : null;
    if (found === null || course === null || !this.playing) return null;
    const next = this.#unanswered[0]?.seq ?? this.#next;
    return { match_id: found.match_id, seen: course.version, next_seq: next };
  }

  #hear(message: ServerMessage): void {
    switch (message.type) {
      case "welcome":
        this.#welcomed(message);
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
        // After a reload, the page knows only the id of the match.
        if (message.match_id === (this.found?.match_id ?? kept()?.matchId)) this.#letGo(message.match_id);
        break;
      case "match_end":
        if (message.match_id === this.found?.match_id) this.#finish(message);
        break;
      case "error":
        if (typeof message.seq === "number") this.#turnedAway(message.code, message.seq);
        break;
    }
  }

  #welcomed(welcome: Welcome): void {
    // The match belonged to another account.
    if (this.#whose !== null && this.#whose !== welcome.account_id) this.leave();
    this.#whose = welcome.account_id;
    this.#looks += 1;
    const sits = (welcome.match_id ?? null) !== null;
    this.#unclaimed = sits ? null : this.#claimed;
    if (!sits) void this.#miss();
  }

  /** Handles a decision that was refused before it reached the match. */
  #turnedAway(code: string, seq: number): void {
    if (!this.playing || !this.#unanswered.some((it) => it.seq === seq)) return;
    if (NO_SEAT.has(code)) void this.#miss();
    else setTimeout(() => this.#sendAgain((it) => it.seq === seq), RETRY_MS);
  }

  /** The player has left, and the match continues. */
  #letGo(matchId: string): void {
    this.leave();
    this.left = matchId;
  }

  async #begin(found: MatchFound): Promise<void> {
    // On a shared screen, each player receives the match from the start.
    const same = this.found?.seat === found.seat && this.found.curtain === found.curtain && !found.curtain;
    const goesOn = this.found?.match_id === found.match_id && same && this.course !== null;
    account.hasTokens(found.tokens);
    this.#looks += 1;
    this.#unclaimed = null;
    if (goesOn) {
      this.found = found;
      this.#forgetQuestions();
      // Drops messages that the server answered while this page was disconnected.
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
    if (found.resumed && !found.curtain) this.#resync(1);
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
        // The page showed the decision before the answer; the refusal makes that wrong.
        if (this.refused !== null) this.#resync(0);
        return;
      case "options":
        this.#questions.get(message.question)?.(message);
        this.#questions.delete(message.question);
        return;
      case "gap":
        this.#sendAgain((it) => it.seq >= message.expected);
        return;
      case "over":
        this.outcome = message.outcome;
        return;
      default:
        if (course.hear(message) === "behind") this.#resync(course.version);
    }
  }

  /** Requests everything after a version. A finished match needs no resync. */
  #resync(seen: number): void {
    if (this.found !== null && this.playing) connection.send({ type: "resync", match_id: this.found.match_id, seen });
  }

  #sendAgain(which: (message: Numbered) => boolean): void {
    if (!this.playing) return;
    for (const message of this.#unanswered.filter(which)) connection.send(message);
  }

  #finish(end: MatchEnd): void {
    this.#looks += 1;
    this.#expectNothing();
    this.end = end;
    this.outcome = end.outcome;
    if (typeof end.tokens === "number") account.hasTokens(end.tokens);
    if (this.found !== null) keep({ matchId: end.match_id, seat: this.shared ? null : this.found.seat, over: true });
    void account.refresh();
  }

  /** The server knows no seat of this account. If this tab had one, its match has ended or continues
   * without it. */
  async #miss(): Promise<void> {
    const tab = kept();
    if (tab === null || this.missed !== null || this.end !== null) return;
    if (tab.over && router.page.at !== "match") {
      keep(null);
      return;
    }
    this.#looks += 1;
    const look = this.#looks;
    const page = await api.match(tab.matchId).catch((error: unknown) => error);
    if (look !== this.#looks) return;
    if (page instanceof Refusal && page.status === 404) this.leave();
    else if (page instanceof Error) this.#later(look, () => void this.#miss());
    else this.#learn(tab, page as MatchPage, look);
  }

  /** Runs after a delay, unless something else has happened by then. */
  #later(look: number, run: () => void): void {
    setTimeout(() => {
      if (look === this.#looks) run();
    }, LOOK_AGAIN_MS);
  }

  /** Reads from the match's data why this tab has no seat in it. */
  #learn(tab: Kept, page: MatchPage, look: number): void {
    if (page.state !== "open") {
      const names = page.players.map((it) => (it.bot ? `bot:${it.bot}` : (it.name ?? "")));
      this.leave();
      keep({ ...tab, over: true });
      this.missed = {
        kept: tab,
        outcome: (page.outcome ?? null) as Outcome | null,
        names,
        game: page.game,
        stake: page.stake,
      };
      void account.refresh();
    } else if (this.#unclaimed === tab.matchId) {
      this.#letGo(tab.matchId);
    } else {
      // The seat may be restored, or the server is about to send the outcome.
      this.#later(look, () => this.#sendAgain(() => true));
    }
  }
}

export const seat = new Seat();
