import { Injectable } from '@nestjs/common';
import { FairLimiter } from '../../common/waiting/fair-limiter.js';
import { DomainName, nameOrNull } from '../../dns/name.js';
import { ZoneSource, type PublishedZone } from '../transfers/zone-source.js';
import { AnswerComparison } from './answer-comparison.js';
import type { PoolMember } from './pool-member.js';
import type { WantedZone } from './publication.repository.js';
import { IN_ZONE } from '../../database/statements/contents-id.js';
import type { Transaction } from '../../database/transaction.js';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import { NS } from '../../dns/rdata/name-types.js';
import { RecordClass } from '../../dns/message/codes.js';
import type { Question } from '../../dns/message/message.js';
import { parseOwnerName } from '../../dns/owner-name.js';
import type { SetKey } from '../../records/record-set.entity.js';
import { RecordsOptions } from '../../records/records.options.js';
import { isRecentSql } from '../../zones/journal/journal-end.js';
import { readStep } from '../../zones/journal/journal-format.js';

const MOST_QUESTIONS = 4;
/** A sample is drawn from the newest steps of a zone. */
const DRAWN_FROM = 500;

const STEPS = new Statement<{ readonly number: number; readonly serial: number }>(
  `SELECT number, serial FROM journal WHERE ${isRecentSql(DRAWN_FROM)} AND record_id IS NOT NULL ORDER BY number DESC`,
);
const STEP = new Statement<{ readonly before: string | null; readonly after: string | null }>(
  'SELECT before, after FROM journal WHERE zone_id = ? AND number = ?',
);

const PAGE_SIZE = 500;
const SETS = new Statement<SetKey & { readonly name: string }>(
  `SELECT name, type, owner_key AS "ownerKey" FROM record_sets WHERE ${IN_ZONE} AND (owner_key, type) > (?, ?)` +
    ` AND record_count > 0 ORDER BY owner_key, type LIMIT ${PAGE_SIZE}`,
);

/** RRSIG, NSEC, DNSKEY, NSEC3 and similar types: a signing server has other records than the journal. */
const OF_DNSSEC = new Set([24, 25, 30, 46, 47, 48, 50, 51, 59, 60, 62]);

/** A question with its text in log messages and stored findings. */
export interface SampledQuestion extends Question {
  readonly text: string;
}

@Injectable()
export class SampledQuestions {
  constructor(
    private readonly reads: Reads,
    private readonly options: RecordsOptions,
  ) {}

  /** Draws from the last change and one earlier change: a server may have transferred several together. */
  draw(zoneId: string): Promise<SampledQuestion[]> {
    return this.reads.fromAny(() => this.reads.run((tx) => this.drawIn(tx, zoneId)));
  }

  private async drawIn(tx: Transaction, zoneId: string): Promise<SampledQuestion[]> {
    const steps = await STEPS.rows(tx, [zoneId, zoneId, zoneId]);
    const last = steps[0]?.serial;
    const latest = shuffled(steps.filter(({ serial }) => serial === last)).slice(0, MOST_QUESTIONS - 1);
    const earlier = shuffled(steps.filter(({ serial }) => serial !== last)).slice(0, 1);
    const found = new Map<string, SampledQuestion>();
    for (const { number } of [...latest, ...earlier]) {
      const row = await STEP.first(tx, [zoneId, number]);
      if (row === undefined) continue;
      const { before, after } = readStep(row);
      const kept = after ?? before;
      const question = kept !== null && 'type' in kept ? this.questionOf(kept.name, kept.type) : null;
      if (question !== null) found.set(question.text, question);
    }
    return [...found.values()];
  }

  /** Yields every record set of a zone in owner order. The apex NS set may not be stored, so it comes first. */
  async *all(zone: WantedZone): AsyncGenerator<SampledQuestion> {
    const apexNs = this.questionOf(zone.name, NS.name);
    if (apexNs !== null) yield apexNs;
    for (let [owner, type] = ['', '']; ;) {
      const after = [zone.id, owner, type];
      const sets = await this.reads.fromAny(() => this.reads.run((tx) => SETS.rows(tx, after)));
      for (const set of sets) {
        const question = this.questionOf(set.name, set.type);
        if (question !== null && question.text !== apexNs?.text) yield question;
      }
      const last = sets.at(-1);
      if (last === undefined || sets.length < PAGE_SIZE) return;
      [owner, type] = [last.ownerKey, last.type];
    }
  }

  /** Parses the question at the start of a stored finding; `null` if it is malformed. */
  read(finding: string): SampledQuestion | null {
    const [name = '', type = ''] = finding.split(/[ :]/);
    return this.questionOf(name, type);
  }

  private questionOf(name: string, type: string): SampledQuestion | null {
    const known = this.options.knownTypes.byName(type);
    const owner = nameOrNull(() => parseOwnerName(name));
    if (known === undefined || known.isUnserved === true || owner === null || OF_DNSSEC.has(known.code)) return null;
    return { name: owner, type: known.code, class: RecordClass.IN, text: `${owner.toString()} ${type}` };
  }
}

function shuffled<T>(items: T[]): T[] {
  for (let at = items.length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1));
    [items[at], items[other]] = [items[other] as T, items[at] as T];
  }
  return items;
}

const AT_A_TIME = 8;
/** Limit of waiting zones. Further zones are skipped: a sample need not cover every change. */
const MOST_WAITING = 10_000;
/** For each answer, in milliseconds. */
const TIME_LIMIT = 2000;
const ATTEMPTS = 3;
/** In characters. */
const LONGEST = 255;

/** The finding begins with its question. */
export interface SampleOutcome {
  readonly finding: string | null;
}

/** A correct serial does not prove correct answers, so it queries some recently changed records (behaviour 12.7). */
@Injectable()
export class AnswerSamples {
  private readonly limiter = new FairLimiter({ inAll: AT_A_TIME });
  private readonly waiting = new Set<string>();

  constructor(
    private readonly zones: ZoneSource,
    private readonly questions: SampledQuestions,
    private readonly comparison: AnswerComparison,
  ) {}

  /** Checks the `earlier` finding again. Returns `null` if the sample has no result. */
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

  /** Reports a difference only if zone and server had the same serial before and after. */
  private async sample(member: PoolMember, wanted: WantedZone, earlier: string | null): Promise<SampleOutcome | null> {
    // The zone may have changed since the server had the serial, and the server may transfer it right after the answer.
    let serialBefore = wanted.serial;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const zone = await this.present(wanted);
      if (zone === null) return null;
      const outcome = await this.outcomeAt(member, zone, earlier);
      if (typeof outcome?.finding !== 'string') return outcome;
      const after = await this.present(wanted);
      const answer = await member.serialOf(zone.name, TIME_LIMIT);
      const serials = [serialBefore, answer.kind === 'serial' ? answer.serial : null, after?.serial];
      if (serials.every((serial) => serial === zone.serial)) return outcome;
      if (answer.kind === 'serial') serialBefore = answer.serial;
    }
    return null;
  }

  /** Skips a zone with unsigned changes: it is sampled again after the signed version has arrived. */
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
      const compared = await this.comparison.compare(zone, question, () => member.answerTo(question, TIME_LIMIT));
      if (compared.kind === 'unknown') return null;
      if (compared.kind === 'other') return { finding: `${question.text}: ${compared.how}`.slice(0, LONGEST) };
    }
    return { finding: null };
  }
}
