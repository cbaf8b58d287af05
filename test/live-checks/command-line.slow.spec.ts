import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Rcode } from '../../src/dns/message/codes.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { LoopbackDns } from '../support/loopback-dns.js';
import { type Ended, runCommand } from '../support/process.js';
import { environmentOf, startTestService, type TestService } from '../support/service.js';

let resolver: LoopbackDns;
let service: TestService;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
  resolver = await LoopbackDns.start({ address: '127.0.0.1', port: 0 }, (name) =>
    name === 'app.herokudns.com.' ? { rcode: Rcode.NXDOMAIN } : { rcode: Rcode.SERVFAIL },
  );
  service = await startTestService({}, directory);
});
afterAll(async () => {
  await service.stop();
  await resolver.stop();
  await rm(directory, { recursive: true });
});

function check({ name }: TestDomain, settings: Record<string, string>): Promise<Ended> {
  return runCommand(directory, environmentOf(directory, settings), ['zone', 'check', name, '--live']);
}

it('27.11 prints the findings of both checks, and exits with 1 on live errors', async () => {
  const settings = { SERVICE_LIVE_CHECKS__RESOLVER: resolver.address };
  const domain = await newDomain(service);
  await domain.import('@ MX 10 none\n');
  const unknown = await check(domain, settings);
  expect(unknown).toMatchObject({ code: 0, stderr: '' });
  expect(unknown.stdout.split('\n').slice(0, 2)).toEqual([
    expect.stringMatching(/^warning: \S+ MX: none\./),
    expect.stringMatching(/^warning: \S+ NS: The delegation is not checked: the resolver answers SERVFAIL\.$/),
  ]);
  expect(unknown.stdout).toMatch(/^notice: \S+ NS: The addresses of \S+ are unknown: .* \[NAMESERVER06\]$/m);
  await domain.newRecord({ name: domain.at('app'), type: 'CNAME', data: 'app.herokudns.com.' });
  const released = await check(domain, settings);
  expect(released).toMatchObject({ code: 1, stderr: `zonewright: ${domain.name} has 1 error in the live DNS\n` });
  expect(released.stdout).toMatch(/^error: app\.\S+ CNAME: The target app\.herokudns\.com\. does not exist\. Anyone/m);
});

it('27.11 needs a resolver on the command line too', async () => {
  const domain = await newDomain(service);
  const ended = await check(domain, {});
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('[service:live_checks]');
});
