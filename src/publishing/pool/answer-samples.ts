import { Injectable } from '@nestjs/common';
import { FairLimiter } from '../../common/waiting/fair-limiter.js';
import { DomainName } from '../../dns/name.js';
import { ZoneSource, type PublishedZone } from '../transfers/zone-source.js';
import { AnswerComparison, type Comparison } from './answer-comparison.js';
import type { PoolMember } from './pool-member.js';
import type { WantedZone } from './publication.repository.js';
import { type SampledQuestion, SampledQuestions } from './sampled-questions.js';

/** Zones that are sampled at a time, of all tenants in turn. */
const AT_A_TIME = 8;
/** Zones that wait. Those beyond are left out: a sample is no proof of every change. */
const MOST_WAITING = 10_000;
/** For each answer, in milliseconds. */
const TIME_LIMIT = 2000;
/** A zone or a server whose serial moves is asked again so many times. */
const ATTEMPTS = 3;
/** Characters of a finding. */
const LONGEST = 255;

/** What a sample has shown: a finding that begins with its question, or `null` where all answers are those of the zone. */
export interface SampleOutcome {
  readonly finding: string | null;
}

/**
 * Asks servers that have the serial of a zone for some of the records that its last changes have touched. A right serial does not
 * prove that a server answers for the records under it (behaviour 12.7).
 */
@Injectable()
export class AnswerSamples {
  private readonly limiter = new FairLimiter({ inAll: AT_A_TIME });
  /** By server and zone. */
  private readonly waiting = new Set<string>();

  constructor(
    private readonly zones: ZoneSource,
    private readonly questions: SampledQuestions,
    private readonly comparison: AnswerComparison,
  ) {}

  /**
   * @param earlier what the earlier sample has found: that question is asked again
   * @returns `null` where nothing is known
   * @throws ServiceError `unavailable`
   */
  async take(member: PoolMember, wanted: WantedZone, earlier: string | null): Promise<SampleOutcome | null> {
    const key = `${member.label} ${wanted.id}`;
    if (this.waiting.size >= MOST_WAITING || this.waiting.has(key)) return null;
    this.waiting.add(key);
    try {
      const zone = await this.present(wanted);
      if (zone === null) return null;
      return await this.limiter.run(() => {
        this.waiting.delete(key);
        return this.sample(member, wanted, earlier);
      }, zone.tenantId);
    } finally {
      this.waiting.delete(key);
    }
  }

  /** What differs is said only where zone and server had one serial before and after. */
  private async sample(member: PoolMember, wanted: WantedZone, earlier: string | null): Promise<SampleOutcome | null> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const zone = await this.present(wanted);
      if (zone === null) return null;
      const outcome = await this.outcomeAt(member, zone, earlier);
      if (typeof outcome?.finding !== 'string') return outcome;
      const after = await this.present(wanted);
      const answer = await member.serialOf(zone.name, TIME_LIMIT);
      const hasSerial = answer.kind === 'serial' && answer.serial === zone.serial;
      if (hasSerial && after?.serial === zone.serial) return outcome;
    }
    return null;
  }

  /** The zone, unless it has contents that have yet to be signed: what is signed is sampled when it has arrived. */
  private async present({ id, name }: WantedZone): Promise<PublishedZone | null> {
    const zone = await this.zones.find(DomainName.parse(name));
    return zone?.id === id && zone.awaitsSigning !== true ? zone : null;
  }

  private async outcomeAt(
    member: PoolMember,
    zone: PublishedZone,
    earlier: string | null,
  ): Promise<SampleOutcome | null> {
    const again = earlier === null ? null : this.questions.read(earlier);
    const asked = [...(again === null ? [] : [again]), ...(await this.questions.draw(zone.id))];
    for (const question of asked) {
      const compared = await this.compare(member, zone, question);
      if (compared.kind === 'unknown') return null;
      if (compared.kind === 'other') return { finding: `${question.text}: ${compared.how}`.slice(0, LONGEST) };
    }
    return { finding: null };
  }

  private async compare(member: PoolMember, zone: PublishedZone, question: SampledQuestion): Promise<Comparison> {
    const wanted = await this.comparison.wanted(zone, question);
    if (wanted === null) return { kind: 'left out' };
    return this.comparison.compare(question, wanted, await member.answerTo(question, TIME_LIMIT));
  }
}
