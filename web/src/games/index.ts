/** The games of this page, by their folders. Each one is loaded on first use. A game without a folder
 * is played on the generic board, with the words that the server has for it. */

import { offers } from "../shell/offers.svelte";
import type { Game } from "./contract";

const ROOMS = import.meta.glob<{ game: Game }>(["./*/index.ts", "!./generic/index.ts"]);

const loaded = new Map<string, Promise<Game>>();

/** Loads a game by its name on the server; rejects if the server has no such game. */
export function loadGame(name: string): Promise<Game> {
  let game = loaded.get(name);
  if (game === undefined) {
    game = load(name);
    game.catch(() => loaded.delete(name));
    loaded.set(name, game);
  }
  return game;
}

async function load(name: string): Promise<Game> {
  const room = ROOMS[`./${name}/index.ts`];
  if (room !== undefined) return (await room()).game;
  const [{ gameOf }, offer] = await Promise.all([import("./generic"), offers.find(name)]);
  return gameOf({ name, title: offer.title, summary: offer.summary });
}
