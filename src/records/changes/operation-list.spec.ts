import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Caller } from '../../common/caller.js';
import { ServiceError } from '../../common/service-error.js';
import { times } from '../../../test/support/length.js';
import { ALL_TYPES } from '../../../test/support/master-file.js';
import { contentOf, keyOfLabel, stateOf } from '../../../test/support/zone-state.js';
import { ZoneChange } from '../../zones/changes/zone-change.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { applyAll, OperationsRefused } from './operation-list.js';
import type { OperationRules } from './operation-context.js';
import type { DoneOperation, RecordOperation } from './record-operation.js';
import type { RecordGrowth } from '../record-limits.js';
import type { ZoneState } from './state/zone-state.js';

const LABELS = ['@', 'a', 'b', 'x.a'] as const;
const MEMBER: Caller = {
  ...{ tenantId: 'tenant-a', roles: ['member'], allTenants: false },
  ...{ tokenId: null, user: null, requestId: 'req-1' },
};

const rulesWith = (check: OperationRules['check'] = () => undefined): OperationRules => ({
  ...{ types: ALL_TYPES, knownTypes: ALL_TYPES, minTtl: null, check },
});

/** A zone in memory with sequential changes. */
class Zone {
  zone: Readonly<ZoneEntity>;
  private now = 1_763_700_000_000_000;

  constructor(
    readonly state: ZoneState,
    private readonly rules = rulesWith(),
  ) {
    this.zone = state.zone;
  }

  apply(operations: readonly RecordOperation[], isDryRun = false): DoneOperation[] {
    const change = new ZoneChange(this.zone, MEMBER, (this.now += 1_000_000));
    const done = applyAll(this.state, change, operations, this.rules, isDryRun);
    if (!isDryRun) this.zone = change.zoneAfter;
    return done;
  }

  /** The faults of a refusal: the operations' places and the codes. */
  refusal(operations: readonly RecordOperation[]): string[] {
    try {
      this.apply(operations);
    } catch (error) {
      if (error instanceof OperationsRefused)
        return error.faults.map(({ index, error: { code } }) => `${index} ${code}`);
      if (error instanceof ServiceError) return [error.code];
      throw error;
    }
    return [];
  }

  idOf(line: string): string {
    return this.state.recordsLike(contentOf(line))[0]!.id;
  }

  lines(): string[] {
    return linesOf(this.state);
  }
}

function linesOf(state: ZoneState): string[] {
  return LABELS.flatMap((label) =>
    [...state.setsAt(keyOfLabel(label)).values()].flatMap(({ members }) =>
      [...members.values()].map(({ ttl, type, priority, data }) => [label, ttl, type, priority, data].join(' ')),
    ),
  ).sort();
}

const zoneWith = (...lines: string[]): Zone => new Zone(stateOf(lines, LABELS));
const create = (line: string): RecordOperation => ({ action: 'create', content: contentOf(line) });
const replace = (label: string, type: string, ...values: string[]): RecordOperation => ({
  ...{ action: 'replace', ownerKey: keyOfLabel(label), type },
  contents: values.map((value) => contentOf(`${label} ${value}`)),
});

describe('a list of operations is judged by the state that it leads to', () => {
  it('puts a CNAME where an A stood, in either order', () => {
    for (const isReversed of [false, true]) {
      const zone = zoneWith('a A 192.0.2.1');
      const list: RecordOperation[] = [
        create('a CNAME example.net.'),
        { action: 'delete', id: zone.idOf('a A 192.0.2.1') },
      ];
      zone.apply(isReversed ? list.reverse() : list);
      expect(zone.lines()).toEqual(['a  CNAME  example.net.']);
    }
  });

  it('swaps two names', () => {
    const zone = zoneWith('a A 192.0.2.1', 'b A 192.0.2.1');
    const [one, other] = [zone.idOf('a A 192.0.2.1'), zone.idOf('b A 192.0.2.1')];
    zone.apply([
      { action: 'update', id: one, fields: { name: 'b.example.org.' } },
      { action: 'update', id: other, fields: { name: 'a.example.org.' } },
    ]);
    expect([zone.idOf('a A 192.0.2.1'), zone.idOf('b A 192.0.2.1')]).toEqual([other, one]);
  });

  it('stays within a quota that its creates alone would exceed', () => {
    const check = ({ zoneRecords }: RecordGrowth): void => {
      if (zoneRecords !== null && zoneRecords > 1) throw new ServiceError('over_quota', 'one');
    };
    const zone = new Zone(stateOf(['a A 192.0.2.1'], LABELS), rulesWith(check));
    expect(zone.refusal([create('b A 192.0.2.1')])).toEqual(['over_quota']);
    zone.apply([create('b A 192.0.2.1'), { action: 'delete', id: zone.idOf('a A 192.0.2.1') }]);
    expect(zone.lines()).toEqual(['b  A  192.0.2.1']);
  });

  it('refuses operations that break a rule only together, and applies none of them', () => {
    const zone = zoneWith('a A 192.0.2.1');
    expect(zone.refusal([create('b A 192.0.2.1'), create('b CNAME example.net.')])).toEqual([
      '0 invalid_location',
      '1 invalid_location',
    ]);
    expect(zone.refusal([create('x.a A 192.0.2.1'), create('a DNAME example.net.')])).toEqual([
      '0 invalid_location',
      '1 invalid_location',
    ]);
    expect(zone.refusal([create('b A 192.0.2.1'), create('B A 192.0.2.1')])).toEqual([
      '0 duplicate_record',
      '1 duplicate_record',
    ]);
    expect(zone.lines()).toEqual(['a  A  192.0.2.1']);
    expect([...zone.state.changedRecords(), ...zone.state.changedSets()]).toEqual([]);
  });

  it('names every operation at fault', () => {
    const zone = zoneWith('a A 192.0.2.1');
    const nowhere = { action: 'delete', id: '00000000-0000-4000-8000-000000000000' } as const;
    expect(zone.refusal([nowhere, create('b A 192.0.2.1'), { ...nowhere, id: 'x' }])).toEqual([
      '0 record_not_found',
      '2 record_not_found',
    ]);
    expect(zone.refusal([create('a A 192.0.2.1'), create('b A 192.0.2.1'), create('@ CNAME b.')])).toEqual([
      '0 duplicate_record',
      '2 invalid_location',
    ]);
  });

  it('refuses contradictions', () => {
    const zone = zoneWith('a A 192.0.2.1');
    const id = zone.idOf('a A 192.0.2.1');
    const update: RecordOperation = { action: 'update', id, fields: { ttl: 60 } };
    const both = ['0 invalid_object', '1 invalid_object'];
    expect(zone.refusal([update, { action: 'delete', id }])).toEqual(both);
    expect(zone.refusal([replace('a', 'A'), update])).toEqual(both);
    expect(zone.refusal([create('a A 192.0.2.2'), replace('a', 'A')])).toEqual(both);
    expect(zone.refusal([replace('a', 'A'), replace('a', 'A')])).toEqual(both);
    const rename: RecordOperation = { action: 'update', id, fields: { name: 'b.example.org.' } };
    expect(zone.refusal([replace('b', 'A', 'A 192.0.2.9'), rename])).toEqual(both);
  });

  it('replaces a record set; existing records keep their id', () => {
    const zone = zoneWith('a A 192.0.2.1', 'a A 192.0.2.2', 'b A 192.0.2.1');
    const id = zone.idOf('a A 192.0.2.2');
    const [done] = zone.apply([replace('a', 'A', 'A 192.0.2.3', '60 A 192.0.2.2')]);
    expect(zone.lines()).toEqual(['a  A  192.0.2.3', 'a 60 A  192.0.2.2', 'b  A  192.0.2.1']);
    expect(zone.idOf('a A 192.0.2.2')).toBe(id);
    expect(done).toMatchObject({ action: 'replace', records: [{ data: '192.0.2.3' }, { id, version: 2 }] });
    const { serial } = zone.zone;
    zone.apply([replace('a', 'A', 'A 192.0.2.3', '60 A 192.0.2.2')]);
    expect(zone.zone.serial).toBe(serial);
    zone.apply([replace('a', 'A')]);
    expect(zone.lines()).toEqual(['b  A  192.0.2.1']);
  });

  it('a record set that loses its records and gets others in one list keeps its id', () => {
    const zone = zoneWith('a A 192.0.2.1');
    const { id } = zone.state.set(keyOfLabel('a'), 'A')!.row!;
    zone.apply([{ action: 'delete', id: zone.idOf('a A 192.0.2.1') }, create('a A 192.0.2.2')]);
    expect(zone.state.set(keyOfLabel('a'), 'A')!.row).toMatchObject({ id, recordCount: 1 });
  });

  it('checks record preconditions', () => {
    const zone = zoneWith('a A 192.0.2.1');
    const expectation = ({ version }: { version: number }): void => {
      if (version !== 2) throw new ServiceError('change_not_allowed', 'another version');
    };
    const id = zone.idOf('a A 192.0.2.1');
    const list: RecordOperation[] = [{ action: 'update', id, fields: { ttl: 60 }, expect: expectation }];
    expect(zone.refusal(list)).toEqual(['0 change_not_allowed']);
  });

  it('a dry run answers the same and leaves everything', () => {
    const zone = zoneWith('a A 192.0.2.1');
    const before = { lines: zone.lines(), zone: zone.zone };
    const [done] = zone.apply([create('b A 192.0.2.1')], true);
    expect(done).toMatchObject({ action: 'create', record: { name: 'b.example.org.' } });
    expect({ lines: zone.lines(), zone: zone.zone }).toEqual(before);
  });
});

/** Records of the model: label, ttl, type, value; the rules over again, as simply as they can be written. */
type Line = readonly [label: string, ttl: number | null, type: string, value: string];

function breaksARule(lines: readonly Line[]): boolean {
  const isBroken = ([label, , type, value]: Line, at: number): boolean => {
    const others = lines.filter((_, other) => other !== at);
    const here = others.filter(([name]) => name === label);
    const ofSet = here.filter(([, , other]) => other === type);
    if (ofSet.some(([, , , other]) => other === value)) return true;
    if (type === 'CNAME') return label === '@' || here.length > 0;
    if (type === 'MX' && value === '0 .') return ofSet.length > 0;
    if (type === 'DNAME') {
      const isAbove = others.some(([name]) => name !== label && (label === '@' || name.endsWith(`.${label}`)));
      const isBesideNs = label !== '@' && here.some(([, , other]) => other === 'NS');
      return isAbove || isBesideNs || ofSet.length > 0;
    }
    return false;
  };
  return lines.some(isBroken);
}

const VALUES: Readonly<Record<string, readonly string[]>> = {
  A: ['192.0.2.1', '192.0.2.2', '192.0.2.3'],
  CNAME: ['a.example.net.', 'b.example.net.'],
  MX: ['0 .', '10 m.example.net.', '20 m.example.net.'],
  DNAME: ['a.example.net.', 'b.example.net.'],
  NS: ['ns1.example.net.', 'ns2.example.net.'],
};
const anyLine: fc.Arbitrary<Line> = fc
  .constantFrom('A', 'A', 'A', 'CNAME', 'MX', 'MX', 'DNAME', 'NS')
  .chain((type) =>
    fc.tuple(
      fc.constantFrom(...LABELS),
      fc.constantFrom(null, 60, 300),
      fc.constant(type),
      fc.constantFrom(...VALUES[type]!),
    ),
  );

type Step =
  | { readonly kind: 'create'; readonly line: Line }
  | { readonly kind: 'move'; readonly at: number; readonly label: string; readonly ttl: number | null }
  | { readonly kind: 'delete'; readonly at: number };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('create' as const), line: anyLine }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      at: fc.nat(),
      label: fc.constantFrom(...LABELS),
      ttl: fc.constantFrom(null, 60, 300),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('delete' as const), at: fc.nat() }) },
);

const textOf = ([label, ttl, type, value]: Line): string =>
  [label, ...(ttl === null ? [] : [ttl]), type, value].join(' ');
const nameOf = (label: string): string => (label === '@' ? 'example.org.' : `${label}.example.org.`);

/** As many of the lines as may stand together. */
function legal(lines: readonly Line[]): Line[] {
  const kept: Line[] = [];
  for (const line of lines) if (!breaksARule([...kept, line])) kept.push(line);
  return kept;
}

/** The operations that steps stand for, and the lines that they lead to; of each record only the first step counts. */
function plan(
  zone: Zone,
  start: readonly Line[],
  steps: readonly Step[],
): { operations: RecordOperation[]; end: Line[] } {
  const left = new Map(start.map((line, at) => [at, line]));
  const made: Line[] = [];
  const named = new Set<number>();
  const operations = steps.flatMap((step): RecordOperation[] => {
    if (step.kind === 'create') {
      made.push(step.line);
      return [create(textOf(step.line))];
    }
    const at = step.at % Math.max(1, start.length);
    const line = start[at];
    if (line === undefined || named.has(at)) return [];
    named.add(at);
    const id = zone.idOf(textOf(line));
    if (step.kind === 'delete') {
      left.delete(at);
      return [{ action: 'delete', id }];
    }
    left.set(at, [step.label, step.ttl, line[2], line[3]]);
    return [{ action: 'update', id, fields: { name: nameOf(step.label), ttl: step.ttl } }];
  });
  return { operations, end: [...left.values(), ...made] };
}

/** Counters and ttls of the sets match their records. */
function expectSound(zone: Zone): void {
  let records = 0;
  let sets = 0;
  for (const label of LABELS)
    for (const { row, members, exists } of zone.state.setsAt(keyOfLabel(label)).values()) {
      expect(exists).toBe(members.size > 0);
      if (row === null) continue;
      const all = [...members.values()];
      const ttls = all.map(({ ttl }) => ttl).filter((ttl) => ttl !== null);
      expect(row).toMatchObject({
        recordCount: all.length,
        octets: all.reduce((sum, { rdata }) => sum + rdata.length / 2, 0),
        ttl: ttls.length > 0 ? Math.min(...ttls) : null,
      });
      records += all.length;
      sets += 1;
    }
  expect(zone.zone).toMatchObject({ recordCount: records, recordSetCount: sets });
}

const shown = (lines: readonly Line[]): string[] =>
  lines.map(([label, ttl, type, value]) => [label, ttl, type, value].join(' ')).sort();
/** Lines without a priority have an extra blank. */
const withoutBlanks = (lines: readonly string[]): string[] => lines.map((line) => line.replace(/ +/g, ' ')).sort();

describe('any list of operations', () => {
  it('is refused exactly when its final state breaks a rule, gives that state in any order, and changes nothing when refused', () => {
    fc.assert(
      fc.property(
        fc.array(anyLine, { maxLength: 10 }),
        fc.array(anyStep, { minLength: 1, maxLength: 8 }),
        fc.nat(),
        (lines, steps, turn) => {
          const start = legal(lines);
          const zone = zoneWith(...start.map(textOf));
          const { operations, end } = plan(zone, start, steps);
          const turned = [
            ...operations.slice(turn % operations.length),
            ...operations.slice(0, turn % operations.length),
          ];
          const before = zone.lines();
          expect(zone.refusal(operations.length > 1 ? turned : operations).length > 0).toBe(breaksARule(end));
          if (breaksARule(end)) expect(zone.lines()).toEqual(before);
          else expect(withoutBlanks(zone.lines())).toEqual(withoutBlanks(shown(end)));
          expectSound(zone);
        },
      ),
      { numRuns: times(400, 2000) },
    );
  });

  it('equals its operations one by one, where each of those is valid', () => {
    fc.assert(
      fc.property(
        fc.array(anyLine, { maxLength: 10 }),
        fc.array(anyStep, { minLength: 1, maxLength: 8 }),
        (lines, steps) => {
          const start = legal(lines);
          const [together, oneByOne] = [zoneWith(...start.map(textOf)), zoneWith(...start.map(textOf))];
          const isLegal = plan(oneByOne, start, steps).operations.every((one) => oneByOne.refusal([one]).length === 0);
          fc.pre(isLegal);
          together.apply(plan(together, start, steps).operations);
          expect(together.lines()).toEqual(oneByOne.lines());
          expectSound(oneByOne);
          expectSound(together);
        },
      ),
      { numRuns: times(150, 500) },
    );
  });
});
