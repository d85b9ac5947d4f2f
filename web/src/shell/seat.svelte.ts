/** The own seat in a live match: decisions are numbered, kept until they are answered, and
 * sent again after a connection was lost. */

import { loadGame } from "../games";
import type { Options } from "../games/contract";
import type { MatchPage } from "../generated/http";
import type { Chances, ClientMessage, GameAsk, MatchEnd, MatchFound, Message, Outcome, Resume, ServerMessage, Welcome } from "../generated/protocol";
import { account } from "./account.svelte";
import { api, Refusal } from "./api";
import { connection } from "./connection.svelte";
import { Course } from "./course.svelte";
import { keep, kept, type Kept } from "./kept";
import { router } from "./router.svelte";

type Numbered = Extract<ClientMessage, { seq: number }>;

const RETRY_MS = 400;
const LOOK_AGAIN_MS = 2_000;
/** Refusals of a decision that say that nobody is there to take it: sending it again at once is
 * of no use. */
const NO_SEAT = new Set(["not_seated", "unknown_match"]);

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
  /** The account that this page plays for. */
  #whose: string | null = null;
  /** The match that this page played when it last said hello. */
  #claimed: string | null = null;
  /** The match that it claimed, if the welcome did not know of it. */
  #unclaimed: string | null = null;
  /** Counts the looks at what became of a match: whatever happens meanwhile makes one too late. */
  #looks = 0;

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

  /** Shows the page that an answer named, unless a match has begun since the request: then the
   * match is on the page, and its clock runs. */
  goUnlessPlaying(path: string): void {
    if (!this.playing) router.go(path);
  }

  ask(ask: GameAsk): void {
    const found = this.found;
    if (found === null || !this.playing) return;
    this.course?.echo(ask);
    this.#say({ type: "ask", match_id: found.match_id, seq: this.#next, ask });
  }

  /** Asks what could follow this much of a decision; nothing is done. */
  consider(ask: GameAsk): Promise<Options | null> {
    const found = this.found;
    if (found === null || !this.playing) return Promise.resolve(null);
    this.#question += 1;
    const question = this.#question;
    const sent = connection.send({ type: "consider", match_id: found.match_id, question, ask });
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

  /** No answer is waited for any more. */
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
        // A page that was loaded anew has only heard of the match.
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
    // What another account has played is not this one's.
    if (this.#whose !== null && this.#whose !== welcome.account_id) this.leave();
    this.#whose = welcome.account_id;
    this.#looks += 1;
    const sits = (welcome.match_id ?? null) !== null;
    this.#unclaimed = sits ? null : this.#claimed;
    if (!sits) void this.#miss();
  }

  /** A decision was refused before it came to the match. */
  #turnedAway(code: string, seq: number): void {
    if (!this.playing || !this.#unanswered.some((it) => it.seq === seq)) return;
    if (NO_SEAT.has(code)) void this.#miss();
    else setTimeout(() => this.#sendAgain((it) => it.seq === seq), RETRY_MS);
  }

  /** The player has left, and the match goes on. */
  #letGo(matchId: string): void {
    this.leave();
    this.left = matchId;
  }

  async #begin(found: MatchFound): Promise<void> {
    // Where people share the screen, each is shown the match from the start.
    const same = this.found?.seat === found.seat && this.found.curtain === found.curtain && !found.curtain;
    const goesOn = this.found?.match_id === found.match_id && same && this.course !== null;
    account.hasTokens(found.tokens);
    this.#looks += 1;
    this.#unclaimed = null;
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
        // What was shown before the answer is not so.
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

  /** Asks for everything after a version; a match that is over has told everything. */
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
    this.outcome = end.outcome as Outcome;
    if (typeof end.tokens === "number") account.hasTokens(end.tokens);
    if (this.found !== null) keep({ matchId: end.match_id, seat: this.shared ? null : this.found.seat, over: true });
    void account.refresh();
  }

  /** The server knows of no seat here. If this tab had one, its match ended without it, or goes
   * on without it. */
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

  /** Does something after a while, if nothing has happened until then. */
  #later(look: number, run: () => void): void {
    setTimeout(() => {
      if (look === this.#looks) run();
    }, LOOK_AGAIN_MS);
  }

  /** The page of a match that has no seat for this tab says why. */
  #learn(tab: Kept, page: MatchPage, look: number): void {
    if (page.state !== "open") {
      const names = page.players.map((it) => (it.bot ? `bot:${it.bot}` : (it.name ?? "")));
      this.leave();
      keep({ ...tab, over: true });
      this.missed = { kept: tab, outcome: (page.outcome ?? null) as Outcome | null, names, game: page.game, stake: page.stake };
      void account.refresh();
    } else if (this.#unclaimed === tab.matchId) {
      this.#letGo(tab.matchId);
    } else {
      // The seat is given back, or the server is about to say what became of it.
      this.#later(look, () => this.#sendAgain(() => true));
    }
  }
}

export const seat = new Seat();
