import type { SpooledOctets } from '../../database/render-cache/spool.js';
import type { AnswerSection } from '../../dns/message/transfer-writer.js';

/** So much is read of a file at a time, in octets. */
const READ_AT_ONCE = 2 ** 18;

type SectionSpan = Pick<AnswerSection, 'count' | 'offset'> & { readonly from: number; readonly to: number };

/** Where the answer sections stand in octets that are kept. */
export class SectionList {
  private readonly spans: SectionSpan[] = [];
  private length = 0;

  /** Notes the next section, and returns what has to be kept of it. */
  add({ count, offset, octets }: AnswerSection): Buffer {
    const from = this.length;
    this.length += octets.length;
    this.spans.push({ count, offset, from, to: this.length });
    return octets;
  }

  /** The sections, read in portions. */
  async *read(kept: Pick<SpooledOctets, 'read'>): AsyncGenerator<AnswerSection> {
    for (const chunk of chunksOf(this.spans)) {
      const from = chunk[0]?.from ?? 0;
      const octets = await kept.read(from, chunk.at(-1)?.to ?? from);
      for (const span of chunk) {
        const { count, offset } = span;
        yield { count, offset, octets: octets.subarray(span.from - from, span.to - from) };
      }
    }
  }
}

function* chunksOf(spans: readonly SectionSpan[]): Generator<readonly SectionSpan[]> {
  let start = 0;
  for (const [at, { to }] of spans.entries()) {
    const isLast = at === spans.length - 1;
    if (!isLast && to - (spans[start]?.from ?? 0) < READ_AT_ONCE) continue;
    yield spans.slice(start, at + 1);
    start = at + 1;
  }
}
