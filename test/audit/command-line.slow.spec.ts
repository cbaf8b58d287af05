import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf } from '../support/answers.js';
import { AUDIT_ON, readLines } from '../support/audit-entries.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { type Ended, runCommand } from '../support/process.js';
import { environmentOf, removeTestData, startTestService, type TestService } from '../support/service.js';

let service: TestService;
let directory: string;
let domain: TestDomain;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-audit-'));
  service = await startTestService(AUDIT_ON, directory);
  domain = await newDomain(service.as('acme'), 'example.org.');
  await domain.newRecord();
  await answerOf(service.call('patch', '/admin/quotas/\u001b%5B31mred', { quota: { zones: 3 } }));
});
afterAll(async () => {
  await service.stop();
  await removeTestData(directory);
});

const run = (...args: string[]): Promise<Ended> => runCommand(directory, environmentOf(directory), args);

describe('zonewright audit', () => {
  it('14.6, 17.2 shows what the operator did to tokens, without secrets', async () => {
    const made = await run('token', 'create', '--tenant', 'acme', '--description', 'for a test');
    const token = made.stdout.trim();
    const id = /id ([0-9a-f-]{36})/.exec(made.stderr)![1]!;
    await run('token', 'revoke', id);
    const { code, stdout, stderr } = await run('audit', '--json', '--action', 'token', '--tenant', 'acme');
    expect([code, stderr]).toEqual([0, '']);
    const actor = { tenant_id: 'admin', token_id: null, user: 'operator', address: null };
    expect(readLines(stdout)).toMatchObject([
      { action: 'token.revoke', actor, subject: { id, name: 'for a test' } },
      { action: 'token.create', actor, subject: { id, name: 'for a test' }, tenant_id: 'acme' },
    ]);
    expect(token).toMatch(/^zw_/);
    expect(stdout).not.toContain(token);
  });

  it('14.6 writes the lines that the interface writes', async () => {
    const { text } = await answerOf(service.call('get', '/admin/audit?format=jsonl&domain=example.org.'));
    expect((await run('audit', '--json', '--domain', 'Example.org')).stdout).toBe(text);
  });

  it('14.6 draws a table without terminal control sequences', async () => {
    const { code, stdout } = await run('audit', '--domain', 'example.org', '--limit', '2');
    expect(code).toBe(0);
    const [titles, ...rows] = stdout.trimEnd().split('\n');
    expect(titles).toMatch(/^TIME +WHO +FROM +ACTION +WHAT +REQUEST$/);
    expect(rows[0]).toMatch(/^\S+ +acme +127\.0\.0\.1 +record\.create +www\.example\.org\. A +req-\S+$/);
    expect(rows[1]).toMatch(/^\S+ +acme +127\.0\.0\.1 +domain\.create +example\.org\. +req-\S+$/);
    const quota = await run('audit', '--action', 'quota');
    expect(quota.stdout).toContain('\\u{1b}');
    expect(quota.stdout).not.toContain('\u001b');
  });

  it('14.6 exits with 1 and one line for invalid arguments', async () => {
    for (const [option, value] of [
      ['--action', 'zone'],
      ['--since', 'yesterday'],
      ['--until', ''],
      ['--limit', '0'],
    ] as const) {
      const { code, stdout, stderr } = await run('audit', option, value);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(new RegExp(`^[^\\n]*${option}[^\\n]*\\n$`));
    }
  });
});
