import { DomainName, quoted, displayName } from '../dns/name.js';
import { DS } from '../dns/rdata/ds.js';
import type { RecordType } from '../dns/rdata/index.js';

/** A record that is allowed and hardly means what it says. */
export interface Suspicion {
  readonly message: string;
  /** The key of a name that would explain the record if it were in the zone; `null`: nothing would. */
  readonly unlessServed: string | null;
}

/** What the records of one owner name and type consist of. */
interface SuspectedRecords {
  readonly owner: DomainName;
  readonly type: RecordType;
  readonly rdatas: readonly Uint8Array[];
}

export type IsTopLevel = (label: string) => boolean;

/** The list takes 50 ms to load. */
export async function loadTopLevels(): Promise<IsTopLevel> {
  const { parse } = await import('tldts');
  return (label) => parse(`a.${label}`, { extractHostname: false, validateHostname: false }).isIcann === true;
}

/** Says which records of the set probably miss a final dot, blanks between texts, or parameters that clients need. */
export function suspicionsOf(set: SuspectedRecords, zone: DomainName, isTopLevel: IsTopLevel): Suspicion[] {
  if (set.type.role === 'address') return [];
  return set.rdatas.flatMap((rdata) => [
    ...namesIn(set.type, rdata).flatMap((name) => missingDot(name, zone, isTopLevel)),
    ...(TEXT_TYPES.has(set.type.name) ? unspacedSpf(stringsIn(rdata)) : []),
    ...(set.type.name === DS.name ? unusualDigest(rdata) : []),
    ...(set.type.name === 'IPSECKEY' ? unknownAlgorithm(rdata) : []),
    ...(SERVICE_TYPES.has(set.type.name) ? unusedParameters(set.type, rdata) : []),
    ...(set.type.name === 'SVCB' && DNS_SERVICE.test(set.owner.toString()) ? missingParameters(set.type, rdata) : []),
  ]);
}

function namesIn(type: RecordType, rdata: Uint8Array): DomainName[] {
  return Object.values(type.values(rdata) as Record<string, unknown>).filter((value) => value instanceof DomainName);
}

/** `mx.example.net` in `example.org.` is read as `mx.example.net.example.org.` (RFC 1035 §5.1). */
function missingDot(name: DomainName, zone: DomainName, isTopLevel: IsTopLevel): Suspicion[] {
  if (zone.labelCount === 0 || name.equals(zone) || !name.isWithin(zone)) return [];
  const text = displayName(name);
  const relative = text.slice(0, text.length - displayName(zone).length);
  const labels = relative.slice(0, -1).split('.');
  const repeatsZone = `.${relative}`.toLowerCase().endsWith(`.${zone.toString().toLowerCase()}`);
  if (!repeatsZone && (labels.length < 2 || !isTopLevel(labels.at(-1)?.toLowerCase() ?? ''))) return [];
  const message = `${text} is not in the zone; if ${relative} is meant, end the name with a dot.`;
  return [{ message, unlessServed: name.key }];
}

const TEXT_TYPES: ReadonlySet<string> = new Set(['TXT', 'SPF']);
/** RFC 1035 §3.3: a string that was split for its length goes on without a blank. */
const FULL_STRING = 255;
const SPF_TERM = /^[+?~-]?(?:all$|a$|mx$|ptr$|(?:include|a|mx|ip4|ip6|exists|ptr):|(?:redirect|exp)=)/i;

/** RFC 7208 §3.3: the strings are joined without blanks. */
function unspacedSpf(strings: readonly Buffer[]): Suspicion[] {
  const texts = strings.map((string) => string.toString('latin1'));
  if (!/^v=spf1(?: |$)/i.test(texts[0] ?? '')) return [];
  const isUnspaced = texts.some((text, at) => {
    const before = texts[at - 1];
    return before !== undefined && before.length < FULL_STRING && !before.endsWith(' ') && SPF_TERM.test(text);
  });
  const message = `The strings of the SPF policy are joined without blanks to ${quoted(texts.join(''))}; put all of it in one pair of quotes.`;
  return isUnspaced ? [{ message, unlessServed: null }] : [];
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
  return [warn(message)];
}

/** Where the algorithm of an IPSECKEY stands (RFC 4025 §2.1), and the highest that PowerDNS 4.7 knows, RSA. */
const ALGORITHM_AT = 2;
const RSA = 2;

function unknownAlgorithm(rdata: Uint8Array): Suspicion[] {
  const algorithm = rdata[ALGORITHM_AT] ?? 0;
  if (algorithm <= RSA) return [];
  return [
    warn(
      `PowerDNS 4.7 refuses the whole domain for algorithm ${algorithm} of IPSECKEY. Use 2 where it serves the domain.`,
    ),
  ];
}

const SERVICE_TYPES: ReadonlySet<string> = new Set(['SVCB', 'HTTPS']);

interface ServiceBinding {
  readonly priority: number;
  readonly parameters: readonly { readonly key: number; readonly value: Uint8Array }[];
}

/** RFC 9460 §2.4.2: clients ignore the parameters of an alias. PowerDNS 4.7 reads none there, and drops the transfer. */
function unusedParameters(type: RecordType, rdata: Uint8Array): Suspicion[] {
  const { priority, parameters } = type.values(rdata) as ServiceBinding;
  if (priority !== 0 || parameters.length === 0) return [];
  const message = `${type.name} with priority 0 is an alias, whose parameters clients ignore; PowerDNS 4.7 refuses the whole domain for them. Remove them.`;
  return [warn(message)];
}

const DNS_SERVICE = /^(?:_[0-9]+\.)?_dns\./i;
const ALPN = 1;
const DOHPATH = 7;
const HTTP = /^(?:h2|h3|http\/1\.1)$/;

/** RFC 9461 §4.1, §5: a client finds no protocol without alpn, and no resource of DNS over HTTPS without dohpath. */
function missingParameters(type: RecordType, rdata: Uint8Array): Suspicion[] {
  const { priority, parameters } = type.values(rdata) as ServiceBinding;
  if (priority === 0) return [];
  const alpn = parameters.find(({ key }) => key === ALPN);
  if (alpn === undefined) return [warn('A SVCB at _dns without alpn names no protocol; add alpn=dot or another one.')];
  const speaksHttp = stringsIn(alpn.value).some((id) => HTTP.test(id.toString('latin1')));
  if (!speaksHttp || parameters.some(({ key }) => key === DOHPATH)) return [];
  return [warn('A SVCB at _dns for HTTP needs dohpath; add dohpath=/dns-query{?dns} or another one.')];
}

function warn(message: string): Suspicion {
  return { message, unlessServed: null };
}
