/** The part of Markdown that rules documents use: headings, paragraphs, lists, tables and code. */

export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly spans: Spans }
  | { readonly kind: "text"; readonly spans: Spans }
  | { readonly kind: "list"; readonly ordered: boolean; readonly items: readonly Item[] }
  | { readonly kind: "table"; readonly head: readonly Spans[]; readonly rows: readonly (readonly Spans[])[] }
  | { readonly kind: "code"; readonly text: string };

/** An item of a list, with the items of the list inside it. */
export interface Item {
  readonly spans: Spans;
  readonly inner: readonly Spans[];
}

export type Spans = readonly Span[];

export interface Span {
  readonly style: "plain" | "strong" | "emphasis" | "code";
  readonly text: string;
}

const FENCE = /^```/;
const HEADING = /^(#{1,6})\s+(.*)$/;
const ITEM = /^\s*(?:[-*]|(\d+)\.)\s+(.*)$/;
const RULE = /^\s*\|?[\s:|-]+\|?\s*$/;

/** The blocks of a document, without its title: the page has the title already. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.replaceAll(/<!--[\s\S]*?-->/g, "").split("\n");
  for (let at = 0; at < lines.length;) {
    const [block, n] = readBlock(lines, at);
    if (block !== null && !(block.kind === "heading" && block.level === 1)) blocks.push(block);
    at += n;
  }
  return blocks;
}

/** The block that begins at a line, and its number of lines. */
function readBlock(lines: readonly string[], at: number): [Block | null, number] {
  const line = lines[at] ?? "";
  if (line.trim() === "") return [null, 1];
  if (FENCE.test(line)) {
    const body = takeWhile(lines, at + 1, (it) => !FENCE.test(it));
    return [{ kind: "code", text: body.join("\n") }, body.length + 2];
  }
  const heading = HEADING.exec(line);
  if (heading !== null)
    return [{ kind: "heading", level: heading[1]?.length ?? 1, spans: spansOf(heading[2] ?? "") }, 1];
  if (line.trimStart().startsWith("|")) {
    const rows = takeWhile(lines, at, (it) => it.trimStart().startsWith("|"));
    return [tableOf(rows), rows.length];
  }
  const item = ITEM.exec(line);
  const paragraph = takeWhile(
    lines,
    at,
    (it, idx) => it.trim() !== "" && (idx === 0 || !startsBlock(it, item !== null)),
  );
  if (item === null) return [{ kind: "text", spans: spansOf(joined(paragraph)) }, paragraph.length];
  return [listOf(paragraph, item[1] !== undefined), paragraph.length];
}

/** True if a line ends the paragraph or list before it. */
function startsBlock(line: string, inList: boolean): boolean {
  return HEADING.test(line) || FENCE.test(line) || line.startsWith("|") || (!inList && ITEM.test(line));
}

function listOf(lines: readonly string[], ordered: boolean): Block {
  const items: string[][][] = [];
  for (const line of lines) {
    const item = ITEM.exec(line);
    const text = item?.[2] ?? line;
    if (item === null) items.at(-1)?.at(-1)?.push(text);
    else if (line.startsWith(" ")) items.at(-1)?.push([text]);
    else items.push([[text]]);
  }
  const read = items.map(([own = [], ...inner]) => ({
    spans: spansOf(joined(own)),
    inner: inner.map((it) => spansOf(joined(it))),
  }));
  return { kind: "list", ordered, items: read };
}

function tableOf(lines: readonly string[]): Block {
  const rows = lines.filter((it) => !RULE.test(it)).map(cellsOf);
  return { kind: "table", head: rows[0] ?? [], rows: rows.slice(1) };
}

function cellsOf(line: string): Spans[] {
  return line
    .trim()
    .replace(/^\|/, "")
    .replace(/\|$/, "")
    .split("|")
    .map((it) => spansOf(it.trim()));
}

const STYLED = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\([^)]*\)/g;

/** A text with its styles. Links keep only their text, because they point into the repository. */
export function spansOf(text: string): Span[] {
  const spans: Span[] = [];
  let from = 0;
  const plain = (to: number) => {
    if (to > from) spans.push({ style: "plain", text: text.slice(from, to) });
  };
  for (const found of text.matchAll(STYLED)) {
    plain(found.index);
    const [whole, code, strong, emphasis, link] = found;
    from = found.index + whole.length;
    if (code !== undefined) spans.push({ style: "code", text: code });
    else if (strong !== undefined) spans.push({ style: "strong", text: strong });
    else if (emphasis !== undefined) spans.push({ style: "emphasis", text: emphasis });
    else spans.push({ style: "plain", text: link ?? "" });
  }
  plain(text.length);
  return spans;
}

const joined = (lines: readonly string[]) => lines.map((it) => it.trim()).join(" ");

function takeWhile(lines: readonly string[], from: number, holds: (line: string, idx: number) => boolean): string[] {
  const rest = lines.slice(from);
  const end = rest.findIndex((it, idx) => !holds(it, idx));
  return end < 0 ? rest : rest.slice(0, end);
}
