import { join } from 'node:path';
import { Daemon } from '../name-servers/daemon.js';
import { environmentAt } from './debian.js';

const PATIENCE = 120_000;
/** The database file in its directory, next to `fernet-keys` and `credential-keys`. */
export const DATABASE = 'keystone.db';
export const CONFIGURATION = 'keystone.conf';

/** Keystone on that port of 127.0.0.1, with the data and the configuration of the directory. */
export function keystoneProcess(directory: string, port: number): Daemon {
  const environment = environmentAt(directory, {
    OS_KEYSTONE_CONFIG_DIR: directory,
    OS_KEYSTONE_CONFIG_FILES: join(directory, CONFIGURATION),
  });
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  const server = ['uwsgi_python3', '--plugins', 'python3', '--http-socket', `127.0.0.1:${port}`, '--disable-logging'];
  // More processes or threads than one would wait for SQLite's lock.
  const life = ['--master', '--lazy-apps', '--processes', '1', '--threads', '1', '--die-on-term', '--no-orphans'];
  const messages = ['--buffer-size', '65535', '--rem-header', 'Content-Length', '--add-header', 'Connection: close'];
  const application = ['--wsgi-file', '/usr/bin/keystone-wsgi-public', '--chdir', directory];
  const command = ['env', '-i', ...variables, ...server, ...life, ...messages, ...application] as const;
  return new Daemon([...command], () => answers(`http://127.0.0.1:${port}/v3`), PATIENCE);
}

async function answers(url: string): Promise<boolean> {
  try {
    const { ok } = await fetch(url, { signal: AbortSignal.timeout(PATIENCE) });
    return ok;
  } catch {
    return false;
  }
}

/**
 * Fast, for tests only: few rounds of hashing, and a cache in its one process, without which a token takes it half a
 * second. The catalogue is changed behind its back, and not cached.
 *
 * @param tokenLifetime in seconds
 */
export function keystoneConfiguration(directory: string, tokenLifetime: number): string {
  return `[DEFAULT]
log_dir = ${directory}
use_stderr = False
[database]
connection = sqlite:///${join(directory, DATABASE)}?timeout=30
[token]
provider = fernet
expiration = ${tokenLifetime}
[identity]
password_hash_rounds = 4
[fernet_tokens]
key_repository = ${join(directory, 'fernet-keys')}
[fernet_receipts]
key_repository = ${join(directory, 'fernet-keys')}
[credential]
key_repository = ${join(directory, 'credential-keys')}
[catalog]
caching = false
[cache]
enabled = true
backend = dogpile.cache.memory
[oslo_policy]
policy_dirs = ${join(directory, 'policy.d')}
`;
}
