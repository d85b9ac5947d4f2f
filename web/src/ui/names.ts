import type { MatchSummary } from "../generated/http";
import type { Player } from "../generated/protocol";
import type { Game } from "../games/contract";
import { settings } from "../shell/settings.svelte";
import { words } from "../texts";

/** The prefix of bot names in records. */
const BOT = "bot:";

function called(name: string | null, bot: string | null, game: Game | null): string {
  if (bot !== null) return game?.texts[settings.language].bot(bot).title ?? bot;
  if (name === null) return words().home.anonymous;
  // Players at a shared screen without a nickname have only a number.
  return name.startsWith("(") ? `${words().home.anonymous} ${name}` : name;
}

/** The display names of the players of a match. */
export function namesOf(players: readonly Player[], game: Game): string[] {
  return players.map((player) => called(player.name ?? null, player.bot ?? null, game));
}

/** The names of the players, joined by "vs". */
export function versusOf(match: MatchSummary, game: Game | null): string {
  const names = match.players.map((it) => called(it.name ?? null, it.bot ?? null, game));
  return names.join(` ${words().home.vs} `);
}

/** The display name for a name as stored in records and histories. */
export function recordedName(name: string | null | undefined, game: Game | null): string {
  if (!name) return words().home.anonymous;
  return name.startsWith(BOT) ? called(null, name.slice(BOT.length), game) : called(name, null, game);
}
