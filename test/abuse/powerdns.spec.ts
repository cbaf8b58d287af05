import { describe, expect, it, jest } from '@jest/globals';
import { expectStatus } from '../support/answers.js';
import { WITH_POWERDNS } from '../support/powerdns.js';
import { MALLORY, type Target, violationsUnder } from './attack.js';
import { getRequest } from './flood.js';
import { inForm, TEST_TIMEOUT_MS } from './form.js';
import { unlimitedChanges } from './options.js';

jest.setTimeout(TEST_TIMEOUT_MS);

const ZONES = '/api/v1/servers/localhost/zones';
const NAME = 'mallory.example.net.';
const HEADERS = { ...MALLORY, 'X-API-Key': 'any' };
/** As many as a request may have, and the ones that it is refused for come last. */
const SETS = inForm(2000, 5000);
const ROOMY = {
  DEFAULT__QUOTA_ZONE_RECORDS: '10000',
  DEFAULT__QUOTA_ZONE_RECORDSETS: '10000',
};

const rrset = (at: number, content: string): object => ({
  ...{ name: `h${at}.${NAME}`, type: 'TXT', ttl: 60, changetype: 'REPLACE' },
  records: [{ content, disabled: at % 2 === 0 }],
  comments: [{ content: 'x'.repeat(100), account: 'mallory' }],
});

function patchOf(count: number, last: string): string {
  const sets = Array.from({ length: count }, (_, at) => rrset(at, `"${'x'.repeat(100)}"`));
  return JSON.stringify({ rrsets: [...sets, rrset(count, last)] });
}

async function makeZone(target: Target): Promise<void> {
  const zone = { name: NAME, kind: 'Native', nameservers: [] };
  const made = await target.clients.as('mallory').call('post', ZONES, zone).set('X-API-Key', 'any');
  expectStatus(made, 201);
}

/** Sends these requests for a while and records their outcome. */
async function flood(
  target: Target,
  requests: readonly { method: string; path: string; body?: string }[],
): Promise<void> {
  const floods = requests.map((request) =>
    target.flood({ kind: 'requests', parallel: 4, times: inForm(5, 50), headers: HEADERS, ...request }),
  );
  await target.hold(inForm(4000, 20_000));
  target.note({ floods: await Promise.all(floods.map((one) => one.end())) });
}

describe('the heaviest users of the PowerDNS API', () => {
  it('21.6 do not slow down others with large PATCH requests: refused by the last entry, by a quota, or repeated', async () => {
    const violations = await violationsUnder({
      name: 'large PATCHes',
      settings: { ...WITH_POWERDNS, ...unlimitedChanges() },
      prepare: makeZone,
      run: (target) =>
        flood(target, [
          { method: 'PATCH', path: `${ZONES}/${NAME}`, body: patchOf(SETS - 1, 'no quotes') },
          { method: 'PATCH', path: `${ZONES}/${NAME}`, body: patchOf(SETS - 1, '"over the quota"') },
          { method: 'PATCH', path: `${ZONES}/${NAME}`, body: patchOf(300, '"fits"') },
        ]),
    });
    expect(violations).toEqual([]);
  });

  it('21.2, 21.10 do not slow down others with searches and invalid bodies', async () => {
    const search = (pattern: string): string =>
      `/api/v1/servers/localhost/search-data?q=${encodeURIComponent(pattern)}&max=10000`;
    const violations = await violationsUnder({
      name: 'searches by wildcards',
      settings: { ...WITH_POWERDNS, ...unlimitedChanges() },
      prepare: async (target) => {
        await makeZone(target);
        const fill = target.clients.as('mallory').call('patch', `${ZONES}/${NAME}`, patchOf(400, '"x"'));
        expectStatus(await fill.set('X-API-Key', 'any'), 204);
      },
      run: (target) =>
        flood(target, [
          { method: 'GET', path: search('*x'.repeat(400) + 'y') },
          { method: 'GET', path: search('*') },
          { method: 'GET', path: `${ZONES}/${NAME}` },
          { method: 'PATCH', path: `${ZONES}/${NAME}`, body: `{"rrsets":${'['.repeat(100_000)}` },
          { method: 'POST', path: ZONES, body: JSON.stringify({ name: 'x.'.repeat(2000), kind: 'Native' }) },
        ]),
    });
    expect(violations).toEqual([]);
  });

  it('21.5 do not slow down others by requesting a zone without reading the response', async () => {
    const violations = await violationsUnder({
      name: "a zone of PowerDNS's API, nothing read",
      settings: { ...WITH_POWERDNS, ...unlimitedChanges(), ...ROOMY },
      prepare: async (target) => {
        await makeZone(target);
        const patch = patchOf(SETS - 1, '"x"');
        const fill = target.clients.as('mallory').call('patch', `${ZONES}/${NAME}`, patch);
        expectStatus(await fill.set('X-API-Key', 'any'), 204);
      },
      run: async (target) => {
        const octets = getRequest(`${ZONES}/${NAME}`, HEADERS);
        const connections = inForm(60, 120);
        const unread = target.flood({
          ...{ kind: 'connections', connections, octets, times: 20 },
          ...{ reads: 'nothing', reopens: true },
        });
        await target.hold(inForm(4000, 20_000));
        target.note(await unread.end());
      },
    });
    expect(violations).toEqual([]);
  });

  it('21.6, 21.9 do not slow down others with a record set full of comments and disabled records', async () => {
    const name = `full.${NAME}`;
    const one = { name, type: 'TXT', ttl: 60 };
    const records = [{ content: '"x"', disabled: true }];
    const comments = Array.from({ length: 55 }, (_, at) => ({
      content: `${at} ${'x'.repeat(1000)}`,
      account: 'mallory',
    }));
    const patch = (...rrsets: readonly object[]) => ({
      ...{ method: 'PATCH', path: `${ZONES}/${NAME}` },
      body: JSON.stringify({ rrsets }),
    });
    const violations = await violationsUnder({
      name: 'comments that fill their room',
      settings: { ...WITH_POWERDNS, ...unlimitedChanges() },
      prepare: async (target) => {
        await makeZone(target);
        const filled = patch({ ...one, changetype: 'REPLACE', records, comments });
        const fill = target.clients.as('mallory').call('patch', filled.path, filled.body);
        expectStatus(await fill.set('X-API-Key', 'any'), 204);
      },
      run: (target) =>
        flood(target, [
          patch({ ...one, changetype: 'EXTEND', records: [{ content: '"y"', disabled: true }] }),
          patch({ ...one, changetype: 'PRUNE', records: [{ content: '"y"', disabled: true }] }),
          patch({ ...one, changetype: 'REPLACE', comments: [...comments, ...comments] }),
          { method: 'GET', path: `${ZONES}/${NAME}` },
        ]),
    });
    expect(violations).toEqual([]);
  });
});
