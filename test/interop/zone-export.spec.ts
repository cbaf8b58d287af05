import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DomainName } from '../../src/dns/name.js';
import { STANDARD_TYPES } from '../../src/dns/rdata/index.js';
import { isCommonName } from '../../src/dns/rdata/type-names.js';
import { NAMED_CHECKZONE, ZONE_PROGRAMS } from '../support/dns-tools.js';
import { itWith } from '../support/run-program.js';
import { startTestService, type TestService } from '../support/service.js';
import { canonicalRecords, recordsOfFile } from '../support/zone-records.js';
import type { ImportBody } from '../support/bodies.js';
import { linesOfExport, newDomain, type TestDomain } from '../support/domain.js';

const EXAMPLE = new URL('../../examples/example.org.zone', import.meta.url);
const EXAMPLE_ORG = DomainName.parse('example.org.');
const OWN_SERVER = 'ns1.zonewright.invalid.';

let service: TestService;
let zone: TestDomain;
let file: string;
let counts: ImportBody;
let exported: string;

beforeAll(async () => {
  service = await startTestService({ DEFAULT__DEFAULT_TTL: '86400' });
  zone = await newDomain(service, EXAMPLE_ORG.toString());
  file = withEveryType(await readFile(EXAMPLE, 'utf8'));
  counts = await zone.import(file);
  exported = await zone.export();
});
afterAll(() => service.stop());

/** ldns 1.8 takes the name in an NSAP-PTR for a text. */
const MISREAD: ReadonlySet<string> = new Set(['NSAP-PTR']);

/** The file, and behind it the example of each type that it has no record of. */
function withEveryType(text: string): string {
  const types = new Set(recordsOfFile(text, EXAMPLE_ORG.toString()).map((line) => line.split(' ')[2]));
  const lines = STANDARD_TYPES.filter(({ name }) => !types.has(name) && !MISREAD.has(name)).map((type) => {
    const { name, data, priority } = type.example;
    const rdata = type.parse(data, priority);
    const octets = Buffer.from(rdata).toString('hex');
    return isCommonName(type.name, type.code)
      ? `${name} ${type.name} ${type.toText(rdata)}\n`
      : `${name} TYPE${type.code} \\# ${rdata.length} ${octets}\n`;
  });
  return text + lines.join('');
}

/** The records that were imported: not the SOA, nor the name server of the service. */
function imported(lines: readonly string[]): string[] {
  const ownServer = Buffer.from(DomainName.parse(OWN_SERVER).wire).toString('hex');
  return lines.filter((line) => !line.includes(' SOA ') && !line.endsWith(ownServer));
}

function exportedName({ name, code }: { readonly name: string; readonly code: number }): string {
  return isCommonName(name, code) ? name : `TYPE${code}`;
}

describe('examples/example.org.zone', () => {
  it('has records of every type, and is imported completely', () => {
    expect(counts).toMatchObject({ updated: 0, unchanged: 0, skipped: 1 });
    expect(counts.created).toBeGreaterThanOrEqual(60);
    const types = new Set(linesOfExport(exported).map((line) => line.split(' ')[2]));
    expect([...types]).toEqual(
      expect.arrayContaining([
        ...STANDARD_TYPES.filter(({ name }) => !MISREAD.has(name)).map(exportedName),
        'TYPE65280',
        'SOA',
      ]),
    );
  });

  it('is exported as written', async () => {
    expect(imported(recordsOfFile(exported, zone.name))).toEqual(imported(recordsOfFile(file, zone.name)));
  });

  itWith(NAMED_CHECKZONE)('is exported as BIND reads it', async () => {
    const { records = [], output } = await NAMED_CHECKZONE.read(EXAMPLE_ORG, file);
    expect([output, imported(canonicalRecords(records))]).toEqual([
      output,
      imported(recordsOfFile(exported, zone.name)),
    ]);
  });

  for (const program of ZONE_PROGRAMS)
    itWith(program)(`${program.name} loads the export and reads exactly its records (attack case 104)`, async () => {
      const { records, output } = await program.read(EXAMPLE_ORG, exported);
      expect(output).toBe(records === undefined ? '' : output);
      expect(canonicalRecords(records ?? [])).toEqual(recordsOfFile(exported, zone.name));
    });

  it('is imported again without a change, and a check finds no errors', async () => {
    for (const mode of ['merge', 'replace']) {
      const again = await zone.import(exported, `?mode=${mode}`);
      expect(again).toMatchObject({ created: 0, updated: 0, unchanged: counts.created, removed: 0, skipped: 2 });
    }
    expect((await zone.check()).errors).toEqual([]);
  });
});
