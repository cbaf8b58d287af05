/** What `database.url` names: a SQLite file, a SQLite database that lives as long as the process, or PostgreSQL. */
export type DatabaseLocation =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'memory' }
  | { readonly kind: 'server'; readonly url: string };

const SQLITE = 'sqlite:';

export function locateDatabase(url: string): DatabaseLocation {
  if (!url.startsWith(SQLITE)) return { kind: 'server', url };
  const path = url.slice(SQLITE.length);
  return path === ':memory:' ? { kind: 'memory' } : { kind: 'file', path };
}

/** A server's URL as it may be shown: without user, password and options. */
export function shownUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
