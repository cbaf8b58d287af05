import { cnamesFrom, LONGEST_CHAIN } from '../../dns/cname-chain.js';
import { Rcode, rcodeName } from '../../dns/message/codes.js';
import type { Message, ResourceRecord } from '../../dns/message/message.js';
import type { DomainName } from '../../dns/name.js';
import type { RecordType } from '../../dns/rdata/index.js';
import { CNAME } from '../../dns/rdata/name-types.js';
import type { Reply } from '../../publishing/pool/dns-client.js';

/** Records of an answer that are read. */
const MOST_RECORDS = 64;

/** Why a name has no data, or none that is known. */
export interface Problem {
  readonly kind: 'missing' | 'unknown' | 'empty';
  readonly text: string;
}

/** `null` if the answer is usable and the name exists. */
export function problemOf(reply: Reply, name: DomainName): Problem | null {
  if (reply.message === null) return { kind: 'unknown', text: 'the resolver does not answer' };
  const { rcode, isTruncated } = reply.message.header;
  if (rcode === Rcode.NXDOMAIN) return { kind: 'missing', text: 'the resolver answers NXDOMAIN' };
  if (rcode !== Rcode.NOERROR) return { kind: 'unknown', text: `the resolver answers ${rcodeName(rcode)}` };
  if (isTruncated) return { kind: 'unknown', text: 'the resolver sends a truncated answer over TCP' };
  if (chainOf(reply.message, name) !== null) return null;
  return { kind: 'unknown', text: `more than ${LONGEST_CHAIN} CNAMEs follow each other` };
}

/** The name and those that its CNAMEs lead to; `null` for a loop. */
export function chainOf({ answers }: Message, name: DomainName): DomainName[] | null {
  const chain = cnamesFrom(answers, name);
  return chain && [name, ...valuesIn(chain, CNAME).map(({ target }) => target)];
}

/** The records at the end of the CNAMEs. */
export function recordsIn(message: Message, name: DomainName, { code }: { readonly code: number }): ResourceRecord[] {
  const end = chainOf(message, name)?.at(-1);
  return end === undefined ? [] : recordsOf(message.answers, end, code);
}

export function recordsOf(records: readonly ResourceRecord[], owner: DomainName, type: number): ResourceRecord[] {
  return records.filter((record) => record.type === type && record.owner.equals(owner)).slice(0, MOST_RECORDS);
}

/** RDATA is well-formed: messages with other RDATA are not read. */
export function valuesIn<V>(records: readonly Pick<ResourceRecord, 'rdata'>[], type: RecordType<V>): V[] {
  return records.map(({ rdata }) => type.values(rdata));
}

export function addressesIn(message: Message, name: DomainName, type: RecordType): string[] {
  return recordsIn(message, name, type).map(({ rdata }) => type.toText(rdata));
}
