import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Test } from 'supertest';
import { answerOf, expectRefusal, expectStatus, refusalOf } from '../support/answers.js';
import { audit, contentsOf } from '../support/audit.js';
import type { RecordBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let domain: TestDomain;
let record: RecordBody;

beforeAll(async () => {
  // The concurrency limit covers the tests below.
  service = await startTestService({
    SERVICE_API__MAX_IMPORTS: '12',
    SERVICE_API__MAX_IMPORTS_PER_TENANT: '12',
    SERVICE_API__MAX_STREAMS_PER_TENANT: '12',
  });
});
afterAll(() => service.stop());
beforeEach(async () => {
  domain = await newDomain(service);
  record = await domain.newRecord();
});
afterEach(() => audit(service.databaseFile));

const TAG = /^"[!#-~]+"$/;

const domainPath = (): string => `/v1/domains/${domain.id}`;
const getDomain = (): Test => service.call('get', domainPath());
const getRecord = (): Test => domain.get(record.id);
const tagOf = async (request: Test): Promise<string> => {
  const { etag } = (await answerOf(request)).headers;
  expect(etag).toMatch(TAG);
  return etag as string;
};
const changes = (query = ''): Test =>
  service.call('post', `${domainPath()}/changes${query}`, { changes: [{ action: 'delete', id: record.id }] });

/** Conditional changes, each with the resource of its entity tag. */
const CHANGES: readonly (readonly [string, () => Test, () => Test])[] = [
  ['PUT of a record', () => domain.update(record.id, { ttl: 60 }), getRecord],
  ['DELETE of a record', () => domain.delete(record.id), getRecord],
  ['PUT of a domain', () => service.call('put', domainPath(), { ttl: 60 }), getDomain],
  ['DELETE of a domain', () => service.call('delete', domainPath()), getDomain],
  ['a change set', () => changes(), getDomain],
  ['an import', () => domain.sendFile(`${domain.at('new')} A 192.0.2.7\n`), getDomain],
  ['a revert', () => service.call('post', `${domainPath()}/revert`, { serial: domain.serial }), getDomain],
];

describe('10.1 an entity tag', () => {
  it('10.1 is the same wherever a record is answered, and another after each change', async () => {
    const created = domain.create({ name: domain.at('tag'), type: 'A', data: '192.0.2.1' });
    const first = await tagOf(created);
    const { id } = (await created).body as RecordBody;
    expect(await tagOf(domain.get(id))).toBe(first);
    const second = await tagOf(domain.update(id, {}));
    expect(second).not.toBe(first);
    expect(await tagOf(domain.get(id))).toBe(second);
  });

  it('10.1 is equal wherever a domain is returned, and differs after each change of its contents', async () => {
    const seen = [await tagOf(getDomain())];
    await domain.newRecord({ data: '192.0.2.9' });
    seen.push(await tagOf(getDomain()));
    for (const body of [{ ttl: 60 }, { ttl: 61 }]) {
      const answered = await tagOf(service.call('put', domainPath(), body));
      expect(await tagOf(getDomain())).toBe(answered);
      seen.push(answered);
    }
    expect(new Set(seen).size).toBe(seen.length);
    const made = await answerOf(
      service.call('post', '/v1/domains', { name: `t${randomUUID()}.example.`, email: 'a@example.org' }),
    );
    expect(await tagOf(service.call('get', `/v1/domains/${(made.body as RecordBody).id}`))).toBe(made.headers.etag);
  });

  it.each([
    ['a record', getRecord],
    ['a domain', getDomain],
  ])('10.1 If-None-Match on GET and HEAD of %s', async (_, get) => {
    const tag = await tagOf(get());
    for (const same of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const answer = await answerOf(get().set('If-None-Match', same), 304);
      expect(answer.text).toBe('');
      expect(answer.headers.etag).toBe(tag);
    }
    for (const other of ['"other"', 'W/"other"', 'no tag', '']) await answerOf(get().set('If-None-Match', other));
    const path = get().url.replace(service.url, '');
    expectStatus(await service.call('head', path).set('If-None-Match', tag), 304);
  });
});

describe.each(CHANGES)('10.1 If-Match on %s', (_, change, get) => {
  it('10.1 lets it through with the current tag, alone or among others, and with any', async () => {
    const tag = await tagOf(get());
    expectStatus(await change().set('If-Match', `"other" ,, ${tag},W/"weak"`), 200);
  });

  it('10.1 lets it through with *', async () => {
    await answerOf(change().set('If-Match', '*'));
  });

  it('10.1 refuses it with another tag, and stores nothing', async () => {
    const tag = await tagOf(get());
    const before = contentsOf(service.databaseFile);
    for (const other of ['"other"', `W/${tag}`, `"a", "b"`, '""'])
      await refusalOf(change().set('If-Match', other), 412, 'precondition_failed');
    for (const malformed of ['no tag', tag.slice(1), `${tag} ${tag}`, '"a", b', '*, "a"', ',', ''])
      expectRefusal(await change().set('If-Match', malformed), { status: 400, type: 'bad_request' });
    expect(contentsOf(service.databaseFile)).toEqual(before);
  });

  it('10.1 of many with the same tag exactly one succeeds (attack case 64)', async () => {
    const tag = await tagOf(get());
    const answers = await Promise.all(Array.from({ length: 12 }, () => change().set('If-Match', tag)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    // Deleted resources are missing before the tag comparison.
    for (const status of statuses.filter((one) => one !== 200)) expect([412, 404]).toContain(status);
  });
});

describe('If-Match and an Idempotency-Key', () => {
  it('10.1, 10.2 the repetition of a conditional change set is answered as the first was', async () => {
    const tag = await tagOf(getDomain());
    const send = (): Test => changes().set({ 'If-Match': tag, 'Idempotency-Key': domain.name });
    const first = await answerOf(send());
    const again = await answerOf(send());
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });

  it('10.1 of a missing resource is 404', async () => {
    await refusalOf(domain.delete(randomUUID()).set('If-Match', '*'), 404, 'record_not_found');
  });

  it('10.1 a tag distinguishes a record from a deleted earlier one', async () => {
    const tag = await tagOf(getRecord());
    await domain.delete(record.id);
    const other = await domain.newRecord();
    await refusalOf(domain.update(other.id, { ttl: 60 }).set('If-Match', tag), 412, 'precondition_failed');
  });

  it.each([
    ['a change set', () => changes('?dry_run=true')],
    ['an import', () => domain.sendFile(`${domain.at('new')} A 192.0.2.7\n`, '?dry_run=true')],
    ['a comparison', () => domain.sendFile(`${domain.at('new')} A 192.0.2.7\n`, '?dry_run=true&diff=true')],
    ['a revert', () => service.call('post', `${domainPath()}/revert?dry_run=true`, { serial: domain.serial })],
  ] as const)('10.1 If-Match holds for dry runs too: %s', async (_, send) => {
    const tried = (tag: string): Test => send().set('If-Match', tag);
    await refusalOf(tried('"other"'), 412, 'precondition_failed');
    await answerOf(tried(await tagOf(getDomain())));
  });

  it('10.1 a large import is refused as a small one is', async () => {
    const lines = Array.from({ length: 6000 }, (_, at) => `h${at} A 10.0.${at >> 8}.${at & 255}`).join('\n');
    const old = await tagOf(getDomain());
    await domain.update(record.id, { ttl: 60 });
    await refusalOf(domain.sendFile(lines).set('If-Match', old), 412, 'precondition_failed');
    await answerOf(domain.sendFile(lines).set('If-Match', await tagOf(getDomain())));
  });

  it('10.1, 10.2 the repetition of a revert is answered as the first was, and changes nothing', async () => {
    const send = (): Test =>
      service
        .call('post', `${domainPath()}/revert`, { serial: domain.serial })
        .set({ 'If-Match': '*', 'Idempotency-Key': `revert-${domain.id}` });
    const first = await answerOf(send());
    const later = await domain.newRecord();
    const again = await answerOf(send());
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
    await answerOf(domain.get(later.id));
    await refusalOf(domain.get(record.id), 404, 'record_not_found');
  });
});
