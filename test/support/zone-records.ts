import { DomainName } from '../../src/dns/name.js';
import { SOA } from '../../src/dns/rdata/index.js';
import type { ReadRecord } from './dns-tools.js';
import { ALL_TYPES, readAll } from './master-file.js';

/** Records of an exported zone file: equal lists are equal zones (RFC 4034 §6). Includes faults. */
export function recordsOfFile(text: string, zone: string): string[] {
  const { records, errors } = readAll(text, { origin: DomainName.parse(zone) });
  return [
    ...errors.map(({ line, column, message }) => `${line}:${column} ${message}`),
    ...canonicalRecords(records.map((record) => ({ ...record, code: record.type.code, ttl: record.ttl ?? -1 }))),
  ];
}

/** One line for each record, names and data without case, sorted and each once. */
export function canonicalRecords(records: readonly ReadRecord[]): string[] {
  const lines = records.map(({ owner, code, ttl, rdata }) => {
    const type = code === SOA.code ? SOA : ALL_TYPES.byCode(code);
    const canonical = type?.canonicalize(rdata) ?? rdata;
    return `${owner.canonical.toString()} ${ttl} ${type?.name ?? code} ${Buffer.from(canonical).toString('hex')}`;
  });
  return [...new Set(lines)].sort();
}
