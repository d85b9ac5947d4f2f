/** Parses action words. Only the server decides which ones are legal. */

import { COSTS } from "../../generated/catan-tables";

export const RESOURCES = ["BRICK", "LUMBER", "WOOL", "GRAIN", "ORE"] as const;
export type Resource = (typeof RESOURCES)[number];

export const CARDS = ["KNIGHT", "ROAD_BUILDING", "YEAR_OF_PLENTY", "MONOPOLY", "VICTORY_POINT"] as const;
export type DevCard = (typeof CARDS)[number];

/** The goods a player can buy. `probe` is an action word that asks the server why a purchase is not legal. */
export const GOODS = [
  { name: "road", verb: "road", cost: COSTS.road, probe: "road:0" },
  { name: "settlement", verb: "settle", cost: COSTS.settlement, probe: "settle:0" },
  { name: "city", verb: "city", cost: COSTS.city, probe: "city:0" },
  { name: "development", verb: "buy", cost: COSTS.development, probe: "buy" },
] as const;
export type Good = (typeof GOODS)[number];

/** The verb that plays each development card, and the `probe` that asks why it cannot be played. */
export const PLAYS: Record<Exclude<DevCard, "VICTORY_POINT">, { verb: string; probe: string }> = {
  KNIGHT: { verb: "knight", probe: "knight" },
  ROAD_BUILDING: { verb: "roads", probe: "roads" },
  YEAR_OF_PLENTY: { verb: "plenty", probe: "plenty:BRICK+LUMBER" },
  MONOPOLY: { verb: "monopoly", probe: "monopoly:BRICK" },
};

export interface Word {
  readonly text: string;
  readonly verb: string;
  /** The part after the colon; empty for words without one. */
  readonly object: string;
}

export function read(text: string): Word {
  const at = text.indexOf(":");
  return at < 0 ? { text, verb: text, object: "" } : { text, verb: text.slice(0, at), object: text.slice(at + 1) };
}

export function isResource(text: string | undefined): text is Resource {
  return RESOURCES.some((it) => it === text);
}

/** The places that can be chosen on the board, each with its action word. */
export interface Places {
  readonly vertices: ReadonlyMap<number, string>;
  readonly edges: ReadonlyMap<number, string>;
  readonly tiles: ReadonlyMap<number, string>;
}

const VERTEX = new Set(["first-settle", "settle", "city"]);
const EDGE = new Set(["first-road", "road", "free-road"]);

export function places(legal: readonly string[]): Places {
  const vertices = new Map<number, string>();
  const edges = new Map<number, string>();
  const tiles = new Map<number, string>();
  for (const word of legal.map(read)) {
    const id = Number(word.object);
    if (VERTEX.has(word.verb)) vertices.set(id, word.text);
    else if (EDGE.has(word.verb)) edges.set(id, word.text);
    else if (word.verb === "robber") tiles.set(id, word.text);
  }
  return { vertices, edges, tiles };
}

/** A trade with the bank, possibly through a harbor. */
export interface Trade {
  readonly word: string;
  readonly give: Resource;
  readonly n: number;
  readonly get: Resource;
}

const RATES: Record<string, number> = { bank: 4, port3: 3, port2: 2 };

/** The legal bank trades: the cheapest for each pair of resources. */
export function trades(legal: readonly string[]): Trade[] {
  const best = new Map<string, Trade>();
  for (const word of legal.map(read)) {
    const [give, get] = word.object.split(">");
    const n = RATES[word.verb];
    if (n === undefined || !isResource(give) || !isResource(get)) continue;
    const known = best.get(word.object);
    if (known === undefined || known.n > n) best.set(word.object, { word: word.text, give, n, get });
  }
  return [...best.values()];
}

/** The number of cards of each resource. */
export type Cards = Record<Resource, number>;

export function noCards(): Cards {
  return { BRICK: 0, LUMBER: 0, WOOL: 0, GRAIN: 0, ORE: 0 };
}

export function count(cards: Readonly<Cards>): number {
  return RESOURCES.reduce((sum, it) => sum + cards[it], 0);
}

/** The action words of an offer: a single word for one card against one, otherwise one word per card and `send`. */
export function offerWords(offer: Readonly<Cards>, request: Readonly<Cards>): string[] {
  const each = (cards: Readonly<Cards>) => RESOURCES.flatMap((it) => Array<Resource>(cards[it]).fill(it));
  const [given, asked] = [each(offer), each(request)];
  if (given.length === 1 && asked.length === 1) return [`offer:${given[0]}>${asked[0]}`];
  return [...given.map((it) => `give:${it}`), ...asked.map((it) => `ask:${it}`), "send"];
}

/** The price of an action word, or null if it is free. */
export function costOf(word: string): Partial<Record<Resource, number>> | null {
  const { verb } = read(word);
  return GOODS.find((it) => it.verb === verb)?.cost ?? null;
}
