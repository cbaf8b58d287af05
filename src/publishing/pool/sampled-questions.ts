import { Injectable } from '@nestjs/common';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import { NS } from '../../dns/rdata/ns.js';
import { RecordClass } from '../../dns/message/codes.js';
import type { Question } from '../../dns/message/question.js';
import { nameOrNull } from '../../dns/name.js';
import { parseOwnerName } from '../../dns/owner-name.js';
import type { SetKey } from '../../records/record-set.entity.js';
import { RecordsOptions } from '../../records/records.options.js';
import type { WantedZone } from './publication.repository.js';
import { readStep } from '../../zones/journal/journal-format.js';

/** Questions about one change, for each server. */
const MOST_QUESTIONS = 4;
/** The newest steps of a zone that a sample is drawn from. */
const DRAWN_FROM = 500;

const STEPS = new Statement<{ readonly number: number; readonly serial: number }>(
  'SELECT number, serial FROM journal WHERE zone_id = ? AND number > (SELECT version FROM zones WHERE id = ?) - ' +
    `${DRAWN_FROM} AND record_id IS NOT NULL ORDER BY number DESC`,
);
const STEP = new Statement<{ readonly before: string | null; readonly after: string | null }>(
  'SELECT before, after FROM journal WHERE zone_id = ? AND number = ?',
);

/** Record sets that are read at a time. */
const PAGE_SIZE = 500;
const SETS = new Statement<SetKey & { readonly name: string }>(
  'SELECT name, type, owner_key AS "ownerKey" FROM record_sets WHERE zone_id = ? AND (owner_key, type) > (?, ?)' +
    ` AND record_count > 0 ORDER BY owner_key, type LIMIT ${PAGE_SIZE}`,
);

/** RRSIG, NSEC, DNSKEY, NSEC3 and their like: servers that sign, or serve a signed copy, have others than the journal. */
const OF_DNSSEC = new Set([24, 25, 30, 46, 47, 48, 50, 51, 59, 60, 62]);

/** A question, as messages and stored findings name it. */
export interface SampledQuestion extends Question {
  /** `www.example.org. A` */
  readonly text: string;
}

/** Makes questions about record sets of a zone: those that its last changes have touched, or all. */
@Injectable()
export class SampledQuestions {
  constructor(
    private readonly reads: Reads,
    private readonly options: RecordsOptions,
  ) {}

  /** About the last change, and one of those before it: a server may have taken several in one transfer. */
  draw(zoneId: string): Promise<SampledQuestion[]> {
    return this.reads.fromAny(() =>
      this.reads.run(async (tx) => {
        const steps = await STEPS.rows(tx, [zoneId, zoneId]);
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
      }),
    );
  }

  /** About every record set of a zone, in the order of their owners. The NS of its apex may not be stored. */
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

  /** The question that a stored finding begins with; `null` where it cannot be read. */
  read(finding: string): SampledQuestion | null {
    const [name = '', type = ''] = finding.split(/[ :]/);
    return this.questionOf(name, type);
  }

  private questionOf(name: string, type: string): SampledQuestion | null {
    const known = this.options.knownTypes.byName(type);
    const owner = nameOrNull(() => parseOwnerName(name));
    if (known === undefined || owner === null || OF_DNSSEC.has(known.code)) return null;
    return { name: owner, type: known.code, class: RecordClass.IN, text: `${owner.toString()} ${type}` };
  }
}

/** Fisher and Yates. */
function shuffled<T>(items: T[]): T[] {
  for (let at = items.length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1));
    [items[at], items[other]] = [items[other] as T, items[at] as T];
  }
  return items;
}
