/** The visitor's account: a token on this device, and the server's data about the account. */

import { api, Refusal } from "./api";
import type {
  Confirmation,
  Credentials,
  Export,
  Me,
  NewPassword,
  NewProfile,
  Recovery,
  SessionRow,
  Signed,
} from "../generated/http";

const KEY = "referee.token";
/** The storage key for the time the token was created, by this device's clock. */
const MADE = "referee.token.made";
const ROTATE_AFTER_MS = 24 * 3_600_000;

class Account {
  token: string | null = $state(localStorage.getItem(KEY));
  me: Me | null = $state(null);

  get signedIn(): boolean {
    return this.token !== null;
  }

  async guest(): Promise<void> {
    this.#enter(await api.guest());
  }

  async login(given: Credentials): Promise<void> {
    this.#enter(await api.login(given));
  }

  async recover(given: Recovery): Promise<void> {
    this.#enter(await api.recover(given));
  }

  /** Fetches the account. An unknown token is forgotten, and a token older than a day is rotated. */
  async refresh(): Promise<void> {
    const token = this.token;
    if (token === null) return;
    try {
      const me = await api.me(token);
      if (this.token !== token) return;
      this.me = me;
      await this.#rotate(token);
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) this.refused(token);
    }
  }

  async setNickname(nickname: string): Promise<void> {
    await api.setNickname(this.#own(), nickname);
    await this.refresh();
  }

  /** The old token works until the new one is used, so a lost answer does no harm. */
  async #rotate(token: string): Promise<void> {
    const made = Number(localStorage.getItem(MADE) ?? 0);
    if (Date.now() - made < ROTATE_AFTER_MS) return;
    // Written first, so that other tabs do not rotate the token too.
    localStorage.setItem(MADE, String(Date.now()));
    const next = await api.rotate(token);
    if (this.token === token) this.#keep(next.authToken);
  }

  sessions(): Promise<SessionRow[]> {
    return api.sessions(this.#own());
  }

  endSession(id: string): Promise<void> {
    return api.endSession(this.#own(), id);
  }

  endOtherSessions(): Promise<void> {
    return api.endOtherSessions(this.#own());
  }

  async recoveryCodes(given: Confirmation): Promise<string[]> {
    return (await api.recoveryCodes(this.#own(), given)).codes;
  }

  export(): Promise<Export> {
    return api.exportAccount(this.#own());
  }

  async delete(given: Confirmation): Promise<void> {
    await api.deleteAccount(this.#own(), given);
    this.forget();
  }

  async setPassword(given: NewPassword): Promise<void> {
    await api.setPassword(this.#own(), given);
    await this.refresh();
  }

  async setProfile(given: NewProfile): Promise<void> {
    await api.setProfile(this.#own(), given);
    await this.refresh();
  }

  async logout(): Promise<void> {
    const token = this.token;
    this.forget();
    if (token !== null) await api.logout(token).catch(() => undefined);
  }

  /** Handles a token that the server does not know: switches to the successor if another tab has rotated it,
   * otherwise signs out. */
  refused(token: string): void {
    const kept = localStorage.getItem(KEY);
    if (kept !== null && kept !== token) this.token = kept;
    else this.forget();
  }

  /** Follows another tab that signed in or out, or rotated the token. */
  follow(token: string | null): void {
    this.token = token;
    if (token === null) this.me = null;
  }

  forget(): void {
    localStorage.removeItem(KEY);
    localStorage.removeItem(MADE);
    this.token = null;
    this.me = null;
  }

  /** Sets the balance that a server message reported. */
  hasTokens(tokens: number): void {
    if (this.me !== null) this.me.tokens = tokens;
  }

  #own(): string {
    if (this.token === null) throw new Error("not signed in");
    return this.token;
  }

  #enter(signed: Signed): void {
    const { authToken, ...profile } = signed;
    this.me = { ...profile, nicknameChangeCost: 0 };
    this.#keep(authToken);
  }

  #keep(token: string): void {
    localStorage.setItem(KEY, token);
    localStorage.setItem(MADE, String(Date.now()));
    this.token = token;
  }
}

export const account = new Account();

addEventListener("storage", (event) => {
  if (event.key === KEY) account.follow(event.newValue);
});
