import { DomainName, quoted, displayName } from '../dns/name.js';
import { DS } from '../dns/rdata/dnssec.js';
import type { RecordType } from '../dns/rdata/index.js';
import type { RecordSet } from '../dns/master-file/master-file-writer.js';
import type { FindingContent, FindingKind } from '../records/plan-findings.js';

export interface Suspicion extends FindingContent {
  /** Key of a name that explains the record if the zone has it; `null`: none. */
  readonly unlessServed: string | null;
}

interface SuspectedRecords {
  readonly owner: DomainName;
  readonly type: RecordType;
  readonly rdatas: readonly Uint8Array[];
}

export type IsTopLevel = (label: string) => boolean;

/** Loading the list takes 50 ms. */
export async function loadTopLevels(): Promise<IsTopLevel> {
  const { parse } = await import('tldts');
  return (label) => parse(`a.${label}`, { extractHostname: false, validateHostname: false }).isIcann === true;
}

export function suspicionsOf(set: SuspectedRecords, zone: DomainName, isTopLevel: IsTopLevel): Suspicion[] {
  const ofOwner = repeatedZone(set.owner, zone);
  if (set.type.role === 'address') return ofOwner;
  const ofData = set.rdatas.flatMap((rdata) => [
    ...namesIn(set.type, rdata).flatMap((name) => missingDot(name, zone, isTopLevel)),
    ...(TEXT_TYPES.has(set.type.name) ? unspacedSpf(stringsIn(rdata)) : []),
    ...(set.type.name === DS.name ? unusualDigest(rdata) : []),
    ...(set.type.name === 'IPSECKEY' ? unknownAlgorithm(rdata) : []),
    ...(SERVICE_TYPES.has(set.type.name) ? unusedParameters(set.type, rdata) : []),
    ...(set.type.name === 'SVCB' && DNS_SERVICE.test(set.owner.toString()) ? missingParameters(set.type, rdata) : []),
  ]);
  return [...ofOwner, ...ofData];
}

/** `www.example.org` without its final dot, as an owner name. In `lan.`, a host `lan` is usual. */
function repeatedZone(owner: DomainName, zone: DomainName): Suspicion[] {
  if (zone.labelCount < 2 || owner.labelCount < 2 * zone.labelCount) return [];
  const [text, suffix] = [displayName(owner), displayName(zone)];
  const relative = text.slice(0, text.length - suffix.length);
  if (!`.${relative}`.toLowerCase().endsWith(`.${suffix.toLowerCase()}`)) return [];
  const message = `${text} has the name of the zone twice; if ${relative} is meant, end the name with a dot.`;
  return [{ message, unlessServed: null, kind: 'missing_dot', text: relative }];
}

function namesIn(type: RecordType, rdata: Uint8Array): DomainName[] {
  return Object.values(type.values(rdata) as Record<string, unknown>).filter((value) => value instanceof DomainName);
}

/** In `example.org.`, `mx.example.net` means `mx.example.net.example.org.` (RFC 1035 §5.1). */
function missingDot(name: DomainName, zone: DomainName, isTopLevel: IsTopLevel): Suspicion[] {
  const ownLabels = name.labelCount - zone.labelCount;
  // A host of the zone, as most names are: spares the text.
  if (zone.labelCount === 0 || ownLabels < Math.min(2, zone.labelCount) || !name.isWithin(zone)) return [];
  const text = displayName(name);
  const relative = text.slice(0, text.length - displayName(zone).length);
  const labels = relative.slice(0, -1).split('.');
  const repeatsZone = `.${relative}`.toLowerCase().endsWith(`.${zone.toString().toLowerCase()}`);
  if (!repeatsZone && (labels.length < 2 || !isTopLevel(labels.at(-1)?.toLowerCase() ?? ''))) return [];
  const message = `${text} is not in the zone; if ${relative} is meant, end the name with a dot.`;
  return [{ message, unlessServed: name.key, kind: 'missing_dot', text: relative }];
}

const TEXT_TYPES: ReadonlySet<string> = new Set(['TXT', 'SPF']);
/** RFC 1035 §3.3: a string that was split at its maximum length continues without a blank. */
const FULL_STRING = 255;
const SPF_TERM = /^[+?~-]?(?:all$|a$|mx$|ptr$|(?:include|a|mx|ip4|ip6|exists|ptr):|(?:redirect|exp)=)/i;

/** RFC 7208 §3.3: strings are joined without blanks. */
function unspacedSpf(strings: readonly Buffer[]): Suspicion[] {
  const texts = strings.map((string) => string.toString('latin1'));
  if (!/^v=spf1(?: |$)/i.test(texts[0] ?? '')) return [];
  const isUnspaced = texts.some((text, at) => {
    const before = texts[at - 1];
    return before !== undefined && before.length < FULL_STRING && !before.endsWith(' ') && SPF_TERM.test(text);
  });
  const message = `The strings of the SPF policy are joined without blanks to ${quoted(texts.join(''))}; put all of it in one pair of quotes.`;
  return isUnspaced ? [{ message, unlessServed: null, kind: 'unspaced_spf' }] : [];
}

function stringsIn(rdata: Uint8Array): Buffer[] {
  const strings: Buffer[] = [];
  for (let at = 0; at < rdata.length; at += 1 + (rdata[at] ?? 0))
    strings.push(Buffer.from(rdata.subarray(at + 1, at + 1 + (rdata[at] ?? 0))));
  return strings;
}

const DIGEST_TYPES_OF_KNOT: ReadonlySet<number> = new Set([1, 2, 4]);

function unusualDigest(rdata: Uint8Array): Suspicion[] {
  const { digestType } = DS.values(rdata);
  if (DIGEST_TYPES_OF_KNOT.has(digestType)) return [];
  const message = `kzonecheck refuses digest type ${digestType}, and so does Knot in a zone file where semantic-checks is on. Use 2 or 4.`;
  return [warn('unsupported_digest', message, digestType)];
}

/** Offset of the algorithm in IPSECKEY RDATA (RFC 4025 §2.1), and the highest that PowerDNS 4.7 supports, RSA. */
const ALGORITHM_AT = 2;
const RSA = 2;

function unknownAlgorithm(rdata: Uint8Array): Suspicion[] {
  const algorithm = rdata[ALGORITHM_AT] ?? 0;
  if (algorithm <= RSA) return [];
  return [
    warn(
      'unsupported_algorithm',
      `PowerDNS 4.7 refuses the whole domain for algorithm ${algorithm} of IPSECKEY. Use 2 where it serves the domain.`,
      algorithm,
    ),
  ];
}

const SERVICE_TYPES: ReadonlySet<string> = new Set(['SVCB', 'HTTPS']);

interface ServiceBinding {
  readonly priority: number;
  readonly parameters: readonly { readonly key: number; readonly value: Uint8Array }[];
}

/** RFC 9460 §2.4.2: clients ignore the parameters of an alias. PowerDNS 4.7 rejects the transfer. */
function unusedParameters(type: RecordType, rdata: Uint8Array): Suspicion[] {
  const { priority, parameters } = type.values(rdata) as ServiceBinding;
  if (priority !== 0 || parameters.length === 0) return [];
  const message = `${type.name} with priority 0 is an alias, whose parameters clients ignore; PowerDNS 4.7 refuses the whole domain for them. Remove them.`;
  return [warn('alias_parameters', message)];
}

const DNS_SERVICE = /^(?:_[0-9]+\.)?_dns\./i;
const ALPN = 1;
const DOHPATH = 7;
const HTTP = /^(?:h2|h3|http\/1\.1)$/;

/** RFC 9461 §4.1, §5: clients need alpn for a protocol, and dohpath for DNS over HTTPS. */
function missingParameters(type: RecordType, rdata: Uint8Array): Suspicion[] {
  const { priority, parameters } = type.values(rdata) as ServiceBinding;
  if (priority === 0) return [];
  const alpn = parameters.find(({ key }) => key === ALPN);
  if (alpn === undefined)
    return [warn('missing_alpn', 'A SVCB at _dns without alpn names no protocol; add alpn=dot or another one.')];
  const speaksHttp = stringsIn(alpn.value).some((id) => HTTP.test(id.toString('latin1')));
  if (!speaksHttp || parameters.some(({ key }) => key === DOHPATH)) return [];
  return [
    warn('missing_dohpath', 'A SVCB at _dns for HTTP needs dohpath; add dohpath=/dns-query{?dns} or another one.'),
  ];
}

function warn(kind: FindingKind, message: string, number?: number): Suspicion {
  return { message, unlessServed: null, kind, ...(number === undefined ? {} : { text: String(number) }) };
}

/** Default of BIND's `max-records-per-type`. */
const MOST_RECORDS_OF_BIND = 100;
/** Default of BIND's `max-types-per-name`, which also counts DNSSEC types. */
const MOST_TYPES_OF_BIND = 100;

interface Excess extends FindingContent {
  readonly set: RecordSet;
}

/** BIND rejects the whole zone for these sets of an owner name by default (CVE-2024-1737, since 9.18.28). */
export function boundsOfBind(sets: readonly [RecordSet, ...RecordSet[]]): Excess[] {
  const large = sets
    .filter(({ rdatas }) => rdatas.length > MOST_RECORDS_OF_BIND)
    .map((set) => ({
      set,
      kind: 'too_many_records' as const,
      text: String(set.rdatas.length),
      message: `The set has ${set.rdatas.length} records; BIND refuses the zone beyond ${MOST_RECORDS_OF_BIND} unless max-records-per-type is raised.`,
    }));
  if (sets.length <= MOST_TYPES_OF_BIND) return large;
  const message = `The name has ${sets.length} types; BIND refuses the zone beyond ${MOST_TYPES_OF_BIND} unless max-types-per-name is raised.`;
  return [...large, { set: sets[0], message, kind: 'too_many_types', text: String(sets.length) }];
}

/** Types that need a host name (RFC 952, RFC 1123 §2.1) for BIND as a primary (`check-names`). */
const TYPES_OF_HOSTS = new Set(['A', 'AAAA', 'MX']);
const HOST_LABEL = /^[0-9A-Za-z-]+$/;

/** BIND accepts addresses at Active Directory names for global catalogs. */
const GLOBAL_CATALOG = /^gc\._msdcs\./i;

export function isOwnerRefusedByBind({ owner, type }: RecordSet): boolean {
  if (!TYPES_OF_HOSTS.has(type.name)) return false;
  const name = owner.toString().replace(/^\*\./, '');
  const host = type.role === 'address' ? name.replace(GLOBAL_CATALOG, '') : name;
  return !host
    .slice(0, -1)
    .split('.')
    .every((label) => HOST_LABEL.test(label));
}

/** In seconds. A primary that signs renews earlier. */
const SOON = 7 * 86_400;
/** In the RDATA of RRSIG (RFC 4034 §3.1). */
const EXPIRATION = 8;
const EXPIRATION_OCTETS = 4;

/** Finds signatures of a secondary zone that its primary should have renewed (behaviour 15.7). */
export class ExpiringSignatures {
  private count = 0;
  private first = Infinity;

  /** @param now in seconds since 1970 */
  constructor(private readonly now: number) {}

  add({ type, rdatas }: RecordSet): void {
    if (type.name !== 'RRSIG') return;
    for (const rdata of rdatas) {
      if (rdata.length < EXPIRATION + EXPIRATION_OCTETS) continue;
      const expiration = new DataView(rdata.buffer, rdata.byteOffset).getUint32(EXPIRATION);
      // Serial arithmetic, since the field wraps in 2106 (RFC 4034 §3.1.5).
      const left = (expiration - this.now) | 0;
      if (left > SOON) continue;
      this.count += 1;
      this.first = Math.min(this.first, left);
    }
  }

  /** `null` if all signatures live longer. */
  get finding(): FindingContent | null {
    if (this.count === 0) return null;
    const time = new Date((this.now + this.first) * 1000).toISOString().slice(0, 19);
    const which = this.count === 1 ? '1 signature' : `${this.count} signatures`;
    return {
      ...{ kind: 'expiring_signatures', text: time },
      message: `${which} expire within 7 days, the first at ${time}Z: have the primary sign the zone again.`,
    };
  }
}
