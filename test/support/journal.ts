import Database from 'better-sqlite3';

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

/** The story of one domain, oldest first, read from the file by a connection of its own. */
export function journalOf(databaseFile: string, domainId: string): JournalEntry[] {
  const database = new Database(databaseFile, { readonly: true, fileMustExist: true });
  try {
    const rows = database
      .prepare(
        'SELECT number, serial, action, before, after, tenant_id, request_id, at FROM journal WHERE domain_id = ? ORDER BY number',
      )
      .all(domainId) as (JournalEntry & { before: string | null; after: string | null })[];
    return rows.map((row) => ({ ...row, before: parse(row.before), after: parse(row.after) }));
  } finally {
    database.close();
  }
}

function parse(json: string | null): unknown {
  return json === null ? null : JSON.parse(json);
}
