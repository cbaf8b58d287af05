import type { DomainName } from '../name.js';
import type { RecordType } from '../rdata/index.js';
import { isCommonName } from '../rdata/type-names.js';
import type { RecordSet } from './record-set.js';

/** The first line of a zone file: a comment. No directive follows, since all names are absolute and every record has a TTL. */
export function writeHeader(zone: DomainName): string {
  return `; ${zone.toString()} written by Zonewright\n`;
}

/** The first lines where the zone's own TTL is left out of records. */
export function writeDirectives(zone: DomainName, ttl: number): string {
  return `$ORIGIN ${zone.toString()}\n${writeDefaultTtl(ttl)}`;
}

export function writeDefaultTtl(ttl: number): string {
  return `$TTL ${ttl}\n`;
}

/**
 * The same for readers that split lines at blanks: a record has a TTL where it is not the default one, and two blanks in
 * its place where it is.
 */
export function writeSpacedRecordSet({ owner, type, ttl, rdatas, texts }: RecordSet, defaultTtl: number): string {
  const start = `${owner.toString()} ${ttl === defaultTtl ? '' : ttl} IN `;
  const lines = rdatas.map((rdata, at) => `${start}${typeAndData(type, rdata, texts?.[at]).replace('\t', ' ')}\n`);
  return lines.join('');
}

/** Writes a record set as lines of a master file (RFC 1035 §5.1), one for each record, in printable ASCII. */
export function writeRecordSet({ owner, type, ttl, rdatas, texts }: RecordSet): string {
  const start = `${owner.toString()}\t${ttl}\tIN\t`;
  let lines = '';
  rdatas.forEach((rdata, at) => {
    lines += `${start}${typeAndData(type, rdata, texts?.[at])}\n`;
  });
  return lines;
}

/**
 * A plugin's type may have a name that name servers do not know, or write text that breaks out of its line: then the octets
 * are written (RFC 3597 §5).
 */
function typeAndData(type: RecordType, rdata: Uint8Array, text = type.toText(rdata)): string {
  if (isCommonName(type.name, type.code) && /^[ -~]+$/.test(text)) return `${type.name}\t${text}`;
  return `TYPE${type.code}\t\\# ${rdata.length} ${Buffer.from(rdata).toString('hex')}`;
}
