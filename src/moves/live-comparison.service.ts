import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { isText } from '../common/json.js';
import { ServiceError } from '../common/service-error.js';
import type { RecordSet } from '../dns/master-file/master-file-writer.js';
import { RecordClass } from '../dns/message/codes.js';
import type { Message, ResourceRecord } from '../dns/message/message.js';
import { DomainName } from '../dns/name.js';
import { CNAME, DNAME, NS } from '../dns/rdata/name-types.js';
import { hasSameData } from '../publishing/pool/answer-comparison.js';
import type { SetKey } from '../records/record-set.entity.js';
import { RecordsOptions } from '../records/records.options.js';
import { ZoneRepository } from '../zones/zone.repository.js';
import { type AskedServer, AskedServers } from './asked-servers.js';
import { type ComparedSet, ComparedSets } from './compared-sets.js';
import { OutboundReads } from './outbound-reads.js';
import { ServerQuestions } from './server-questions.js';
import { shown } from './zone-file-text.js';

/** In milliseconds. */
const TIME_LIMIT = 10_000;
const AT_A_TIME = 8;
/** Characters of the data in the differences of one request. */
const MOST_TEXT = 2 ** 20;

/** A record set as text. */
export interface ShownSet {
  readonly type: string;
  readonly ttl: number;
  readonly data: readonly string[];
}

export interface LiveDifference {
  readonly name: string;
  readonly type: string;
  readonly kind: 'missing' | 'data' | 'ttl';
  readonly ours: ShownSet;
  readonly theirs: ShownSet | null;
  readonly servers: readonly string[];
}

export interface LiveComparison {
  readonly servers: readonly AskedServer[];
  readonly compared: number;
  readonly leftOut: number;
  readonly differences: readonly LiveDifference[];
  readonly unanswered: readonly Pick<ShownSet & { name: string }, 'name' | 'type'>[];
  /** `null` behind the last record set. */
  readonly marker: string | null;
}

type Outcome = 'left out' | 'unanswered' | readonly LiveDifference[];
type Answer = 'left out' | 'same' | Pick<LiveDifference, 'kind' | 'theirs'>;

/** Compares a zone with the answers of other name servers (behaviour 15.11). */
@Injectable()
export class LiveComparisonService {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly sets: ComparedSets,
    private readonly servers: AskedServers,
    private readonly outbound: OutboundReads,
    private readonly records: RecordsOptions,
  ) {}

  /** @throws ServiceError `zone_not_found`, `invalid_object`, `unavailable` */
  async compare(
    zoneId: string,
    caller: Caller,
    asked: { readonly nameServers: readonly string[] | null; readonly marker: string; readonly limit: number },
    gone: AbortSignal,
  ): Promise<LiveComparison> {
    const zone = await this.zones.find(zoneId, caller);
    const after = readMarker(asked.marker);
    const apex = DomainName.parse(zone.name);
    return this.outbound.run(caller.tenantId, TIME_LIMIT, gone, async (stop) => {
      const servers = await this.servers.find(apex, asked.nameServers, stop);
      const questions = await ServerQuestions.begin(servers, apex, stop);
      try {
        const none = { servers, compared: 0, leftOut: 0, differences: [], unanswered: [], marker: null };
        if (questions.length === 0) return none;
        const page = await this.sets.page(zone, after, asked.limit);
        const outcomes = await this.outcomesOf(page.sets, questions, stop);
        return { servers, ...summaryOf(page.sets, outcomes, page.isLast) };
      } finally {
        for (const one of questions) one.end();
      }
    });
  }

  /** Ends with the time, or with the room for differences, but not before the first record set. */
  private async outcomesOf(
    sets: readonly ComparedSet[],
    questions: readonly ServerQuestions[],
    stop: AbortSignal,
  ): Promise<Outcome[]> {
    const outcomes = new Array<Outcome>(sets.length);
    const waiting = sets.map(({ set }, at) => ({ set, at }));
    let text = 0;
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const outcome = next.set === null ? 'left out' : await this.outcomeOf(next.set, questions);
        if (stop.aborted && next.at > 0) return;
        outcomes[next.at] = outcome;
        text += lengthOf(outcome);
        if (text > MOST_TEXT) return;
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, work));
    const end = sets.findIndex((_, at) => outcomes[at] === undefined);
    return end === -1 ? outcomes : outcomes.slice(0, end);
  }

  private async outcomeOf(set: RecordSet, questions: readonly ServerQuestions[]): Promise<Outcome> {
    const answers = await Promise.all(
      questions.map(async (one) => {
        const message = await one.ask(set.owner, set.type.code);
        return { server: one.server.name, answer: message && this.answerOf(set, message) };
      }),
    );
    const usable = answers.flatMap(({ server, answer }) => (answer === null ? [] : [{ server, answer }]));
    if (usable.length === 0) return 'unanswered';
    if (usable.every(({ answer }) => answer === 'left out')) return 'left out';
    const differences = new Map<string, LiveDifference>();
    for (const { server, answer } of usable) {
      if (answer === 'left out' || answer === 'same') continue;
      const key = JSON.stringify(answer.theirs);
      const servers = new Set([...(differences.get(key)?.servers ?? []), server]);
      const { owner, type } = set;
      const ours = this.shownSet(setRecords(set));
      differences.set(key, { name: owner.toString(), type: type.name, ...answer, ours, servers: [...servers] });
    }
    return [...differences.values()];
  }

  private answerOf(set: RecordSet, message: Message): Answer {
    const { answers, authorities, header } = message;
    const at = (records: readonly ResourceRecord[], type: number): ResourceRecord[] =>
      records.filter((one) => one.class === RecordClass.IN && one.type === type && one.owner.equals(set.owner));
    const own = at(header.isAuthoritative ? answers : authorities, set.type.code);
    if (!header.isAuthoritative && (set.type !== NS || own.length === 0)) return 'left out';
    if (answers.some(({ type, owner }) => type === DNAME.code && !owner.equals(set.owner))) return 'left out';
    const theirs = own.length > 0 ? own : at(answers, CNAME.code);
    if (theirs.length === 0) return { kind: 'missing', theirs: null };
    const ours = setRecords(set);
    if (!hasSameData(ours, theirs, this.records.knownTypes)) return { kind: 'data', theirs: this.shownSet(theirs) };
    return leastTtl(theirs) === set.ttl ? 'same' : { kind: 'ttl', theirs: this.shownSet(theirs) };
  }

  private shownSet(records: readonly ResourceRecord[]): ShownSet {
    const texts = records.map(({ type, rdata }) => shown(type, rdata, this.records.knownTypes));
    return { type: texts[0]?.type.name ?? '', ttl: leastTtl(records), data: texts.map(({ text }) => text).sort() };
  }
}

function setRecords({ owner, type, ttl, rdatas }: RecordSet): ResourceRecord[] {
  return rdatas.map((rdata) => ({ owner, type: type.code, class: RecordClass.IN, ttl, rdata }));
}

function leastTtl(records: readonly ResourceRecord[]): number {
  return records.reduce((least, { ttl }) => Math.min(least, ttl), Infinity);
}

function lengthOf(outcome: Outcome): number {
  if (typeof outcome === 'string') return 0;
  const texts = outcome.flatMap(({ ours, theirs }) => [...ours.data, ...(theirs?.data ?? [])]);
  return texts.reduce((length, text) => length + text.length, 0);
}

function summaryOf(
  sets: readonly ComparedSet[],
  outcomes: readonly Outcome[],
  isLast: boolean,
): Omit<LiveComparison, 'servers'> {
  const last = sets[outcomes.length - 1];
  const unanswered = sets.flatMap(({ set }, at) =>
    set === null || outcomes[at] !== 'unanswered' ? [] : [{ name: set.owner.toString(), type: set.type.name }],
  );
  return {
    compared: outcomes.filter((outcome) => typeof outcome !== 'string').length,
    leftOut: outcomes.filter((outcome) => outcome === 'left out').length,
    differences: outcomes.flatMap((outcome) => (typeof outcome === 'string' ? [] : outcome)),
    unanswered,
    marker: last === undefined || (isLast && outcomes.length === sets.length) ? null : markerOf(last),
  };
}

function markerOf({ ownerKey, type }: SetKey): string {
  return Buffer.from(JSON.stringify([ownerKey, type])).toString('base64url');
}

/** @throws ServiceError `invalid_object` */
function readMarker(marker: string): SetKey {
  if (marker === '') return { ownerKey: '', type: '' };
  try {
    const [ownerKey, type, ...more] = JSON.parse(Buffer.from(marker, 'base64url').toString()) as unknown[];
    if (isText(ownerKey) && isText(type) && more.length === 0) return { ownerKey, type };
  } catch {
    // Not a marker of this service.
  }
  const message = 'marker: send that of links.next, unchanged.';
  throw ServiceError.ofField('invalid_object', 'marker', 'format', message);
}
