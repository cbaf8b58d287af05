import { lookInto } from './stored.js';

/** A row of the journal, its JSON read. */
export interface JournalEntry {
  readonly number: number;
  readonly serial: number;
  readonly action: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly tenant_id: string;
  readonly request_id: string;
  readonly at: number;
}

type StoredEntry = JournalEntry & { readonly before: string | null; readonly after: string | null };

/** The story of one domain, oldest first, read by a connection of its own. */
export function journalOf(database: string, zoneId: string): JournalEntry[] {
  const rows = lookInto(database, (stored) =>
    stored.rows<StoredEntry>(
      'SELECT number, serial, action, before, after, tenant_id, request_id, at FROM journal WHERE domain_id = ? ORDER BY number',
      zoneId,
    ),
  );
  return rows.map((row) => ({ ...row, before: parse(row.before), after: parse(row.after) }));
}

function parse(json: string | null): unknown {
  return json === null ? null : JSON.parse(json);
}
