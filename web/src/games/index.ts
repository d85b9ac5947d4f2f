/** The games of this page. Each one is loaded on first use. */

import type { Game } from "./contract";

const ROOMS: Record<string, () => Promise<{ game: Game }>> = {
  catan: () => import("./catan"),
  orcain: () => import("./orcain"),
  stellar: () => import("./stellar"),
};

const loaded = new Map<string, Promise<Game>>();

export function hasGame(name: string): boolean {
  return Object.hasOwn(ROOMS, name);
}

/** Loads a game by its name on the server; rejects if this page does not have it. */
export function loadGame(name: string): Promise<Game> {
  const room = ROOMS[name];
  if (room === undefined) return Promise.reject(new Error(`this page has no game called ${name}`));
  let game = loaded.get(name);
  if (game === undefined) {
    game = room().then((module) => module.game);
    game.catch(() => loaded.delete(name));
    loaded.set(name, game);
  }
  return game;
}
