/** The rules documents of the games. Each one is loaded on first use. */

const DOCUMENTS = import.meta.glob<string>("../../../../docs/rules/*.md", { query: "?raw", import: "default" });

/** The rules document of a game, or null if it has none. */
export async function rulesOf(name: string): Promise<string | null> {
  const load = DOCUMENTS[`../../../../docs/rules/${name}.md`];
  return load === undefined ? null : await load().catch(() => null);
}
