import fc from 'fast-check';
import type { WireSet } from '../../src/dns/dnssec/wire-set.js';
import { DomainName } from '../../src/dns/name.js';
import { SOA, STANDARD_TYPES } from '../../src/dns/rdata/index.js';
import type { SignedModel } from './signed-model.js';

const APEX = 'example.org.';
const TYPES = new Map(STANDARD_TYPES.map((type) => [type.name, type]));

/** Names at, below and above which sets come and go: cuts, glue, wildcards, empty non-terminals, names below a DNAME. */
const NAMES = [
  ...['a', 'b.a', 'c.b.a', 'x.y.z.a', '*.a', 'sub.*.a', '*', 'www', 'WWW2.Mixed', 'e.mixed'],
  ...['cut', 'ns.cut', 'deep.ns.cut', 'w.x.cut', 'y.deep.er', 'dn', 'under.dn', 'more.under.dn', 'zz', '_tcp.srv.zz'],
];
/** Contents that may share a name; the generator chooses one. */
const CONTENTS: readonly (readonly [type: string, data: string][])[] = [
  [],
  [],
  [['A', '192.0.2.1']],
  [
    ['A', '192.0.2.2'],
    ['AAAA', '2001:db8::2'],
    ['TXT', 'Text'],
  ],
  [['TXT', 'other']],
  [['CNAME', 'WWW.example.org.']],
  [['NS', 'ns1.Example.net.']],
  [
    ['NS', 'ns2.example.net.'],
    ['DS', `1 13 2 ${'ab'.repeat(32)}`],
  ],
  [['DNAME', 'target.example.net.']],
  [
    ['CAA', '0 issue ca.example.net'],
    ['SVCB', '1 Svc.Example.org.'],
  ],
];

export interface NameChange {
  readonly name: string;
  readonly content: number;
  readonly ttl: number;
}

/** New contents of some names in one change. */
export function changeSets(): fc.Arbitrary<NameChange[][]> {
  const change = fc.record({
    name: fc.constantFrom(...NAMES),
    content: fc.nat(CONTENTS.length - 1),
    ttl: fc.constantFrom(300, 300, 3600),
  });
  return fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 });
}

/** The sets that every zone has. */
export function putApex({ records, apex }: SignedModel, serial: number): void {
  const soa = `ns1.example.net. hostmaster.example.org. ${serial} 3600 600 1209600 300`;
  for (const [type, data] of [
    ['SOA', soa],
    ['NS', 'ns1.example.net.'],
  ] as const)
    records.put(setOf(apex, type, 3600, data));
}

/** Carries out the changes; returns the keys of the names, with that of the apex, whose serial moves. */
export function applyChanges(
  model: SignedModel,
  changes: readonly NameChange[],
  serial: number,
  { isLoadable = false }: { readonly isLoadable?: boolean } = {},
): Set<string> {
  putApex(model, serial);
  const changed = new Set([model.apex.key]);
  for (const { name, content, ttl } of changes) {
    const owner = DomainName.parse(name, DomainName.parse(APEX));
    for (const type of [...(model.records.names.get(owner.key)?.keys() ?? [])]) model.records.remove(owner.key, type);
    for (const [type, data] of contentAt(name, content, isLoadable)) model.records.put(setOf(owner, type, ttl, data));
    changed.add(owner.key);
  }
  return changed;
}

/**
 * Name servers refuse cuts and DNAME at wildcards.
 * @param isLoadable they refuse records below a DNAME as well
 */
function contentAt(
  name: string,
  content: number,
  isLoadable: boolean,
): readonly (readonly [type: string, data: string])[] {
  const chosen = CONTENTS[content] ?? [];
  const types = chosen.map(([type]) => type);
  const isAbove = NAMES.some((other) => other.endsWith(`.${name}`));
  const isRefused =
    (name.startsWith('*') && (types.includes('NS') || types.includes('DNAME'))) ||
    (isLoadable && isAbove && types.includes('DNAME'));
  return isRefused ? [['A', '192.0.2.9']] : chosen;
}

function setOf(owner: DomainName, name: string, ttl: number, data: string): WireSet {
  if (name === 'SOA') return { owner, type: 6, ttl, rdatas: [SOA.parse(data, null)] };
  const type = TYPES.get(name);
  if (type === undefined) throw new Error(name);
  return { owner, type: type.code, ttl, rdatas: [type.parse(data, null)] };
}
