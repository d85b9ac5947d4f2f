/** Checks the revealed seed against the commitment in the browser, without trusting the server. */

import { ownPart } from "./seedpart";

/** `good`: the seed matches the commitment; `joint`: players also contributed to it; `own`: this browser did. */
export type SeedCheck = "good" | "joint" | "own" | "bad" | "none" | "closed";

interface Part {
  contribution: string;
  salt: string;
  secret: string;
}

const DOMAIN = "referee joint seed 1";

/** Checks that the salt followed by the seed hashes (SHA-256) to the commitment, and that the players' parts produce the seed. */
export async function checkSeed(
  commitment: string | null,
  opening: unknown,
  matchId: string | null = null,
): Promise<SeedCheck> {
  if (commitment === null) return "none";
  if (opening === null || opening === undefined) return "closed";
  const { salt, seed, parts } = opening as { salt?: unknown; seed?: unknown; parts?: unknown };
  if (typeof salt !== "string" || typeof seed !== "string") return "bad";
  if ((await promise(salt, seed)) !== commitment) return "bad";
  if (parts === undefined) return "good";
  return Array.isArray(parts) ? checkParts(seed, parts as Part[], matchId) : "bad";
}

async function checkParts(seed: string, parts: Part[], matchId: string | null): Promise<SeedCheck> {
  const opened: { commitment: string; part: Part }[] = [];
  for (const part of parts) {
    const commitment = await promise(part.salt, part.secret);
    if (commitment === null) return "bad";
    opened.push({ commitment, part });
  }
  opened.sort((one, other) => (one.commitment < other.commitment ? -1 : 1));
  const bytes = fromHex(opened.map(({ part }) => part.secret + part.contribution).join(""));
  if (bytes === null) return "bad";
  const domain = new TextEncoder().encode(DOMAIN);
  const joined = new Uint8Array(domain.length + bytes.length);
  joined.set(domain);
  joined.set(bytes, domain.length);
  if ((await sha256(joined)) !== seed) return "bad";
  const own = matchId === null ? null : ownPart(matchId);
  const listed = opened.find((it) => it.commitment === own?.commitment);
  if (own === null || listed === undefined) return "joint";
  return listed.part.contribution === own.contribution ? "own" : "bad";
}

async function promise(salt: string, secret: string): Promise<string | null> {
  const bytes = fromHex(salt + secret);
  return bytes === null ? null : `sha256:${await sha256(bytes)}`;
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function fromHex(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^([0-9a-f]{2})+$/.test(text)) return null;
  const bytes = new Uint8Array(text.length / 2);
  for (let idx = 0; idx < bytes.length; idx += 1) bytes[idx] = Number.parseInt(text.slice(2 * idx, 2 * idx + 2), 16);
  return bytes;
}
