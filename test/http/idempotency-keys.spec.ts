import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { Clock } from '../../src/common/clock.js';
import { Scheduler } from '../../src/background/scheduler.js';
import { expectRefusal, expectStatus } from '../support/answers.js';
import { assembleTestService } from '../support/assembled-service.js';
import { audit } from '../support/audit.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { type Client, startTestService, type TestService } from '../support/service.js';

let service: TestService;
let domain: TestDomain;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  domain = await newDomain(service);
});
afterEach(() => audit(service.databaseFile));

type Body = object | string;

const post = (path: string, body: Body, key: string, client: Client = service): Promise<Response> =>
  Promise.resolve(client.call('post', path, body).set('Idempotency-Key', key));

/** The replayed parts of a response. */
const kept = ({ status, body, headers }: Response): object => ({ status, body, location: headers.location });
const isReplayed = ({ headers }: Response): boolean => headers['idempotent-replayed'] === 'true';

const address = (data = '192.0.2.1'): object => ({ name: domain.at('www'), type: 'A', data });

/** Each kind of request that makes something, which a second time would be refused or change something else. */
const REQUESTS: readonly (readonly [string, () => readonly [path: string, body: Body]])[] = [
  ['POST records', () => [`/v1/domains/${domain.id}/records`, address()]],
  ['POST changes', () => [`/v1/domains/${domain.id}/changes`, { changes: [{ action: 'create', record: address() }] }]],
  ['POST domains', () => ['/v1/domains', { name: freshName(), email: 'hostmaster@example.org' }]],
];

describe.each(REQUESTS)('10.2 %s with an Idempotency-Key', (_, requestOf) => {
  it('10.2 replays the first response and applies nothing twice', async () => {
    const [path, body] = requestOf();
    const key = randomUUID();
    const first = await post(path, body, key);
    expectStatus(first, 200);
    expect(isReplayed(first)).toBe(false);
    const before = await domain.now();
    for (const again of [await post(path, body, key), await post(path, JSON.stringify(body, null, 2), key)]) {
      expect(kept(again)).toEqual(kept(first));
      expect(isReplayed(again)).toBe(true);
      expect(again.headers['content-type']).toBe(first.headers['content-type']);
    }
    expect(await domain.now()).toEqual(before);
  });

  it('10.2 replays a refusal after any later change', async () => {
    const [path, body] = requestOf();
    await post(path, body, randomUUID());
    const key = randomUUID();
    const first = await post(path, body, key);
    expectStatus(first, 409);
    for (const { id } of await domain.records()) await domain.delete(id);
    const again = await post(path, body, key);
    expect(kept(again)).toEqual(kept(first));
    expect(isReplayed(again)).toBe(true);
  });

  it('10.2 applies one of many concurrent requests; the others are told to wait, or get its response', async () => {
    const [path, body] = requestOf();
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(path, body, key)));
    const first = answers.filter((answer) => answer.status === 200 && !isReplayed(answer));
    expect(first).toHaveLength(1);
    for (const answer of answers.filter((one) => !first.includes(one)))
      if (answer.status === 409) {
        expectRefusal(answer, { status: 409, type: 'request_in_progress' });
        expect(answer.headers['retry-after']).toBe('2');
      } else expect(kept(answer)).toEqual(kept(first[0]!));
  });
});

describe('an Idempotency-Key (attack cases 66, 67)', () => {
  it('10.2 with another body, path or query is refused', async () => {
    const key = randomUUID();
    const path = `/v1/domains/${domain.id}/changes`;
    const body = { changes: [{ action: 'create', record: address() }] };
    expectStatus(await post(path, body, key), 200);
    for (const [otherPath, otherBody] of [
      [path, { changes: [] }],
      [`${path}?dry_run=false`, body],
      [`/v1/domains/${domain.id}/records`, address('192.0.2.2')],
    ] as const) {
      const answer = await post(otherPath, otherBody, key);
      if (answer.status !== 400) expectRefusal(answer, { status: 422, type: 'idempotency_key_reused' });
    }
    expect(await domain.records()).toHaveLength(1);
  });

  it('10.2 is a key of its tenant', async () => {
    const key = randomUUID();
    const other = service.as('tenant-b');
    const answers = [];
    for (const client of [service, other])
      answers.push(await post('/v1/domains', { name: freshName(), email: 'a@example.org' }, key, client));
    for (const answer of answers) expectStatus(answer, 200);
  });

  it("3.9, 10.2 separates keys of an admin across tenants from those of the admin's tenant", async () => {
    const foreign = await newDomain(service.as('other'));
    const [path, key] = [`/v1/domains/${foreign.id}/records`, randomUUID()];
    const body = { name: foreign.at('www'), type: 'A', data: '192.0.2.1' };
    const first = await service.call('post', path, body).set('Idempotency-Key', key).set('X-Auth-All-Projects', 'true');
    expectStatus(first, 200);
    expectRefusal(await post(path, body, key, service.as('tenant-a')), { status: 404, type: 'domain_not_found' });
    const again = await service.call('post', path, body).set('Idempotency-Key', key).set('X-Auth-All-Projects', 'true');
    expect(isReplayed(again)).toBe(true);
    expect(kept(again)).toEqual(kept(first));
  });

  it('10.2 repeats an import as the first was answered', async () => {
    const key = randomUUID();
    const send = (): Promise<Response> =>
      Promise.resolve(domain.sendFile('www 60 IN A 192.0.2.1\n').set('Idempotency-Key', key));
    const first = await send();
    expect(first.body).toMatchObject({ created: 1 });
    const again = await send();
    expect(kept(again)).toEqual(kept(first));
    expect(isReplayed(again)).toBe(true);
  });

  it('10.2 does not store dry runs', async () => {
    const key = randomUUID();
    const path = `/v1/domains/${domain.id}/changes`;
    const body = { changes: [{ action: 'create', record: address() }] };
    const dryImport = (): Promise<Response> =>
      Promise.resolve(domain.sendFile('www 60 IN A 192.0.2.1\n', '?dry_run=true').set('Idempotency-Key', key));
    for (const dryRun of [() => post(`${path}?dry_run=true`, body, key), dryImport])
      for (const answer of [await dryRun(), await dryRun()]) {
        expectStatus(answer, 200);
        expect(answer.body).toMatchObject({ dry_run: true });
        expect(isReplayed(answer)).toBe(false);
      }
    const first = await post(path, body, key);
    expectStatus(first, 200);
    expect(isReplayed(first)).toBe(false);
    expect(await domain.records()).toHaveLength(1);
  });

  it('10.2 replays problem details unchanged', async () => {
    const path = `/v1/domains/${randomUUID()}/records`;
    const send = (): Promise<Response> =>
      Promise.resolve(
        service.call('post', path, address()).set({ 'Idempotency-Key': 'missing', Accept: 'application/problem+json' }),
      );
    const first = await send();
    expectStatus(first, 404);
    const again = await send();
    expect(kept(again)).toEqual(kept(first));
    expect(again.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  });

  it.each([
    ['an empty one', ''],
    ['one of 256 characters', 'k'.repeat(256)],
    ['one with a blank inside', 'a b'],
    ['one beyond ASCII', 'schl\u00fcssel'],
  ])('10.2 is refused: %s', async (_, key) => {
    expectRefusal(await post(`/v1/domains/${domain.id}/records`, address(), key), { status: 400, type: 'bad_request' });
    expect(await domain.records()).toEqual([]);
  });

  it('10.2 may be of 255 characters, and is one with regard to case', async () => {
    const key = 'k'.repeat(255);
    const path = `/v1/domains/${domain.id}/records`;
    expectStatus(await post(path, address(), key), 200);
    expectStatus(await post(path, address('192.0.2.2'), key.toUpperCase()), 200);
  });
});

describe('after 24 hours', () => {
  it('10.2 an answer is forgotten', async () => {
    const clock = new MovableClock();
    const aged = await assembleTestService({ clock });
    try {
      const own = await newDomain(aged);
      const path = `/v1/domains/${own.id}/records`;
      const body = { ...address(), name: own.at('www') };
      const first = await post(path, body, 'key', aged);
      clock.move(DAY - 1);
      await aged.get(Scheduler).runNow('http.kept-answers');
      expect(kept(await post(path, body, 'key', aged))).toEqual(kept(first));
      clock.move(1);
      await aged.get(Scheduler).runNow('http.kept-answers');
      expect(isReplayed(await post(path, body, 'key', aged))).toBe(false);
    } finally {
      await aged.stop();
    }
  });
});

const DAY = 24 * 3600 * 1_000_000;

class MovableClock extends Clock {
  private time = 1_800_000_000_000_000;

  override now(): number {
    return this.time;
  }

  move(by: number): void {
    this.time += by;
  }
}

describe('a tenant whose kept answers are as many as may be', () => {
  let bounded: TestService;
  beforeAll(async () => {
    bounded = await startTestService({ SERVICE_API__MAX_KEPT_ANSWERS: '20 KiB' });
  });
  afterAll(() => bounded.stop());

  it('10.2 refuses further keys at the limit, keeps the stored ones, and affects no other tenant', async () => {
    const client = bounded.as('busy');
    const own = await newDomain(client);
    const create = (label: number, key: string) =>
      post(`/v1/domains/${own.id}/records`, { name: own.at(`h${label}`), type: 'A', data: '192.0.2.1' }, key, client);
    const answers: Response[] = [];
    while (answers.at(-1)?.status !== 429 && answers.length < 30)
      answers.push(await create(answers.length, `key-${answers.length}`));
    const refused = answers.pop()!;
    expectRefusal(refused, { status: 429, type: 'rate_limited' });
    expect(refused.body.message).toMatch(/^The answers kept .* send it without a key, or again in \d+ s/);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000);
    // 1 KiB and the body each.
    expect(answers.length).toBeGreaterThanOrEqual(14);
    expect(answers.length).toBeLessThanOrEqual(20);
    const again = await create(0, 'key-0');
    expect(isReplayed(again)).toBe(true);
    expect(kept(again)).toEqual(kept(answers[0]!));
    await own.newRecord({ name: own.at('without-a-key') });
    expect(await own.records()).toHaveLength(answers.length + 1);
    const calm = bounded.as('calm');
    expectStatus(await post('/v1/domains', { name: freshName(), email: 'a@example.org' }, 'key-0', calm), 200);
  });
});
