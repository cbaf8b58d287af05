import type { DomainName } from '../name.js';
import { typeName } from '../rdata/type-names.js';
import { Type, isSignedByKsk, type WireSet } from './wire-set.js';
import { SECURE_ENTRY_POINT, PublishedKey } from './dnskey.js';
import { isSignatureOf, readRrsig } from './rrsig.js';
import { type NameSets, setsToSign, type ZoneForm } from './whole-zone.js';

export interface PublishedSet extends WireSet {
  readonly signatures: readonly Uint8Array[];
}

export interface PublishedSets {
  at(sets: readonly WireSet[]): Promise<readonly PublishedSet[]>;
  count(): Promise<number>;
}

export interface ZoneFault {
  readonly owner: DomainName;
  readonly type: number;
  readonly what: string;
}

type IsMade = (set: Pick<WireSet, 'owner' | 'type'>, apex: DomainName) => boolean;

const HALF = 2 ** 31;

/**
 * Validates a signed zone: each set has valid signatures of each algorithm, and the chain has exactly all names.
 * @param names all sets, as for `setsToSign`
 * @param isMade whether signing generates the records of the set
 * @param now seconds since 1970
 * @param hidden unpublished keys that may sign, as in an algorithm rollover
 */
export async function* faultsOfZone(
  form: ZoneForm,
  names: AsyncIterable<readonly NameSets[]>,
  published: PublishedSets,
  isMade: IsMade,
  now: number,
  hidden: readonly PublishedKey[] = [],
): AsyncGenerator<ZoneFault> {
  let keys: readonly PublishedKey[] = [];
  let count = 0;
  for await (const wanted of setsToSign(form, names)) {
    const found = new Map((await published.at(wanted)).map((set) => [placeOf(set), set]));
    for (const set of wanted) {
      if (set.type === Type.DNSKEY) keys = set.rdatas.map((rdata) => new PublishedKey(rdata));
      const there = found.get(placeOf(set));
      if (there === undefined) yield { ...set, what: 'is not signed' };
      else count += 1;
    }
    // The apex comes first, with the keys.
    for (const set of wanted) {
      const there = found.get(placeOf(set));
      if (there !== undefined)
        for (const what of faultsOfSet(set, there, { keys, hidden }, form.apex, isMade, now)) yield { ...set, what };
    }
  }
  const superfluous = (await published.count()) - count;
  if (superfluous > 0)
    yield { owner: form.apex, type: Type.RRSIG, what: `exists for ${superfluous} sets that must not be signed` };
}

function* faultsOfSet(
  set: WireSet,
  there: PublishedSet,
  { keys, hidden }: { readonly keys: readonly PublishedKey[]; readonly hidden: readonly PublishedKey[] },
  apex: DomainName,
  isMade: IsMade,
  now: number,
): Generator<string> {
  if (isMade(set, apex) && !isSameRdatas(set.rdatas, there.rdatas)) yield 'has wrong records';
  if (set.ttl !== there.ttl) yield `has TTL ${set.ttl} but signatures for TTL ${there.ttl}`;
  const algorithms = new Set(keys.map(({ algorithm }) => algorithm));
  for (const rrsig of there.signatures) {
    const { inception, expiration, tag } = readRrsig(rrsig);
    if (isAfter(inception, now)) yield `has a signature of key ${tag} that is not yet valid`;
    if (isAfter(now, expiration)) yield `has an expired signature of key ${tag}`;
    const signer = [...keys, ...hidden].find((key) => mayBy(key, set, apex) && isSignatureOf(rrsig, set, key, apex));
    if (signer === undefined) yield `has a signature of key ${tag} that no published key verifies`;
    else algorithms.delete(signer.algorithm);
  }
  for (const algorithm of algorithms) yield `lacks a signature of algorithm ${algorithm}`;
}

/** RFC 7344 §4.1. */
function mayBy({ flags }: PublishedKey, set: WireSet, apex: DomainName): boolean {
  return !isSignedByKsk(set, apex) || flags === SECURE_ENTRY_POINT;
}

/** RFC 4034 §3.1.5: serial number arithmetic. */
function isAfter(one: number, other: number): boolean {
  const lead = (one - other) >>> 0;
  return lead > 0 && lead < HALF;
}

function isSameRdatas(one: readonly Uint8Array[], other: readonly Uint8Array[]): boolean {
  const texts = [one, other].map((rdatas) =>
    rdatas
      .map((rdata) => Buffer.from(rdata).toString('hex'))
      .sort()
      .join(' '),
  );
  return texts[0] === texts[1];
}

function placeOf({ owner, type }: WireSet): string {
  return `${type} ${owner.key}`;
}

export function describeFault({ owner, type, what }: ZoneFault): string {
  return `${owner.toString()} ${typeName(type)} ${what}`;
}
