import { readFile } from 'node:fs/promises';
import { describe, expect } from '@jest/globals';
import fc from 'fast-check';

import { writeHeader, writeRecordSet } from '../../src/dns/master-file/master-file-writer.js';
import { DomainName } from '../../src/dns/name.js';
import { SOA } from '../../src/dns/rdata/index.js';
import {
  DNSPYTHON_ZONE,
  itWith,
  KZONECHECK,
  LDNS_READ_ZONE,
  NAMED_CHECKZONE,
  NSD_CHECKZONE,
  type ReadRecord,
  ZONE_PROGRAMS,
  type ZoneProgram,
} from '../support/dns-tools.js';
import { ALL_TYPES, EXAMPLE_ORG, readAll } from '../support/master-file.js';

const FOLDER = new URL('../data/master-files/', import.meta.url);

/** Styles that not all programs know: the others refuse the file, or read something else. */
const HANDWRITTEN: readonly (readonly [file: string, readers: readonly ZoneProgram[]])[] = [
  ['example.org.zone', ZONE_PROGRAMS],
  ['inheritance.zone', ZONE_PROGRAMS],
  ['inherited-ttl.zone', [NAMED_CHECKZONE]],
  ['absolute.zone', ZONE_PROGRAMS],
  ['odd-names.zone', [NAMED_CHECKZONE, KZONECHECK, NSD_CHECKZONE, DNSPYTHON_ZONE]],
  ['class-first.zone', [NAMED_CHECKZONE, KZONECHECK, NSD_CHECKZONE]],
  ['relative-origin.zone', [NAMED_CHECKZONE]],
  ['raw-octets.zone', [NAMED_CHECKZONE, NSD_CHECKZONE, LDNS_READ_ZONE, DNSPYTHON_ZONE]],
  ['touching.zone', [NAMED_CHECKZONE, NSD_CHECKZONE, DNSPYTHON_ZONE]],
  ['generate.zone', [NAMED_CHECKZONE]],
];

describe.each(HANDWRITTEN)('%s', (name, readers) => {
  const variants = [
    ['as it is', (text: string) => text, readers],
    [
      'with CR LF',
      (text: string) => text.replaceAll('\n', '\r\n'),
      readers.filter((program) => program !== KZONECHECK),
    ],
  ] as const;
  describe.each(variants)('%s', (_, vary, programs) => {
    for (const program of programs) {
      itWith(program)(`is read by us as by ${program.name}`, async () => {
        const file = vary(await readFile(new URL(name, FOLDER), 'utf8'));
        const { records, said } = await program.read(EXAMPLE_ORG, file);
        expect(said).toBe(records ? said : '');
        expect(ours(file)).toEqual(canonical(records ?? []));
      });
    }
  });
});

/** Our reading in canonical form, one line for each record; faults stand in it as well. */
function ours(file: string): string[] {
  const { records, faults } = readAll(file);
  const read = canonical(
    records.map(({ owner, type, ttl, rdata }) => ({ owner, code: type.code, ttl: ttl ?? -1, rdata })),
  );
  return [...faults.map(({ line, column, message }) => `${line}:${column} ${message}`), ...read];
}

/** Sorted and each once: equal texts are equal sets of records (RFC 4034 §6). */
function canonical(records: readonly ReadRecord[]): string[] {
  const lines = records.map(({ owner, code, ttl, rdata }) => {
    const type = ALL_TYPES.byCode(code) ?? (code === SOA.code ? SOA : undefined);
    const folded = type ? type.fold(rdata) : rdata;
    return `${owner.folded.toString()} ${ttl} ${type?.name ?? code} ${Buffer.from(folded).toString('hex')}`;
  });
  return [...new Set(lines)].sort();
}
