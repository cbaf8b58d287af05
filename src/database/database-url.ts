/** What `database.url` names: a SQLite file, or a SQLite database that lives as long as the process. */
export type DatabaseLocation = { readonly kind: 'file'; readonly path: string } | { readonly kind: 'memory' };

const SQLITE = 'sqlite:';

/** @throws Error for a URL that this version cannot open */
export function locateDatabase(url: string): DatabaseLocation {
  if (!url.startsWith(SQLITE)) throw new Error('PostgreSQL is not supported yet: use sqlite:<path> or sqlite::memory:');
  const path = url.slice(SQLITE.length);
  return path === ':memory:' ? { kind: 'memory' } : { kind: 'file', path };
}
