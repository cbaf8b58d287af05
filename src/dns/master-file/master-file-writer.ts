import type { DomainName } from '../name.js';
import type { RecordType } from '../rdata/index.js';
import { isCommonName } from '../rdata/type-names.js';

/** Omits directives: names are absolute, and each record has a TTL. */
export function writeHeader(zone: DomainName): string {
  return `; ${zone.toString()} written by Zonewright\n`;
}

/** For records that omit the default TTL. */
export function writeDirectives(zone: DomainName, ttl: number): string {
  return `$ORIGIN ${zone.toString()}\n${writeDefaultTtl(ttl)}`;
}

export function writeDefaultTtl(ttl: number): string {
  return `$TTL ${ttl}\n`;
}

/** Before the line of an ALIAS, which other programs skip (behaviour 24.8). */
export const ALIAS_MARK = ';';

function markOf({ isUnserved }: RecordType): string {
  return isUnserved === true ? ALIAS_MARK : '';
}

/** For readers that split lines at blanks. Two blanks replace the default TTL. */
export function writeSpacedRecordSet({ owner, type, ttl, rdatas, texts }: RecordSet, defaultTtl: number): string {
  const start = `${markOf(type)}${owner.toString()} ${ttl === defaultTtl ? '' : ttl} IN `;
  const lines = rdatas.map((rdata, at) => `${start}${typeAndData(type, rdata, texts?.[at]).replace('\t', ' ')}\n`);
  return lines.join('');
}

/** Writes one line for each record (RFC 1035 §5.1) in printable ASCII. */
export function writeRecordSet({ owner, type, ttl, rdatas, texts }: RecordSet): string {
  const start = `${markOf(type)}${owner.toString()}\t${ttl}\tIN\t`;
  let lines = '';
  rdatas.forEach((rdata, at) => {
    lines += `${start}${typeAndData(type, rdata, texts?.[at])}\n`;
  });
  return lines;
}

/** Octets (RFC 3597 §5) for types unknown to name servers, and for text that would break out of its line. */
function typeAndData(type: RecordType, rdata: Uint8Array, text = type.toText(rdata)): string {
  if ((isCommonName(type.name, type.code) || type.isUnserved === true) && /^[ -~]+$/.test(text))
    return `${type.name}\t${text}`;
  return `TYPE${type.code}\t\\# ${rdata.length} ${Buffer.from(rdata).toString('hex')}`;
}

/** All records have one TTL in seconds (RFC 2181 §5.2). */
export interface RecordSet {
  readonly owner: DomainName;
  readonly type: RecordType;
  readonly ttl: number;
  readonly rdatas: readonly Uint8Array[];
  readonly texts?: readonly string[];
}
