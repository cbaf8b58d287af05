import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from '@jest/globals';
import { spawnTied } from '../support/children.js';
import { documented, freePort } from '../support/name-servers/name-servers.js';
import { itWith } from '../support/run-program.js';

const EXAMPLE = {
  name: 'examples/publishing',
  needs: { knotd: 'knot', dig: 'bind9-dnsutils', curl: 'curl', bash: 'bash', setpriv: 'util-linux' },
};

let directory = '';
let example: ChildProcess | undefined;
afterEach(async () => {
  example?.kill();
  if (example?.exitCode === null) await once(example, 'exit');
  example = undefined;
  if (directory !== '') await rm(directory, { recursive: true, force: true });
  directory = '';
});

describe('examples/publishing', () => {
  itWith(EXAMPLE)('12.1 dig shows the record that curl has made, as the example says', async () => {
    directory = await mkdtemp(join(tmpdir(), 'zonewright-example-'));
    const said = await startExample(directory);
    const commands = [...said.matchAll(/^ {2}(\S.*)$/gm)].map(([, command]) => command);
    const { stdout } = await promisify(execFile)('bash', ['-euc', commands.join('\n')]);
    expect(stdout.split('\n').at(-2)).toBe('192.0.2.3');
  });

  it('has Knot as docs/publishing.md has it', async () => {
    const text = await readFile('examples/publishing/knot.conf', 'utf8');
    const own = text
      .replace(/^#.*\n/, '')
      .replace('  rundir: DATA\n', '')
      .replace(/\nlog:.*$/s, '');
    const [secret = ''] = /(?<=secret: )\S+/.exec(documented('knot.conf')) ?? [];
    const theirs = documented('knot.conf')
      .replaceAll('192.0.2.1', '127.0.0.1')
      .replace('192.0.2.53@53', '127.0.0.1@5300')
      .replaceAll('/var/lib/knot', 'DATA')
      .replace(secret, 'SECRET');
    expect(own).toBe(theirs);
  });
});

/** All that it says until it has said how to try it. */
async function startExample(data: string): Promise<string> {
  const [api, primary, knot] = [await freePort(), await freePort(), await freePort()];
  const ports = { ZONEWRIGHT_PORT: String(api), PRIMARY_PORT: String(primary), KNOT_PORT: String(knot) };
  const child = spawnTied('bash', ['examples/publishing/start.sh'], { env: { ...process.env, ...ports, DATA: data } });
  example = child;
  let said = '';
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => {
      said += text.toString();
      if (said.includes("Knot's log is in")) resolve(said.slice(said.indexOf('Make a domain')));
    });
    child.stderr.on('data', (text: Buffer) => (said += text.toString()));
    child.once('exit', () => reject(new Error(said)));
  });
}
