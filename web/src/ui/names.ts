import type { MatchSummary } from "../generated/http";
import type { Player } from "../generated/protocol";
import type { Game } from "../games/contract";
import { settings } from "../shell/settings.svelte";
import { words } from "../texts";

/** Records write bots with this before their name. */
const BOT = "bot:";

function called(name: string | null, bot: string | null, game: Game | null): string {
  if (bot !== null) return game?.texts[settings.language].bot(bot).title ?? bot;
  if (name === null) return words().lobby.anonymous;
  // People at one screen who have chosen no name have a number alone.
  return name.startsWith("(") ? `${words().lobby.anonymous} ${name}` : name;
}

/** How the players of a match are called. */
export function namesOf(players: readonly Player[], game: Game): string[] {
  return players.map((player) => called(player.name ?? null, player.bot ?? null, game));
}

/** Who played whom. */
export function versusOf(match: MatchSummary, game: Game | null): string {
  const names = match.players.map((it) => called(it.name ?? null, it.bot ?? null, game));
  return names.join(` ${words().lobby.vs} `);
}

/** A name as records and histories keep it. */
export function recordedName(name: string | null | undefined, game: Game | null): string {
  if (!name) return words().lobby.anonymous;
  return name.startsWith(BOT) ? called(null, name.slice(BOT.length), game) : called(name, null, game);
}
