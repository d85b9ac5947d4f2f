/** Who the visitor is: a token on this device, and what the server says of its account. */

import { api, Refusal } from "./api";
import type { Confirmation, Credentials, Export, Me, NewPassword, NewProfile, Recovery, SessionRow, Signed } from "../generated/http";

const KEY = "referee.token";
/** When the token was made, by this device's clock. */
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

  /** Asks what the account is and has now; a token that is not known is forgotten, and one that is a day old is
   * exchanged. */
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

  /** The old token works until the new one is used, so an answer that is lost costs nothing. */
  async #rotate(token: string): Promise<void> {
    const made = Number(localStorage.getItem(MADE) ?? 0);
    if (Date.now() - made < ROTATE_AFTER_MS) return;
    // Other tabs see at once that this one does it.
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

  /** The server does not know this token. Another tab may have exchanged it: then its successor is taken, and
   * otherwise nobody is signed in any more. */
  refused(token: string): void {
    const kept = localStorage.getItem(KEY);
    if (kept !== null && kept !== token) this.token = kept;
    else this.forget();
  }

  /** Another tab has signed in or out, or exchanged the token. */
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

  /** The tokens that a message of the server named. */
  hasTokens(tokens: number): void {
    if (this.me !== null) this.me.tokens = tokens;
  }

  #own(): string {
    if (this.token === null) throw new Error("nobody is signed in");
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
