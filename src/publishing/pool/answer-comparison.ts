import { Injectable } from '@nestjs/common';
import type { Message, Question, ResourceRecord } from '../../dns/message/message.js';
import { RecordsOptions } from '../../records/records.options.js';
import { type PublishedZone, type ZoneAnswer, ZoneSource } from '../transfers/zone-source.js';
import { Rcode, rcodeName } from '../../dns/message/codes.js';
import type { RecordTypes } from '../../dns/rdata/index.js';
import { DNAME, NS } from '../../dns/rdata/name-types.js';

/** `unknown`: no usable answer; `left out`: servers may legitimately answer differently. */
export type Comparison =
  { readonly kind: 'unknown' | 'left out' | 'same' } | { readonly kind: 'other'; readonly how: string };

@Injectable()
export class AnswerComparison {
  constructor(
    private readonly zones: ZoneSource,
    private readonly options: RecordsOptions,
  ) {}

  async compare(zone: PublishedZone, question: Question, ask: () => Promise<Message | null>): Promise<Comparison> {
    // A served child zone answers for its own names.
    const closest = await this.zones.find(question.name);
    const wanted = closest?.id === zone.id ? await this.zones.query(zone, question) : null;
    if (wanted === null || !isComparable(wanted, question)) return { kind: 'left out' };
    const message = await ask();
    if (message === null || !isAnswer(message)) return { kind: 'unknown' };
    if (isOfChild(message, wanted)) return { kind: 'left out' };
    const how = differenceOf(question, wanted, message, this.options.knownTypes);
    return how === null ? { kind: 'same' } : { kind: 'other', how };
  }
}

/** Servers answer differently below a DNAME, depending on their options. */
function isComparable({ answers }: ZoneAnswer, { name }: Question): boolean {
  return !answers.some(({ type, owner }) => type === DNAME.code && owner.key !== name.key);
}

/** Refusals depend on access rules and rate limits, so they are no answer about the name. */
function isAnswer({ header: { rcode, isTruncated } }: Message): boolean {
  return !isTruncated && (rcode === Rcode.NOERROR || rcode === Rcode.NXDOMAIN || rcode === Rcode.SERVFAIL);
}

/** Whether the server answers from the child zone instead of the delegation. */
function isOfChild({ header }: Message, wanted: ZoneAnswer): boolean {
  return !wanted.isAuthoritative && header.isAuthoritative;
}

/** Compares only owner and RDATA, and skips records of other names because servers follow aliases. */
function differenceOf(question: Question, wanted: ZoneAnswer, message: Message, types: RecordTypes): string | null {
  const { rcode, isAuthoritative } = message.header;
  // A CNAME to a missing name (RFC 6604 §3).
  const isAlias = wanted.answers.length > 0 && rcode === Rcode.NXDOMAIN && message.answers.length > 0;
  if (rcode !== wanted.rcode && !isAlias) return `${rcodeName(rcode)} instead of ${rcodeName(wanted.rcode)}`;
  if (!wanted.isAuthoritative) {
    const cut = wanted.authorities.find(({ type }) => type === NS.code)?.owner.key;
    const referral = message.authorities.filter(({ type, owner }) => type === NS.code && owner.key === cut);
    return hasSameData(referral, wanted.authorities, types) ? null : 'a different delegation';
  }
  if (!isAuthoritative) return 'a referral instead of an authoritative answer';
  const type = wanted.answers[0]?.type ?? question.type;
  const answers = message.answers.filter((record) => record.type === type && record.owner.key === question.name.key);
  if (hasSameData(answers, wanted.answers, types)) return null;
  if (answers.length === 0) return `no data instead of ${countOf(wanted.answers)}`;
  return wanted.answers.length === 0
    ? `${countOf(answers)} that the zone does not have`
    : `${countOf(answers)} instead of ${countOf(wanted.answers)}, or others`;
}

type Data = Pick<ResourceRecord, 'type' | 'rdata'>;

export function hasSameData(some: readonly Data[], others: readonly Data[], types: RecordTypes): boolean {
  const texts = (records: readonly Data[]) => new Set(records.map((record) => textOf(record, types)));
  const [one, other] = [texts(some), texts(others)];
  return one.size === other.size && [...one].every((text) => other.has(text));
}

/** Compression makes servers return a name in the case of its first occurrence. */
function textOf({ type, rdata }: Data, types: RecordTypes): string {
  return `${type} ${Buffer.from(canonical(type, rdata, types)).toString('hex')}`;
}

function canonical(type: number, rdata: Uint8Array, types: RecordTypes): Uint8Array {
  try {
    return types.byCode(type)?.canonicalize(rdata) ?? rdata;
  } catch {
    // Malformed octets, which the zone may contain too (RFC 3597 §5).
    return rdata;
  }
}

function countOf({ length }: readonly ResourceRecord[]): string {
  return length === 1 ? '1 record' : `${length} records`;
}
