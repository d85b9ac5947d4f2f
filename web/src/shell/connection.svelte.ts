/** The only socket of the page. It reconnects with backoff when the connection is lost. */

import type { ClientMessage, Resume, ServerMessage } from "../generated/protocol";
import { account } from "./account.svelte";
import { api, Refusal } from "./api";
import { clock } from "./clock.svelte";

export type Link =
  /** No connection is needed. */
  | { is: "idle" }
  | { is: "connecting" }
  | { is: "online" }
  /** The connection was lost. `nextAt` is the time of the next attempt by `performance.now()`. */
  | { is: "waiting"; attempt: number; nextAt: number }
  /** The account is connected elsewhere. Only the visitor can take it back. */
  | { is: "taken_over" }
  /** The account is banned. The token is kept because a ban can end. */
  | { is: "banned" };

const PROTOCOL = 1;
const TAKEN_OVER = 4001;
const SIGNED_OUT = 4003;
const BANNED = 4004;
const PING_EVERY_MS = 8_000;
const SILENT_MAX_MS = 20_000;
const BACKOFF_MAX_MS = 8_000;

type Listener = (message: ServerMessage) => void;

class Connection {
  link: Link = $state({ is: "idle" });
  draining: boolean = $state(false);
  #socket: WebSocket | null = null;
  #attempt = 0;
  /** Counts all attempts, so that an answer to an older attempt is recognized. */
  #attempts = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #heardAt = 0;
  #listeners = new Set<Listener>();
  #wanted = false;
  /** Provides the match to resume in `hello`; set by the seat. */
  resume: () => Resume | null = () => null;
  /** Answers the server's seed commitment before any other message is sent. */
  contribute: (commitment: string) => void = () => undefined;
  #onReady = new Set<() => void>();

  /** Opens the socket unless it is already open or connecting. */
  open(): void {
    this.#wanted = true;
    if (this.#socket === null && this.#retry === undefined && this.link.is !== "connecting") void this.#connect();
  }

  /** Closes the socket without reconnecting, after a sign-out. */
  close(): void {
    this.#wanted = false;
    this.#attempts += 1;
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#drop();
    this.link = { is: "idle" };
  }

  /** Connects immediately instead of waiting; also takes the account back after `taken_over`. */
  retryNow(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#attempt = 0;
    this.#drop();
    this.#wanted = true;
    void this.#connect();
  }

  send(message: ClientMessage): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Runs now if the socket is ready, and again after every reconnect. Returns a function that stops this. */
  whenReady(run: () => void): () => void {
    this.#onReady.add(run);
    if (this.link.is === "online") run();
    return () => this.#onReady.delete(run);
  }

  async #connect(): Promise<void> {
    this.link = { is: "connecting" };
    this.#attempts += 1;
    const attempt = this.#attempts;
    const token = account.token;
    let ticket: string | null = null;
    if (token !== null) {
      try {
        ticket = (await api.ticket(token)).ticket;
      } catch (error) {
        if (attempt !== this.#attempts) return;
        if (error instanceof Refusal && error.code === "account_banned") {
          this.#banned();
          return;
        }
        if (error instanceof Refusal && error.status === 401) {
          account.refused(token);
          if (account.token === null) {
            this.close();
            return;
          }
        }
        this.#lost();
        return;
      }
    }
    // The visitor signed in or out, or retried, while the ticket was in flight.
    if (attempt !== this.#attempts || !this.#wanted) return;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/ws`);
    this.#socket = socket;
    socket.onopen = () => this.#opened(socket, ticket);
    socket.onmessage = (event) => this.#heard(socket, String(event.data));
    socket.onclose = (event) => this.#closed(socket, event.code);
  }

  #opened(socket: WebSocket, ticket: string | null): void {
    if (socket !== this.#socket) return;
    this.#heardAt = performance.now();
    clock.forget();
    if (ticket === null) {
      this.#ready();
    } else {
      const resume = this.resume();
      this.send({ type: "hello", protocol: PROTOCOL, ticket, ...(resume ? { resume } : {}) });
    }
    this.#ping();
    this.#heartbeat = setInterval(() => this.#beat(), PING_EVERY_MS);
  }

  #ready(): void {
    this.#attempt = 0;
    this.draining = false;
    this.link = { is: "online" };
    for (const run of this.#onReady) run();
  }

  #beat(): void {
    if (performance.now() - this.#heardAt > SILENT_MAX_MS) {
      this.#drop();
      this.#lost();
      return;
    }
    this.#ping();
  }

  #ping(): void {
    this.send({ type: "ping", at: Math.round(performance.now()) });
  }

  #heard(socket: WebSocket, text: string): void {
    if (socket !== this.#socket) return;
    this.#heardAt = performance.now();
    let message: ServerMessage;
    try {
      message = JSON.parse(text) as ServerMessage;
    } catch {
      return;
    }
    switch (message.type) {
      case "pong":
        clock.learn(message.now_ms, performance.now() - message.at);
        return;
      case "welcome":
        clock.hint(message.now_ms);
        account.hasTokens(message.tokens);
        this.contribute(message.seed_commitment);
        this.#ready();
        break;
      case "draining":
        this.draining = true;
        break;
    }
    for (const listener of this.#listeners) listener(message);
  }

  #closed(socket: WebSocket, code: number): void {
    if (socket !== this.#socket) return;
    this.#drop();
    if (code === TAKEN_OVER) {
      this.link = { is: "taken_over" };
      return;
    }
    if (code === BANNED) {
      this.#banned();
      return;
    }
    if (code === SIGNED_OUT) {
      account.forget();
      this.close();
      return;
    }
    this.#lost();
  }

  #banned(): void {
    this.close();
    this.link = { is: "banned" };
  }

  #lost(): void {
    if (!this.#wanted) {
      this.link = { is: "idle" };
      return;
    }
    const wait = Math.min(BACKOFF_MAX_MS, 250 * 2 ** this.#attempt) * (0.5 + Math.random() / 2);
    this.#attempt += 1;
    this.link = { is: "waiting", attempt: this.#attempt, nextAt: performance.now() + wait };
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      void this.#connect();
    }, wait);
  }

  #drop(): void {
    clearInterval(this.#heartbeat);
    const socket = this.#socket;
    this.#socket = null;
    if (socket !== null) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
  }
}

export const connection = new Connection();

// The network is back, so there is no need to wait for the next attempt.
addEventListener("online", () => {
  if (connection.link.is === "waiting") connection.retryNow();
});
