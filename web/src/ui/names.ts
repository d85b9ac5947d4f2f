import type { Player } from "../generated/protocol";
import type { Game } from "../games/contract";
import { settings } from "../shell/settings.svelte";
import { words } from "../texts";

/** How the players of a match are called. */
export function namesOf(players: readonly Player[], game: Game): string[] {
  return players.map((player) => {
    const bot = player.bot ?? null;
    if (bot !== null) return game.texts[settings.language].bot(bot).title;
    return player.name ?? words().lobby.anonymous;
  });
}
