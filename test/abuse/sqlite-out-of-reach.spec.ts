import { spawnSync } from 'node:child_process';
import { rename, rm, symlink } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it, jest } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import { itWith } from '../support/run-program.js';
import { MALLORY, type Target, violationsUnder } from './attack.js';
import { TEST_TIMEOUT_MS } from './form.js';

jest.setTimeout(TEST_TIMEOUT_MS);

interface Answered {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

async function makeZone({ clients }: Target): Promise<string> {
  const { call } = clients.as('mallory');
  const body = { name: 'mallory.example.org.', email: 'hostmaster@example.org' };
  const { id } = await bodyOf<{ id: string }>(call('post', '/v1/domains', body));
  await answerOf(call('post', `/v1/domains/${id}/records`, { name: `www.${body.name}`, type: 'A', data: '192.0.2.1' }));
  return id;
}

function mustBeUnavailable(target: Target, what: string, { status, retryAfter, body }: Answered): void {
  target.must(status === 503, `${what} is answered ${status}: ${body}`);
  target.must(/^[1-9]\d*$/.test(String(retryAfter)), `${what} is answered without Retry-After`);
}

function ask(url: string, agent?: Agent): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = get(url, { headers: MALLORY, ...(agent === undefined ? {} : { agent }) }, (answer) => {
      const { statusCode = 0, headers } = answer;
      text(answer).then((body) => resolve({ status: statusCode, retryAfter: headers['retry-after'], body }), reject);
    });
    sent.once('error', reject);
  });
}

/** The good client's changes are refused as well, as they must be; only its reads are held to their time. */
async function faultsWhile(trouble: (target: Target, id: string) => Promise<void>, name: string): Promise<string[]> {
  const violations = await violationsUnder({ name, prepare: makeZone, run: trouble, isAboutReads: true });
  return violations.filter((words) => !words.startsWith('the good client was refused: {"503"'));
}

describe('2.3 a database that is out of reach is 503 and never 500', () => {
  it('while its file is missing: an export, a check, a change', async () => {
    const faults = await faultsWhile(async (target, id) => {
      const { call } = target.clients.as('mallory');
      await rename(target.database, `${target.database}.aside`);
      try {
        for (const path of ['export', 'check'])
          mustBeUnavailable(target, `GET ${path}`, await ask(`${target.url}/v1/domains/${id}/${path}`));
        const changed = await call('put', `/v1/domains/${id}`, { ttl: 77 });
        target.must(changed.status === 503, `a change is answered ${changed.status}`);
      } finally {
        await rename(`${target.database}.aside`, target.database);
      }
    }, 'file missing');
    expect(faults).toEqual([]);
  });

  it('while its directory cannot be looked into: a change, readiness', async () => {
    const faults = await faultsWhile(async (target, id) => {
      const { call, plain } = { ...target.clients, ...target.clients.as('mallory') };
      const aside = `${target.directory}.aside`;
      await rename(target.directory, aside);
      // A link to itself: to look for anything behind it is refused, and not answered with "nothing there".
      await symlink(target.directory, target.directory);
      try {
        const changed = await call('put', `/v1/domains/${id}`, { ttl: 77 });
        target.must(changed.status === 503, `a change is answered ${changed.status}: ${changed.text}`);
        const ready = await plain('get', '/readyz');
        target.must([200, 503].includes(ready.status), `/readyz is answered ${ready.status}`);
      } finally {
        await rm(target.directory);
        await rename(aside, target.directory);
      }
    }, 'directory out of reach');
    expect(faults).toEqual([]);
  });

  const PRLIMIT = { name: 'prlimit', needs: { prlimit: 'util-linux' } };
  itWith(PRLIMIT)('while no descriptor is left: an export', async () => {
    const faults = await faultsWhile(async (target, id) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const path = `${target.url}/v1/domains/${id}`;
      const before = await ask(path, agent);
      target.must(before.status === 200, `the domain is answered ${before.status}`);
      // Open descriptors stay open, including this connection; no new ones can be opened.
      limitDescriptors(target.pid, 3);
      try {
        const exported = await ask(`${path}/export`, agent);
        // A connection that an earlier export has left serves it.
        if (exported.status !== 200) mustBeUnavailable(target, 'an export', exported);
        const list = await ask(`${path}/records`, agent);
        target.must(list.status === 200, `a list is answered ${list.status}`);
      } finally {
        limitDescriptors(target.pid, 4096);
        agent.destroy();
      }
    }, 'no descriptor left');
    expect(faults).toEqual([]);
  });
});

function limitDescriptors(pid: number, most: number): void {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(pid), `--nofile=${most}:`], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}
