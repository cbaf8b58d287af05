import type { SpooledOctets } from '../../database/render-cache/spool.js';
import { DomainName } from '../../dns/name.js';
import type { LinesOfOwners } from './changed-lines.js';

/** So much of a text is copied at a time, in octets. */
const PIECE = 2 ** 18;
/** So much is read at first where a line is looked for; most lines are shorter. */
const SHORT_LINE = 256;
/** The longest name, with every octet as `\DDD`. */
const LONGEST_NAME = 1020;

const LINE_FEED = 0x0a;

/** What a text says is read from here. */
type Octets = Pick<SpooledOctets, 'length' | 'read'>;

/**
 * The text of a zone with other lines for some of its owner names, piece by piece. Owner names are in canonical order, so
 * that each is found in a few steps.
 * @param start where the lines of the first owner name begin in the former text; what is before is left out
 */
export async function* withLines(
  former: Octets,
  start: number,
  lines: LinesOfOwners,
): AsyncGenerator<Uint8Array | string> {
  // The apex has changed with its SOA, and is the first in canonical order.
  const [apexKey = ''] = lines.keys();
  const search = new OwnerSearch(former, apexKey);
  let copied = start;
  for (const [key, text] of lines) {
    const from = await search.find(copied, (other) => other >= key);
    const to = await search.find(from, (other) => other > key);
    yield* between(former, copied, from);
    yield text;
    copied = to;
  }
  yield* between(former, copied, former.length);
}

async function* between(former: Octets, from: number, to: number): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; at += PIECE) yield await former.read(at, Math.min(at + PIECE, to));
}

/** Finds lines by the keys of their owner names. */
class OwnerSearch {
  constructor(
    private readonly text: Octets,
    private readonly apexKey: string,
  ) {}

  /**
   * Where the first line begins of which that holds; it holds of all lines behind it.
   * @param from where a line begins
   */
  async find(from: number, holds: (ownerKey: string) => boolean): Promise<number> {
    let start = from;
    let end = this.text.length;
    while (start < end) {
      const middle = Math.floor((start + end) / 2);
      const line = await this.lineStart(start, middle);
      if (holds(await this.ownerKeyAt(line))) end = line;
      else start = await this.lineEnd(middle);
    }
    return start;
  }

  /** Where the line begins that goes on at that place, not before `from`. */
  private async lineStart(from: number, place: number): Promise<number> {
    for (let length = SHORT_LINE, end = place; end > from; length *= 2) {
      const begin = Math.max(from, end - length);
      const at = (await this.text.read(begin, end)).lastIndexOf(LINE_FEED);
      if (at >= 0) return begin + at + 1;
      end = begin;
    }
    return from;
  }

  /** Where the line behind that one begins. */
  private async lineEnd(place: number): Promise<number> {
    const { length } = this.text;
    for (let size = SHORT_LINE, begin = place; begin < length; size *= 2) {
      const end = Math.min(length, begin + size);
      const at = (await this.text.read(begin, end)).indexOf(LINE_FEED);
      if (at >= 0) return begin + at + 1;
      begin = end;
    }
    return length;
  }

  private async ownerKeyAt(line: number): Promise<string> {
    const head = (await this.text.read(line, Math.min(this.text.length, line + LONGEST_NAME + 1))).toString('latin1');
    // A directive stands among the lines of the apex only; a name that begins with `$` is written with an escape.
    if (head.startsWith('$')) return this.apexKey;
    // A blank or a tab within a name is written as an escape.
    return DomainName.parse(head.slice(0, head.search(/[\t ]/))).key;
  }
}
