import { STANDARD_TYPES } from '../../src/dns/rdata/index.js';
import type { Random } from '../crash/random.js';

/** One record set at a name of the domain; `''` is the apex. */
export interface SetOfName {
  readonly type: string;
  readonly ttl: number | null;
  readonly records: readonly { readonly data: string; readonly priority: number | null }[];
}

/** New contents of some names in one change. */
export type ChangeSet = readonly { readonly name: string; readonly sets: readonly SetOfName[] }[];

/** At, below and above which sets come and go: cuts, glue, wildcards, empty non-terminals, names below a DNAME. */
const NAMES = [
  ...['a', 'b.a', 'c.b.a', 'x.y.z.a', '*.a', '*', 'www', 'WWW2.Mixed', 'e.mixed', '0', 'z-9', 'y.deep.er'],
  // Octets that names of hosts do not have (RFC 2181 §11). PowerDNS 4.7 answers SERVFAIL for all others of them.
  ...['odd\\032octets', 'b.odd\\032octets', 'dot\\.in'],
  ...['cut', 'ns.cut', 'deep.ns.cut', 'dn', 'under.dn', 'zz', '_tcp.srv.zz', '_443._tcp.zz', 'zz.zz.zz'],
];
const APEX = '';
const TTLS = [null, null, 1, 60, 300, 3600];

type Content = readonly (readonly [type: string, data: string, priority?: number])[];

/** Types that exclude others or depend on others at the name. */
const SPECIAL: readonly Content[] = [
  [['CNAME', 'WWW.Example.net.']],
  [['DNAME', 'Target.Example.net.']],
  [['NS', 'Ns1.Example.net.']],
  [
    ['NS', 'ns2.example.net.'],
    ['DS', `1 13 2 ${'ab'.repeat(32)}`],
  ],
];
/** Types that kzonecheck misreads: it misses a lone CDS or CDNSKEY, which RFC 9615 allows below the apex. */
const LEFT_OUT = ['CDS', 'CDNSKEY'];
/** Types that may share a name. */
const PLAIN = STANDARD_TYPES.filter(({ name }) => !['CNAME', 'DNAME', 'NS', 'DS', ...LEFT_OUT].includes(name));
/** Second values, so that a set of two exists and one of its records comes or goes. */
const SECOND: Readonly<Record<string, readonly [data: string, priority?: number]>> = {
  A: ['192.0.2.77'],
  AAAA: ['2001:db8::77'],
  TXT: ['"Another Text" "of two"'],
  MX: ['Mail.Example.net.', 20],
  SVCB: ['2 Svc.Example.net. port="53"'],
  HTTPS: ['2 . alpn="h2"'],
  SRV: ['1 443 Host.Example.net.', 5],
};

/** A different change set at each call; deterministic for each seed. */
export function randomChangeSet(random: Random): ChangeSet {
  const names = new Set(Array.from({ length: 1 + random.below(4) }, () => random.pick(NAMES) ?? APEX));
  if (random.below(6) === 0) names.add(APEX);
  return [...names].map((name) => ({ name, sets: setsAt(name, random) }));
}

function setsAt(name: string, random: Random): SetOfName[] {
  const ttl = random.pick(TTLS) ?? null;
  const kind = random.below(10);
  if (kind < 3) return [];
  if (kind < 6 && name !== APEX) return sets(isBelowAnother(name) ? withoutCut(random) : random.pick(SPECIAL), ttl);
  const types = Array.from({ length: 1 + random.below(3) }, () => random.pick(PLAIN)).flatMap((type) => type ?? []);
  return [...new Set(types)].map(({ name: type, example }) => {
    const first = { data: example.data, priority: example.priority };
    const [data, priority = null] = SECOND[type] ?? [];
    const isTwo = data !== undefined && random.below(2) === 0;
    return { type, ttl, records: isTwo ? [first, { data, priority }] : [first] };
  });
}

/** PowerDNS 4.7 has a cut below another cut in its chain, and then no right NSEC at the upper one. */
function withoutCut(random: Random): Content | undefined {
  return random.pick(SPECIAL.filter((content) => content.every(([type]) => type !== 'NS')));
}

function isBelowAnother(name: string): boolean {
  return NAMES.some((other) => name.endsWith(`.${other}`));
}

function sets(content: Content | undefined, ttl: number | null): SetOfName[] {
  return (content ?? []).map(([type, data, priority = null]) => ({ type, ttl, records: [{ data, priority }] }));
}
