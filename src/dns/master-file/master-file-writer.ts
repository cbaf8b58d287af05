import type { DomainName } from '../name.js';
import type { RecordType } from '../rdata/index.js';
import type { RecordSet } from './record-set.js';

/** What a written zone begins with. All names are absolute and every line says its TTL, so that no directive is needed. */
export function writeHeader(zone: DomainName): string {
  return `; ${zone.toString()} written by Zonewright\n`;
}

/** RFC 1035 §5.1: one line for each record, absolute and in printable ASCII. */
export function writeRecordSet({ owner, type, ttl, rdatas }: RecordSet): string {
  const start = `${owner.toString()}\t${ttl}\tIN\t`;
  let lines = '';
  for (const rdata of rdatas) lines += `${start}${typeAndData(type, rdata)}\n`;
  return lines;
}

/** Types come from other teams as well: what theirs writes must not break out of its line (RFC 3597 §5 says it in octets). */
function typeAndData(type: RecordType, rdata: Uint8Array): string {
  const text = type.toText(rdata);
  if (/^[ -~]+$/.test(text)) return `${type.name}\t${text}`;
  return `TYPE${type.code}\t\\# ${rdata.length} ${Buffer.from(rdata).toString('hex')}`;
}
