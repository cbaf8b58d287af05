import { describe, expect, it } from '@jest/globals';
import type { OutlinedStep } from './history.repository.js';
import { compactSteps } from './change-compaction.js';

/** Steps numbered from 1, as `record action`; no record for a step of the zone. */
async function* outlineOf(...steps: readonly string[]): AsyncGenerator<OutlinedStep[]> {
  for (const [at, step] of steps.entries()) {
    const [recordId, action = ''] = step.split(' ');
    await Promise.resolve();
    yield [{ number: at + 1, action, recordId: recordId === 'zone' ? null : recordId!, octets: 10 }];
  }
}

const netOf = async (...steps: readonly string[]) => {
  const { records } = await compactSteps(outlineOf(...steps));
  return [...records.values()].map(({ id, first, last, existed, exists }) => [id, first, last, existed, exists]);
};

describe('net changes of a record between two moments', () => {
  it('is its first step and its last', async () => {
    expect(await netOf('a record.create', 'b record.update', 'a record.update', 'b record.update')).toEqual([
      ['a', 1, 3, false, true],
      ['b', 2, 4, true, true],
    ]);
  });

  it('is nothing where it came and went', async () => {
    expect(await netOf('a record.create', 'a record.update', 'a record.delete')).toEqual([]);
  });

  it('continues across a deletion and a restore under its id', async () => {
    expect(await netOf('a record.delete', 'a record.create')).toEqual([['a', 1, 2, true, true]]);
    expect(await netOf('a record.create', 'a record.delete', 'a record.create')).toEqual([['a', 3, 3, false, true]]);
    expect(await netOf('a record.delete', 'a record.create', 'a record.delete')).toEqual([['a', 1, 3, true, false]]);
  });
});

it('the first step of the zone itself has its earlier fields', async () => {
  const outline = outlineOf('a record.create', 'zone zone.update', 'zone zone.regenerate');
  expect((await compactSteps(outline)).firstOfZone).toBe(2);
});
