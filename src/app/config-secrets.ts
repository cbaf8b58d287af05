import type { Config } from '../config/config.js';
import { locateDatabase } from '../database/database-url.js';
import { parseServerList } from '../database/postgres/server-list.js';

/** Whatever of a configuration must not be shown to anybody. */
export function secretsOf({ auth, database, keystone, mdns }: Config): string[] {
  const secrets = [auth.adminToken, keystone.password, ...mdns.tsigKeys.map(({ secret }) => secret)];
  return [...secrets, ...[database.url, ...database.readUrls].flatMap(passwordsIn)].filter(
    (secret): secret is string => secret !== null && secret !== '',
  );
}

/** As the URL writes it, and as the database is told it. */
function passwordsIn(url: string): string[] {
  if (locateDatabase(url).kind !== 'server') return [];
  const { password } = new URL(parseServerList(url).urlOfFirst);
  return [password, decoded(password)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
