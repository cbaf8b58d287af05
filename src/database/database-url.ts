import { reader } from '../config/readers.js';
import { parseServerList, ServerListError, type SessionAttributes } from './postgres/server-list.js';

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

export const databaseUrl = reader(
  'sqlite:<path>, sqlite::memory: or postgresql://user:password@host/name, with several hosts as in a:5432,b:5432',
  (text) => {
    if (whyNot(text) !== undefined) return undefined;
    if (text.startsWith(SQLITE)) return /^sqlite:\S/.test(text) ? text : undefined;
    if (!isServer(text)) return undefined;
    const url = withFullScheme(text);
    return URL.canParse(parseServerList(url).urlOfFirst) ? url : undefined;
  },
  whyNot,
);

/** `[database] read_urls`; each standby is asked separately. */
export const standbyUrl = reader('postgresql://user:password@host/name, the URL of one standby', (text) => {
  if (!isServer(text) || whyNoServers(withFullScheme(text)) !== undefined) return undefined;
  const url = withFullScheme(text);
  return parseServerList(url).servers.length === 1 && URL.canParse(url) ? url : undefined;
});

function isServer(text: string): boolean {
  return /^postgres(?:ql)?:\/\/[^\s#]+$/.test(text);
}

function withFullScheme(text: string): string {
  return text.replace(/^postgres:/, 'postgresql:');
}

function whyNot(text: string): string | undefined {
  return isServer(text) ? whyNoServers(withFullScheme(text)) : whyNoPath(text);
}

function whyNoServers(url: string): string | undefined {
  try {
    const { attributes } = parseServerList(url);
    if (attributes === null || MAY_BE_PRIMARY.has(attributes)) return undefined;
    return `target_session_attrs = ${attributes} leads to a standby, and the service changes data: primary, read-write or any`;
  } catch (error) {
    if (error instanceof ServerListError) return error.message;
    throw error;
  }
}

const MAY_BE_PRIMARY: ReadonlySet<SessionAttributes> = new Set(['primary', 'read-write', 'any']);

/** Other programs read three slashes as a relative path, and a mistyped `:memory:` would become a file. */
function whyNoPath(text: string): string | undefined {
  if (text.startsWith('sqlite://'))
    return 'a path follows sqlite: without //, because programs disagree on what three slashes begin';
  if (text.startsWith('sqlite::') && text !== 'sqlite::memory:')
    return 'a path does not begin with a colon, because it may be sqlite::memory: mistyped';
  return undefined;
}
