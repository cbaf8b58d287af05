import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { spawnTied } from '../support/children.js';
import { read } from '../support/documents.js';
import { freePort } from '../support/name-servers/name-servers.js';
import { itWith } from '../support/run-program.js';

jest.setTimeout(120_000);

const PROGRAMS = {
  name: 'the quick start',
  needs: { bash: 'bash', curl: 'curl', dig: 'bind9-dnsutils', openstack: 'python3-designateclient' },
};
/** A block of shell commands, indented or not. */
const SHELL = /^(?<indent> *)```sh\n(?<commands>.*?)^ *```$/gms;

let folder = '';
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('README.md and docs/first-steps.md', () => {
  itWith(PROGRAMS)('have commands that create zones and records, and dig answers', async () => {
    const [quickStart = ''] = blocksOf('README.md').filter((commands) => commands.includes('npm start &'));
    const said = await runBlocks([quickStart, 'echo the first steps', ...blocksOf('docs/first-steps.md')]);
    const [started = '', tutorial = ''] = said.split('the first steps\n');
    expect(started.trimEnd().split('\n').at(-1)).toBe('192.0.2.3');
    expect(tutorial).toContain('"ttl":300');
    expect(tutorial).toContain('"code":400,"type":"invalid_object"');
    expect(tutorial).toContain('tenant acme, roles member');
    expect(tutorial).toMatch(/^stored in example\.org\.: \d+ created, .* 1 removed/m);
    expect(tutorial).toContain('example.org. has no errors');
    expect(tutorial).toContain('"zone_records":2,');
    expect(tutorial).toMatch(/^\| records +\| 192\.0\.2\.3 +\|$/m);
  });

  it('have one block of commands in the README', () => {
    expect(blocksOf('README.md').length).toBe(1);
  });
});

function blocksOf(path: string): string[] {
  return [...read(path).matchAll(SHELL)].map(({ groups }) =>
    (groups?.commands ?? '').replace(new RegExp(`^${groups?.indent ?? ''}`, 'gm'), ''),
  );
}

/** Runs the blocks sequentially in a folder with the package scripts. Returns their output. */
async function runBlocks(blocks: readonly string[]): Promise<string> {
  folder = await mkdtemp(join(tmpdir(), 'zonewright-quick-start-'));
  const scripts = { start: 'exec node scripts/start.mjs', zonewright: 'exec node scripts/zonewright.mjs' };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, scripts }));
  for (const name of ['scripts', 'examples']) await symlink(resolve(name), join(folder, name));
  const [api, dns] = [await freePort(), await freePort()];
  const commands = [...blocks, 'kill %1', 'wait']
    .join('\n')
    .replaceAll('9001', String(api))
    .replaceAll('5354', String(dns));
  const env = {
    ...process.env,
    // As docs/first-steps.md has it for quotas, without the start in between.
    ZONEWRIGHT_SERVICE_API__LISTEN: `127.0.0.1:${api}`,
    ZONEWRIGHT_SERVICE_API__ENABLE_API_ADMIN: 'True',
    ZONEWRIGHT_SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas',
  };
  const child = spawnTied('bash', ['-mc', commands], { cwd: folder, env });
  let said = '';
  child.stdout.on('data', (text: Buffer) => (said += text.toString()));
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  await once(child, 'exit');
  return said;
}
