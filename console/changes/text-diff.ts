/** A piece of a text, and whether the other text lacks it. */
export interface Chunk {
  readonly text: string;
  readonly isChanged: boolean;
}

export interface TextDiff {
  readonly before: readonly Chunk[];
  readonly after: readonly Chunk[];
}

/** Words, runs of blanks and single punctuation marks: labels of a name, octets of an address. */
const TOKEN = /[\p{L}\p{N}_]+|\s+|[^]/gu;
/** Larger tables of common words are not computed: the texts differ as a whole then. */
const LARGEST_TABLE = 20_000;

/** The characters in which two texts differ. */
export function diffOf(before: string, after: string): TextDiff {
  const old = before.match(TOKEN) ?? [];
  const next = after.match(TOKEN) ?? [];
  const start = commonStart(old, next);
  const end = commonStart(old.slice(start).reverse(), next.slice(start).reverse());
  const [oldMiddle, nextMiddle] = [old.slice(start, old.length - end), next.slice(start, next.length - end)];
  const isSmall = oldMiddle.length * nextMiddle.length <= LARGEST_TABLE;
  const pairs = isSmall ? pairsOf(oldMiddle, nextMiddle) : [];
  const edits: Edits = { before: [], after: [] };
  const head = { text: old.slice(0, start).join(''), isChanged: false };
  const tail = { text: old.slice(old.length - end).join(''), isChanged: false };
  let [from, to] = [0, 0];
  for (const [index, other] of [...pairs, [oldMiddle.length, nextMiddle.length] as const]) {
    edit(edits, oldMiddle.slice(from, index).join(''), nextMiddle.slice(to, other).join(''));
    const text = oldMiddle[index];
    if (text !== undefined) keep(edits, text);
    [from, to] = [index + 1, other + 1];
  }
  return { before: joined([head, ...edits.before, tail]), after: joined([head, ...edits.after, tail]) };
}

interface Edits {
  readonly before: Chunk[];
  readonly after: Chunk[];
}

function keep({ before, after }: Edits, text: string): void {
  before.push({ text, isChanged: false });
  after.push({ text, isChanged: false });
}

/** Replaced words share their common beginning and end. */
function edit(edits: Edits, before: string, after: string): void {
  const [old, next] = [[...before], [...after]];
  const start = commonStart(old, next);
  const end = commonStart(old.slice(start).reverse(), next.slice(start).reverse());
  keep(edits, old.slice(0, start).join(''));
  edits.before.push({ text: old.slice(start, old.length - end).join(''), isChanged: true });
  edits.after.push({ text: next.slice(start, next.length - end).join(''), isChanged: true });
  keep(edits, old.slice(old.length - end).join(''));
}

function commonStart(one: readonly string[], other: readonly string[]): number {
  let length = 0;
  while (length < one.length && length < other.length && one[length] === other[length]) length += 1;
  return length;
}

/** The positions of a longest common subsequence, in order. */
function pairsOf(one: readonly string[], other: readonly string[]): (readonly [number, number])[] {
  const lengths = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1));
  const at = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  for (const [row, line] of [...lengths.entries()].reverse().slice(1))
    for (let column = other.length - 1; column >= 0; column -= 1) {
      const isSame = one[row] === other[column];
      line[column] = isSame ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  const pairs: (readonly [number, number])[] = [];
  for (let row = 0, column = 0; row < one.length && column < other.length;)
    if (one[row] === other[column]) pairs.push([row++, column++]);
    else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  return pairs;
}

/** Without empty chunks, and without neighbors of one kind. */
function joined(chunks: readonly Chunk[]): readonly Chunk[] {
  const all: Chunk[] = [];
  for (const chunk of chunks) {
    const last = all.at(-1);
    if (chunk.text === '') continue;
    if (last?.isChanged === chunk.isChanged) all[all.length - 1] = { ...chunk, text: last.text + chunk.text };
    else all.push(chunk);
  }
  return all;
}
