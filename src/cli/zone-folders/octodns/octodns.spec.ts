import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { validRdata } from '../../../../test/support/valid-rdata.js';
import { recordsOfFile } from '../../../../test/support/zone-records.js';
import { type RecordSet, writeRecordSet } from '../../../dns/master-file/master-file-writer.js';
import { DomainName } from '../../../dns/name.js';
import { STANDARD_TYPES } from '../../../dns/rdata/index.js';
import { masterFileOfYaml } from './octodns-reader.js';
import { OCTODNS_TYPES } from './octodns-types.js';
import { yamlOfRecordSets } from './octodns-writer.js';

const ZONE = DomainName.parse('example.org.');
const TYPES = STANDARD_TYPES.filter(({ name }) => OCTODNS_TYPES.includes(name));

const SETS = fc.array(
  fc.oneof(
    ...TYPES.map((type) =>
      fc.record({
        owner: fc.constantFrom('', 'www', '*', 'no', '10', '2', 'a.b', 'x\\.y', '_sip._tcp', '0x1f', "it's"),
        type: fc.constant(type),
        ttl: fc.constantFrom(1, 300, 2_147_483_647),
        rdatas: fc.array(validRdata(type), { minLength: 1, maxLength: type.placement.isSingle ? 1 : 3 }),
      }),
    ),
  ),
  { maxLength: 20 },
);

function toSets(drafts: readonly (Omit<RecordSet, 'owner'> & { readonly owner: string })[]): RecordSet[] {
  const sets = drafts.map(({ owner, ...set }) => ({
    ...set,
    owner: owner === '' ? ZONE : DomainName.parse(owner.replaceAll("'", "\\'"), ZONE),
  }));
  return [...new Map(sets.map((set) => [`${set.owner.key} ${set.type.name}`, set])).values()];
}

function recordsOf(text: string): string[] {
  return recordsOfFile(text, 'example.org.').toSorted();
}

/** Whether octoDNS's schema holds the set. */
function isWritable(set: RecordSet): boolean {
  try {
    yamlOfRecordSets(ZONE, [set]);
    return true;
  } catch {
    return false;
  }
}

describe('octoDNS YAML', () => {
  it('17.10, 17.12 a written zone is read as the same records, for random records of each type', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(SETS, (drafts) => {
        const sets = toSets(drafts).filter(isWritable);
        const yaml = yamlOfRecordSets(ZONE, sets);
        if (sets.length === 0) return;
        const { text } = masterFileOfYaml(yaml, 'example.org.yaml', 'example.org.');
        expect(recordsOf(text)).toEqual(recordsOf(sets.map(writeRecordSet).join('')));
        for (const { type } of sets) seen.set(type.name, (seen.get(type.name) ?? 0) + 1);
      }),
      { numRuns: 150 },
    );
    expect([...seen.keys()].toSorted()).toEqual(TYPES.map(({ name }) => name).toSorted());
  });

  it('17.10, 17.12 texts keep their strings, quotes, semicolons, backslashes and dollar signs', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '"', ';', '\\', ' ', '${A}', 'ä', '\n', '"a', ' ".'),
      maxLength: 200,
    });
    const strings = fc
      .array(text, { minLength: 1, maxLength: 3 })
      .map((parts) => parts.map((part) => Buffer.from(part)));
    const TXT = TYPES.find(({ name }) => name === 'TXT')!;
    let written = 0;
    fc.assert(
      fc.property(strings, (parts) => {
        const rdata = Buffer.concat(
          parts.map((part) => Buffer.concat([Buffer.of(Math.min(255, part.length)), part.subarray(0, 255)])),
        );
        const set = { owner: ZONE, type: TXT, ttl: 60, rdatas: [rdata] };
        if (!isWritable(set)) return;
        written += 1;
        const yaml = yamlOfRecordSets(ZONE, [set]);
        expect(yaml).not.toMatch(/\$\{A/);
        expect(recordsOf(masterFileOfYaml(yaml, 'f', 'example.org.').text)).toEqual(recordsOf(writeRecordSet(set)));
      }),
      { numRuns: 500 },
    );
    expect(written).toBeGreaterThan(300);
  });
});
