import { Injectable } from '@nestjs/common';
import { CachedContent } from '../../database/render-cache/cached-content.js';
import { Spool } from '../../database/render-cache/spool.js';
import type { AnswerSection } from '../../dns/message/transfer-writer.js';
import type { CachedTransfer } from './cached-transfer.js';
import { SectionList } from './section-list.js';

/** The serial that a copy leads to, or a section of it. */
export type CopyPart = number | AnswerSection;

/** Keeps what is rendered, until it is sent. */
@Injectable()
export class CopySpool {
  constructor(private readonly spool: Spool) {}

  /**
   * @param parts the serial, and all sections in their order
   * @throws ServiceError `unavailable`, and whatever `parts` throws
   */
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
