import { readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { bodyOf, expectStatus } from '../support/answers.js';
import { MALLORY, type Target, violationsUnder } from './attack.js';
import type { FloodReport } from './flood.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';
import { unlimitedChanges } from './options.js';

jest.setTimeout(TEST_TIMEOUT_MS);

const MIB = 2 ** 20;
const SPACE_MIB = 4;
/**
 * Each domain has more than 1 MiB of text, which is spooled; all domains together exceed the spool limit several times.
 */
const DOMAINS = inForm(4, 10);
const RECORDS = 19;
const TEXT = `"${'x'.repeat(255)}" `.repeat(235);
const AT_ONCE = 4;

async function makeDomains({ clients }: Target): Promise<string[]> {
  const client = clients.as('mallory');
  const file = Array.from({ length: RECORDS }, (_, at) => `h${at} TXT ${TEXT}\n`).join('');
  const ids: string[] = [];
  for (let at = 0; at < DOMAINS; at += 1) {
    const body = { name: `mallory-${at}.example.net.`, email: 'hostmaster@example.org' };
    const { id } = await bodyOf<{ id: string }>(client.call('post', '/v1/domains', body));
    expectStatus(await client.call('post', `/v1/domains/${id}/import`).set('Content-Type', 'text/dns').send(file), 200);
    ids.push(id);
  }
  return ids;
}

/** Octets of unlinked spool files of the service. */
async function spooled(pid: number): Promise<number> {
  let octets = 0;
  for (const descriptor of await readdir(`/proc/${pid}/fd`)) {
    const place = join(`/proc/${pid}/fd`, descriptor);
    const isSpool = await readlink(place).then(
      (link) => link.includes('.zonewright-spool-'),
      () => false,
    );
    if (isSpool)
      octets += await stat(place).then(
        ({ size }) => size,
        () => 0,
      );
  }
  return octets;
}

describe('concurrent exports of many domains', () => {
  it('leave others theirs, and half of export_space on the disk', async () => {
    const violations = await violationsUnder({
      name: `exports of ${DOMAINS} domains`,
      settings: {
        ...unlimitedChanges(),
        SERVICE_API__EXPORT_SPACE: String(SPACE_MIB),
        SERVICE_API__MAX_BODY_SIZE: '10 MiB',
      },
      prepare: makeDomains,
      run: async (target, ids) => {
        const floods = ids.map((id) =>
          target.flood({
            kind: 'requests',
            parallel: AT_ONCE,
            times: inForm(AT_ONCE * 2, AT_ONCE * 20),
            method: 'GET',
            path: `/v1/domains/${id}/export`,
            headers: MALLORY,
          }),
        );
        const reports: FloodReport[] = [];
        for (const { ended } of floods) reports.push(await ended);
        const kept = (await spooled(target.pid)) / MIB;
        target.note({ kept, statuses: reports.map(({ statuses }) => statuses) });
        target.must(kept <= SPACE_MIB / 2, `${kept.toFixed(1)} MiB of texts are kept for one tenant`);
        target.must(kept > 0, 'no text is kept');
      },
    });
    expect(violations).toEqual([]);
  });
});
