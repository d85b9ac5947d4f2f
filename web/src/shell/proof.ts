/** Checking a promised seed here, so that nobody has to believe the server. */

export type SeedCheck = "good" | "bad" | "none" | "closed";

/** Whether salt and seed give the promise: SHA-256 of the salt followed by the seed. */
export async function checkSeed(commitment: string | null, opening: unknown): Promise<SeedCheck> {
  if (commitment === null) return "none";
  if (opening === null || opening === undefined) return "closed";
  const { salt, seed } = opening as { salt?: unknown; seed?: unknown };
  const bytes = typeof salt === "string" && typeof seed === "string" ? fromHex(salt + seed) : null;
  if (bytes === null) return "bad";
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `sha256:${hex}` === commitment ? "good" : "bad";
}

function fromHex(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^([0-9a-f]{2})+$/.test(text)) return null;
  const bytes = new Uint8Array(text.length / 2);
  for (let idx = 0; idx < bytes.length; idx += 1) bytes[idx] = Number.parseInt(text.slice(2 * idx, 2 * idx + 2), 16);
  return bytes;
}
