import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Rcode } from '../../src/dns/message/codes.js';
import type { TsigAlgorithm } from '../../src/dns/message/tsig/tsig-key.js';
import { newDomain } from '../support/domain.js';
import { type Ended, runCommand, startServiceProcess, type ServiceProcess } from '../support/process.js';
import { clientsOf, environmentOf } from '../support/service.js';
import { until } from '../support/until.js';
import { add, TAKES_UPDATES, tsigKeyOf, Updater } from '../support/updates.js';

let directory: string;
let env: Record<string, string>;
let service: ServiceProcess;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
  env = environmentOf(directory, TAKES_UPDATES);
  service = await startServiceProcess(directory, env);
});
afterAll(async () => {
  service.signal('SIGTERM');
  await service.ended;
  await rm(directory, { recursive: true });
});

const run = (...args: string[]): Promise<Ended> => runCommand(directory, env, ['update-key', ...args]);

/** An updater with the printed key. */
function updaterWith(printed: string): Updater {
  const [algorithm = '', name = '', secret = ''] = printed.trim().split(':');
  const port = Number(/dns:\/\/127\.0\.0\.1:(\d+)/.exec(service.output().stdout)?.[1]);
  // The command prints an algorithm that the service supports.
  return new Updater({ port }, tsigKeyOf({ algorithm: algorithm as TsigAlgorithm, name, secret }));
}

describe('zonewright update-key', () => {
  it('17.6, 20.8 creates, lists and revokes a key while the service runs', async () => {
    const domain = await newDomain(clientsOf(service.url), 'example.org.');
    const asked = { updates: [add(domain.at('www'), 60, 'A', '192.0.2.1')] };
    const limits = ['--domain', 'example.org.', '--type', 'A,AAAA', '--from', '127.0.0.0/8'];
    const made = await run(
      'create',
      'dhcp.example.org',
      '--tenant',
      'tenant-a',
      ...limits,
      '--expires',
      '1h',
      '--algorithm',
      'hmac-sha512',
    );
    expect(made).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^hmac-sha512:dhcp\.example\.org\.:\S{88}\n$/),
    });
    const updater = updaterWith(made.stdout);
    // The service looks once a second.
    await until(async () => (await updater.update(domain.name, asked).catch(() => '')) === 'NOERROR');
    const { stdout } = await run('list');
    expect(stdout).toMatch(
      / {2}dhcp\.example\.org\. {2}hmac-sha512 {2}"tenant-a" {2}created .* {2}expires .* {2}domains=example\.org\. {2}types=A,AAAA {2}networks=127\.0\.0\.0\/8 {2}\n/,
    );
    expect(stdout).not.toContain(made.stdout.trim().split(':')[2]);
    expect(await run('revoke', 'dhcp.example.org')).toEqual({
      code: 0,
      stdout: 'revoked dhcp.example.org.\n',
      stderr: '',
    });
    // Effective immediately, despite caches in the process.
    const refusal = await updater.update(domain.name, asked).catch((error: unknown) => error);
    expect([expect.objectContaining({ code: Rcode.BADKEY }), 'REFUSED']).toContainEqual(refusal);
    expect((await run('list')).stdout).toContain('  revoked ');
  });

  it('17.6 reads a secret from a file, and does not print it', async () => {
    const file = join(directory, 'secret');
    await writeFile(file, 'MDEyMzQ1Njc4OWFiY2RlZg==\n');
    const made = await run('create', 'given.', '--tenant', 'tenant-a', '--secret-file', file);
    expect(made).toMatchObject({ code: 0, stdout: 'hmac-sha256:given.\n' });
    expect(made.stderr).not.toContain('MDEy');
  });

  it.each<[string, string[], RegExp]>([
    ['no tenant', ['create', 'k.'], /tenant/],
    ['a name that is none', ['create', 'no name', '--tenant', 'a'], /a domain name/],
    [
      'an algorithm that is not served',
      ['create', 'k.', '--tenant', 'a', '--algorithm', 'hmac-md5'],
      /one of hmac-sha256/,
    ],
    ['an expiry in the past', ['create', 'k.', '--tenant', 'a', '--expires', '2020-01-01'], /future/],
    ['a file that is not there', ['create', 'k.', '--tenant', 'a', '--secret-file', 'none'], /none/],
    ['a key that is not there', ['revoke', 'nothing'], /no valid update key nothing/],
  ])('17.6 refuses %s in one line', async (_, args, reason) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(reason);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});
