/** The games that the server offers, in its order. */

import type { LobbyGame, Overview } from "../generated/http";
import { api, Refusal } from "./api";

class Offers {
  games: readonly LobbyGame[] = $state.raw([]);

  /** The game that a new visitor sees first: the one with leagues, or else the first. */
  get first(): LobbyGame | null {
    return this.games.find((it) => it.has_leagues) ?? this.games[0] ?? null;
  }

  /** Fetches the current offers, queues and live matches. */
  async look(): Promise<Overview> {
    const overview = await api.overview();
    this.games = overview.games;
    return overview;
  }

  /** The offers, fetched only if this page has none yet. */
  async known(): Promise<readonly LobbyGame[]> {
    if (this.games.length === 0) await this.look();
    return this.games;
  }

  /** A game by its name; rejects if the server does not offer it. */
  async find(name: string): Promise<LobbyGame> {
    const found = (await this.known()).find((it) => it.game === name);
    if (found === undefined) throw new Refusal(404, "not_found", `this server has no game called ${name}`, {});
    return found;
  }

  /** True if a game has league points. False until the offers are known. */
  hasLeagues(name: string): boolean {
    return this.games.find((it) => it.game === name)?.has_leagues ?? false;
  }
}

export const offers = new Offers();
