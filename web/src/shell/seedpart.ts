/** This browser's contribution to the seeds of its matches: random bytes, sent before the server reveals its own. */

import { connection } from "./connection.svelte";

export interface OwnPart {
  /** The server's commitment, received before the browser contributed. */
  commitment: string;
  contribution: string;
}

const KEY = "referee.seed-parts";
const KEPT_MAX = 20;

let next: OwnPart | null = null;

/** This browser's contribution to a match, if the server listed it when the match started. */
export function ownPart(matchId: string): OwnPart | null {
  return kept().find(([id]) => id === matchId)?.[1] ?? null;
}

/** Answers every seed commitment of the server with a contribution. */
export function contributeAlways(): () => void {
  connection.contribute = contribute;
  return connection.listen((message) => {
    if (message.type !== "match_found") return;
    const own = next;
    if (own !== null && message.contributions.some((it) => it.commitment === own.commitment))
      keep(message.match_id, own);
    if (message.seed_commitment) contribute(message.seed_commitment);
  });
}

function contribute(commitment: string): void {
  if (next?.commitment === commitment) return;
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const contribution = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (connection.send({ type: "contribute", commitment, contribution })) next = { commitment, contribution };
}

function kept(): [string, OwnPart][] {
  try {
    const read: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return Array.isArray(read) ? (read as [string, OwnPart][]) : [];
  } catch {
    return [];
  }
}

function keep(matchId: string, own: OwnPart): void {
  const others = kept().filter(([id]) => id !== matchId);
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...others, [matchId, own]].slice(-KEPT_MAX)));
  } catch {
    // Without storage the replay still checks the seed, but cannot tell which part was its own.
  }
}
