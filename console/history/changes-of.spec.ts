import { describe, expect, it } from '@jest/globals';
import type { HistoryEntry } from '../api/types.js';
import { changesOf } from './changes-of.js';

describe('22.5 the history', () => {
  it('has one item for all entries that were stored together', () => {
    const entry = (number: number, change_id: string, action: HistoryEntry['action']): HistoryEntry =>
      ({
        number,
        change_id,
        action,
        serial: 5,
        at: '2026-11-20T08:30:00.000000',
        actor: null,
        message: number === 2 ? 'Move the mail' : null,
      }) as unknown as HistoryEntry;
    const entries = [entry(3, 'b', 'record.create'), entry(2, 'b', 'record.delete'), entry(1, 'a', 'domain.create')];
    expect(changesOf(entries)).toMatchObject([
      { id: 'b', created: 1, updated: 0, deleted: 1, message: 'Move the mail', latest: 3 },
      { id: 'a', created: 0, updated: 0, deleted: 0, message: null, isCreationOfZone: true },
    ]);
  });
});
