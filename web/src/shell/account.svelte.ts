/** Who the visitor is: a token on this device, and what the server says of its account. */

import { api, Refusal } from "./api";
import type { Credentials, Me, NewProfile, Signed } from "../generated/http";

const KEY = "referee.token";

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

  /** Asks what the account is and has now; a token that is not known is forgotten. */
  async refresh(): Promise<void> {
    const token = this.token;
    if (token === null) return;
    try {
      const me = await api.me(token);
      if (this.token === token) this.me = me;
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) this.forget();
    }
  }

  async setNickname(nickname: string): Promise<void> {
    await api.setNickname(this.#own(), nickname);
    await this.refresh();
  }

  async setPassword(given: Credentials): Promise<void> {
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

  forget(): void {
    localStorage.removeItem(KEY);
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
    localStorage.setItem(KEY, authToken);
    this.me = { ...profile, nicknameChangeCost: 0 };
    this.token = authToken;
  }
}

export const account = new Account();
