import { isAddressWithin, isPublicElsewhere } from '../common/network/network.js';
import { cnamesFrom, LONGEST_CHAIN } from '../dns/cname-chain.js';
import { Rcode, rcodeName } from '../dns/message/codes.js';
import type { Message } from '../dns/message/message.js';
import { DomainName } from '../dns/name.js';
import { A, AAAA } from '../dns/rdata/address-types.js';
import { RdataError } from '../dns/rdata/index.js';
import { CNAME } from '../dns/rdata/name-types.js';
import { SOA } from '../dns/rdata/soa.js';

/** Addresses of each type that are published. BIND refuses sets of more than 100. */
const MOST_ADDRESSES = 64;

export const ADDRESS_TYPES = [A, AAAA] as const;
export type AddressType = (typeof ADDRESS_TYPES)[number];

/** What a name server says about the addresses of a name. */
export type Answer =
  | { readonly kind: 'resolved'; readonly addresses: readonly string[]; readonly ttl: number }
  | { readonly kind: 'missing' | 'failing' | 'refused' | 'looping'; readonly problem: string; readonly ttl: number };

/** Reads the answer of a resolver: follows its CNAMEs, and ignores records of other names (behaviour 24.4). */
export function readAnswer(message: Message, name: DomainName, type: AddressType): Answer {
  const { rcode, isTruncated } = message.header;
  if (isTruncated) return failing('the resolver sends a truncated answer over TCP');
  if (rcode === Rcode.NXDOMAIN)
    return { kind: 'missing', problem: 'the resolver says that it does not exist', ttl: negativeTtl(message) };
  if (rcode !== Rcode.NOERROR) return failing(`the resolver answers ${rcodeName(rcode)}`);
  try {
    return readRecords(message, name, type);
  } catch (error) {
    if (error instanceof RdataError) return failing('the resolver sends a malformed record');
    throw error;
  }
}

function readRecords(message: Message, name: DomainName, type: AddressType): Answer {
  const chain = cnamesFrom(message.answers, name);
  if (chain === null) return failing(`more than ${LONGEST_CHAIN} CNAMEs follow each other`);
  const last = chain.at(-1);
  const end = last === undefined ? name : CNAME.values(last.rdata).target;
  const ttl = Math.min(Infinity, ...chain.map((record) => record.ttl));
  const found = message.answers.filter((record) => record.type === type.code && record.owner.equals(end));
  if (found.length > MOST_ADDRESSES) return failing(`it has more than ${MOST_ADDRESSES} ${type.name} records`);
  if (found.length === 0)
    return { kind: 'missing', problem: 'it has no addresses', ttl: Math.min(ttl, negativeTtl(message)) };
  const addresses = found.map(({ rdata }) => type.toData(rdata).data);
  return { kind: 'resolved', addresses, ttl: Math.min(ttl, ...found.map((record) => record.ttl)) };
}

/** RFC 2308 §5. */
function negativeTtl({ authorities }: Message): number {
  const soa = authorities.find(({ type }) => type === SOA.code);
  if (soa === undefined) return 0;
  try {
    return Math.min(soa.ttl, SOA.values(soa.rdata).minimum);
  } catch {
    return 0;
  }
}

export function failing(problem: string): Answer {
  return { kind: 'failing', problem, ttl: 0 };
}

/** A tenant must not learn or publish addresses of the operator's own network through the resolver. */
export function withoutPrivate(answer: Answer, allowed: readonly string[]): Answer {
  if (answer.kind !== 'resolved') return answer;
  const addresses = answer.addresses.filter(
    (address) => isPublicElsewhere(address) || isAddressWithin(address, allowed),
  );
  if (addresses.length > 0 || answer.addresses.length === 0) return { ...answer, addresses };
  return { kind: 'refused', problem: 'it has only addresses that are not public', ttl: answer.ttl };
}

const GRAVITY = ['looping', 'failing', 'refused', 'missing'] as const;

/** Of A and AAAA. If one of them is unknown, the addresses of the other alone would remove those of this one. */
export function joinAnswers(answers: readonly Answer[]): Answer {
  for (const kind of ['looping', 'failing'] as const) {
    const found = answers.find((answer) => answer.kind === kind);
    if (found !== undefined) return found;
  }
  const resolved = answers.filter((answer) => answer.kind === 'resolved');
  // A type without addresses and without a negative TTL (RFC 2308 §5) is asked for again with the other.
  const timed = resolved.length > 0 ? answers.filter(({ kind, ttl }) => kind === 'resolved' || ttl > 0) : answers;
  const ttl = Math.min(...timed.map((answer) => answer.ttl));
  if (resolved.length > 0)
    return { kind: 'resolved', addresses: [...new Set(resolved.flatMap(({ addresses }) => addresses))].sort(), ttl };
  const worst = GRAVITY.flatMap((kind) => answers.filter((answer) => answer.kind === kind))[0];
  return worst === undefined ? failing('nothing was asked') : { ...worst, ttl };
}
