import type { Message } from '../../dns/message/message.js';
import type { Question } from '../../dns/message/question.js';
import { Rcode, rcodeName } from '../../dns/message/rcode.js';
import type { ResourceRecord } from '../../dns/message/resource-record.js';
import { DNAME } from '../../dns/rdata/dname.js';
import type { RecordTypes } from '../../dns/rdata/index.js';
import { NS } from '../../dns/rdata/ns.js';
import type { ZoneAnswer } from '../transfers/zone-source.js';

/** Whether servers agree about the answer: below a DNAME it depends on their options. */
export function isComparable({ answers }: ZoneAnswer, { name }: Question): boolean {
  return !answers.some(({ type, owner }) => type === DNAME.code && owner.key !== name.key);
}

/** Whether it is an answer about the name: refusals are a matter of access and rate limits. */
export function isAnswer({ header: { rcode, isTruncated } }: Message): boolean {
  return !isTruncated && (rcode === Rcode.NOERROR || rcode === Rcode.NXDOMAIN || rcode === Rcode.SERVFAIL);
}

/** Whether the server has the zone that this one refers to, and answers from that. */
export function isOfChild({ header }: Message, wanted: ZoneAnswer): boolean {
  return !wanted.isAuthoritative && header.isAuthoritative;
}

/**
 * How the answer of a server differs from that of the zone; `null` where it does not. Of records only owner and RDATA count,
 * with names in any case; servers follow aliases, so what belongs to other names is left out.
 */
export function differenceOf(
  question: Question,
  wanted: ZoneAnswer,
  message: Message,
  types: RecordTypes,
): string | null {
  const { rcode, isAuthoritative } = message.header;
  // Of an alias to a name that is not there (RFC 6604 §3).
  const isAlias = wanted.answers.length > 0 && rcode === Rcode.NXDOMAIN && message.answers.length > 0;
  if (rcode !== wanted.rcode && !isAlias) return `${rcodeName(rcode)} instead of ${rcodeName(wanted.rcode)}`;
  if (!wanted.isAuthoritative) {
    const cut = wanted.authorities.find(({ type }) => type === NS.code)?.owner.key;
    const referral = message.authorities.filter(({ type, owner }) => type === NS.code && owner.key === cut);
    return isSame(referral, wanted.authorities, types) ? null : 'another delegation';
  }
  if (!isAuthoritative) return 'a referral instead of an authoritative answer';
  const type = wanted.answers[0]?.type ?? question.type;
  const answers = message.answers.filter((record) => record.type === type && record.owner.key === question.name.key);
  if (isSame(answers, wanted.answers, types)) return null;
  if (answers.length === 0) return `no data instead of ${countOf(wanted.answers)}`;
  return wanted.answers.length === 0
    ? `${countOf(answers)} that the zone does not have`
    : `${countOf(answers)} instead of ${countOf(wanted.answers)}, or others`;
}

function isSame(some: readonly ResourceRecord[], others: readonly ResourceRecord[], types: RecordTypes): boolean {
  const texts = (records: readonly ResourceRecord[]) => new Set(records.map((record) => textOf(record, types)));
  const [one, other] = [texts(some), texts(others)];
  return one.size === other.size && [...one].every((text) => other.has(text));
}

/** Servers hand names out as they are spelled first in a message, or in a zone. */
function textOf({ type, rdata }: ResourceRecord, types: RecordTypes): string {
  return `${type} ${Buffer.from(canonical(type, rdata, types)).toString('hex')}`;
}

function canonical(type: number, rdata: Uint8Array, types: RecordTypes): Uint8Array {
  try {
    return types.byCode(type)?.canonicalize(rdata) ?? rdata;
  } catch {
    // It has octets that are not of its type, which the zone may have as well (RFC 3597 §5).
    return rdata;
  }
}

function countOf({ length }: readonly ResourceRecord[]): string {
  return length === 1 ? '1 record' : `${length} records`;
}
