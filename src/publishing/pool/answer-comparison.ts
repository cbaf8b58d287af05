import { Injectable } from '@nestjs/common';
import type { Message } from '../../dns/message/message.js';
import type { Question } from '../../dns/message/question.js';
import { RecordsOptions } from '../../records/records.options.js';
import { type PublishedZone, type ZoneAnswer, ZoneSource } from '../transfers/zone-source.js';
import { differenceOf, isAnswer, isComparable, isOfChild } from './answer-difference.js';

/** `unknown`: no answer that says anything of the record set; `left out`: servers may answer otherwise than the zone. */
export type Comparison =
  { readonly kind: 'unknown' | 'left out' | 'same' } | { readonly kind: 'other'; readonly how: string };

/** Compares answers of name servers with those of zones. */
@Injectable()
export class AnswerComparison {
  constructor(
    private readonly zones: ZoneSource,
    private readonly options: RecordsOptions,
  ) {}

  /**
   * The answer of the zone; `null` where servers may answer otherwise.
   * @throws ServiceError `zone_not_found`, `unavailable`
   */
  async wanted(zone: PublishedZone, question: Question): Promise<ZoneAnswer | null> {
    // Names of a child zone that is served as well are answered from that one.
    const closest = await this.zones.find(question.name);
    if (closest?.id !== zone.id) return null;
    const wanted = await this.zones.query(zone, question);
    return wanted !== null && isComparable(wanted, question) ? wanted : null;
  }

  /** @param message `null` where none has come */
  compare(question: Question, wanted: ZoneAnswer, message: Message | null): Comparison {
    if (message === null || !isAnswer(message)) return { kind: 'unknown' };
    if (isOfChild(message, wanted)) return { kind: 'left out' };
    const how = differenceOf(question, wanted, message, this.options.knownTypes);
    return how === null ? { kind: 'same' } : { kind: 'other', how };
  }
}
