import { Type, type WireSet } from '../../src/dns/dnssec/wire-set.js';
import { chainKind, type Denial } from '../../src/dns/dnssec/denial.js';
import { readRrsig } from '../../src/dns/dnssec/rrsig.js';
import type { PublishedKey } from '../../src/dns/dnssec/dnskey.js';
import type { NameSets } from '../../src/dns/dnssec/whole-zone.js';
import { describeFault, faultsOfZone, type PublishedSet } from '../../src/dns/dnssec/zone-check.js';
import type { ResourceRecord } from '../../src/dns/message/message.js';
import { DomainName } from '../../src/dns/name.js';
import { SOA } from '../../src/dns/rdata/index.js';
import { byName } from '../../src/dnssec/signing/present-sets.js';
import { isMade, isOfChain } from '../../src/dnssec/state/signed-set-form.js';

/**
 * Faults that Zonewright's verifier finds in records from any source.
 * @param hidden keys that may sign without being published
 */
export async function ownFaultsOf(
  zone: string,
  denial: Denial,
  records: readonly ResourceRecord[],
  hidden: readonly PublishedKey[] = [],
): Promise<string[]> {
  const apex = DomainName.parse(zone);
  const sets = setsOf(records);
  const published = signedOf(sets, records);
  const soa = sets.find(({ type }) => type === Type.SOA);
  const [rdata] = soa?.rdatas ?? [];
  if (soa === undefined || rdata === undefined) return ['the SOA is missing'];
  const denialTtl = Math.min(soa.ttl, SOA.values(rdata).minimum);
  const names = byName(sets.filter(({ type }) => !isOfChain(type)).sort(inOrder));
  const faults: string[] = [];
  const asked = {
    at: (wanted: readonly WireSet[]) =>
      Promise.resolve(wanted.flatMap((set) => published.get(placeOf(set.owner, set.type)) ?? [])),
    count: () => Promise.resolve(published.size),
  };
  const form = { apex, kind: chainKind(denial), denialTtl };
  for await (const fault of faultsOfZone(form, all(names), asked, isMade, Math.floor(Date.now() / 1000), hidden))
    faults.push(describeFault(fault));
  return faults;
}

function setsOf(records: readonly ResourceRecord[]): WireSet[] {
  const sets = new Map<string, WireSet & { rdatas: Uint8Array[] }>();
  for (const { owner, type, ttl, rdata } of records) {
    if (type === Type.RRSIG) continue;
    const known = sets.get(placeOf(owner, type));
    if (known === undefined) sets.set(placeOf(owner, type), { owner, type, ttl, rdatas: [rdata] });
    else known.rdatas.push(rdata);
  }
  return [...sets.values()];
}

function signedOf(sets: readonly WireSet[], records: readonly ResourceRecord[]): Map<string, PublishedSet> {
  const signatures = new Map<string, Uint8Array[]>();
  for (const { owner, type, rdata } of records) {
    if (type !== Type.RRSIG) continue;
    const place = placeOf(owner, readRrsig(rdata).type);
    signatures.set(place, [...(signatures.get(place) ?? []), rdata]);
  }
  const signed = sets.flatMap((set) => {
    const place = placeOf(set.owner, set.type);
    const own = signatures.get(place);
    return own === undefined ? [] : [[place, { ...set, signatures: own }] as const];
  });
  return new Map(signed);
}

function placeOf(owner: DomainName, type: number): string {
  return `${type} ${owner.key}`;
}

function inOrder({ owner: one }: WireSet, { owner: other }: WireSet): number {
  if (one.key === other.key) return 0;
  return one.key < other.key ? -1 : 1;
}

async function* all(names: ReadonlyMap<string, NameSets>): AsyncGenerator<readonly NameSets[]> {
  yield await Promise.resolve([...names.values()]);
}
