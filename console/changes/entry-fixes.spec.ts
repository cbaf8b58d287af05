import { expect, it } from '@jest/globals';
import type { PlanFinding } from '../api/types.js';
import { record } from '../testing/record.js';
import { fixesOf } from './entry-fixes.js';
import { draftOf, type Entry } from './pending.js';

const missing: PlanFinding = {
  ...{ severity: 'warning', name: 'example.org.', type: 'MX', message: '', kind: 'no_address' },
  text: 'mail.example.org.',
};
const deletion: Entry = { action: 'delete', key: 'mail', before: record('mail') };
const mx: Entry = {
  ...{ action: 'create', key: 'mx' },
  record: { ...draftOf(record('mx')), name: 'Example.org.', type: 'MX' },
};

it('22.16 offers to keep the address that a change deletes, or else to add one', () => {
  expect(fixesOf(missing, [deletion])).toEqual([{ kind: 'keep', entry: deletion }]);
  expect(fixesOf(missing, [mx])).toEqual([
    { kind: 'add', name: 'mail.example.org.' },
    { kind: 'edit', entry: mx },
  ]);
});

it('22.16 offers to edit the change that a finding is about, and nothing for other records', () => {
  const finding: PlanFinding = {
    ...{ severity: 'warning', name: 'mail.example.org.', type: 'A', message: '' },
    kind: 'not_a_host_name',
  };
  expect(fixesOf(finding, [deletion])).toEqual([{ kind: 'keep', entry: deletion }]);
  expect(fixesOf({ ...finding, type: 'AAAA' }, [deletion, mx])).toEqual([]);
});
