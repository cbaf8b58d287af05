import { once } from 'node:events';
import { spawnTied } from '../children.js';
import type { Program } from '../run-program.js';

/** PostgreSQL of Debian: the one that comes with the programs for backups, which refuse a server that is newer. */
export const DEBIAN_POSTGRES: Program = {
  name: 'PostgreSQL with pg_dump',
  needs: { pg_virtualenv: 'postgresql', pg_dump: 'postgresql', pg_restore: 'postgresql', createdb: 'postgresql' },
};

export interface DebianPostgres {
  /** As a superuser. */
  readonly url: string;
  remove(): Promise<void>;
}

/** A server that ends with this process in every case: it exits at the end of its input. */
export async function startDebianPostgres(): Promise<DebianPostgres> {
  const script = 'env | grep ^PG; echo ready; read end';
  const child = spawnTied('pg_virtualenv', ['-t', '-o', 'fsync=off', 'sh', '-c', script], { stdio: 'pipe' });
  const ended = once(child, 'close');
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (/^ready$/m.test(output)) resolve();
    });
    void ended.then(() => reject(new Error(`PostgreSQL did not start: ${output}`)));
  });
  const [user, password, port] = ['PGUSER', 'PGPASSWORD', 'PGPORT'].map((name) => valueOf(name, output));
  return {
    url: `postgresql://${user}:${password}@127.0.0.1:${port}/postgres`,
    remove: async () => {
      child.stdin.end('\n');
      await ended;
    },
  };
}

function valueOf(name: string, environment: string): string {
  return new RegExp(`^${name}=(.*)$`, 'm').exec(environment)?.[1] ?? '';
}
