import { readStep, type Snapshot } from '../../src/zones/journal/journal-format.js';
import type { RecordSnapshot } from '../../src/plugins/change-listener.js';
import { formatInstant } from '../../src/common/clock.js';
import { lookInto } from './stored.js';

/** A row of the journal, its snapshots as version 1 shows such records and domains. */
export interface JournalEntry {
  readonly number: number;
  readonly serial: number;
  readonly change_id: string;
  readonly action: string;
  readonly record_id: string | null;
  readonly before: unknown;
  readonly after: unknown;
  readonly tenant_id: string;
  readonly token_id: string | null;
  readonly user_name: string | null;
  readonly request_id: string;
  readonly at: number;
}

type StoredEntry = JournalEntry & { readonly before: string | null; readonly after: string | null };

/** The journal of one domain, oldest first, read through a separate connection. */
export function journalOf(database: string, zoneId: string): JournalEntry[] {
  const rows = lookInto(database, (stored) =>
    stored.rows<StoredEntry>(
      'SELECT number, serial, change_id, action, record_id, before, after, tenant_id, token_id, user_name, request_id, at' +
        ' FROM journal WHERE zone_id = ? ORDER BY number',
      zoneId,
    ),
  );
  return rows.map((row) => {
    const { before, after } = readStep(row);
    return { ...row, before: shown(before, zoneId), after: shown(after, zoneId) };
  });
}

function shown(snapshot: Snapshot | null, zoneId: string): object | null {
  if (snapshot === null) return null;
  const { createdAt, updatedAt, ...kept } = snapshot;
  const times = {
    created_at: formatInstant(createdAt),
    updated_at: updatedAt === null ? null : formatInstant(updatedAt),
  };
  if (!isRecord(snapshot)) return { ...kept, generation: undefined, ...times };
  return { ...kept, domain_id: zoneId, ...times };
}

function isRecord(snapshot: Snapshot): snapshot is RecordSnapshot {
  return 'rdata' in snapshot;
}
