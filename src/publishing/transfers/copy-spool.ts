import { Injectable } from '@nestjs/common';
import { CachedContent, type HeldContent } from '../../database/render-cache/content-cache.js';
import { Spool, type SpooledOctets } from '../../database/render-cache/spool.js';
import type { AnswerSection } from '../../dns/message/transfer-writer.js';
import type { Stated } from '../../database/render-cache/render-cache.js';
import type { Copy } from './zone-source.js';

export type CopyPart = number | AnswerSection;

@Injectable()
export class CopySpool {
  constructor(private readonly spool: Spool) {}

  /** @param parts the serial and all sections in order */
  async keep(parts: AsyncIterable<CopyPart>, gone: AbortSignal): Promise<CachedTransfer> {
    const sections = new SectionList();
    let serial = 0;
    async function* octets(): AsyncGenerator<Buffer> {
      for await (const part of parts) {
        if (typeof part === 'number') serial = part;
        else yield sections.add(part);
      }
    }
    const kept = await this.spool.keepOctets(octets(), gone);
    return new CachedContent({ state: serial, sections }, kept);
  }
}

export async function* inTurn<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

/** Description of a copy; its state is the serial. */
export interface CopyContents extends Stated {
  readonly sections: SectionList;
}

export type CachedTransfer = CachedContent<CopyContents>;

export function copyOf({ about, octets, release }: HeldContent<CopyContents>): Copy {
  return { serial: about.state, octets: octets.length, sections: () => about.sections.read(octets), release };
}

const READ_AT_ONCE = 2 ** 18;

type SectionSpan = Pick<AnswerSection, 'count' | 'offset'> & { readonly from: number; readonly to: number };

class SectionList {
  private readonly spans: SectionSpan[] = [];
  private length = 0;

  add({ count, offset, octets }: AnswerSection): Buffer {
    const from = this.length;
    this.length += octets.length;
    this.spans.push({ count, offset, from, to: this.length });
    return octets;
  }

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
