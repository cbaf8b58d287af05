import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { expectRefusal } from '../support/answers.js';
import type { RecordBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

/** Possible mistakes of a write, in the order of behavior 3.4. */
interface Mistakes {
  readonly credential?: true;
  readonly mediaType?: true;
  readonly accept?: true;
  readonly json?: true;
  readonly shape?: true;
  readonly data?: true;
  readonly domain?: true;
  readonly record?: true;
  readonly placement?: true;
  readonly quota?: true;
  readonly duplicate?: true;
}

const CREDENTIAL = [401, 'access_denied'] as const;
const MEDIA_TYPE = [415, 'unsupported_content_type'] as const;
const ACCEPT = [406, 'unsupported_accept'] as const;
const OBJECT = [400, 'invalid_object'] as const;
const DOMAIN = [404, 'domain_not_found'] as const;
const RECORD = [404, 'record_not_found'] as const;
const PLACEMENT = [400, 'invalid_recordset_location'] as const;
const QUOTA = [413, 'over_quota'] as const;
const DUPLICATE = [409, 'duplicate_record'] as const;

const everythingFrom = (...mistakes: (keyof Mistakes)[]): Mistakes =>
  Object.fromEntries(mistakes.map((mistake) => [mistake, true]));

const CREATE: readonly [answer: readonly [number, string], mistakes: Mistakes][] = [
  [CREDENTIAL, everythingFrom('credential', 'mediaType', 'accept', 'json', 'domain')],
  [CREDENTIAL, everythingFrom('credential', 'shape', 'domain')],
  [CREDENTIAL, everythingFrom('credential', 'domain')],
  [CREDENTIAL, everythingFrom('credential', 'duplicate', 'quota')],
  [MEDIA_TYPE, everythingFrom('mediaType', 'json', 'domain')],
  [MEDIA_TYPE, everythingFrom('mediaType', 'shape', 'data', 'domain')],
  [ACCEPT, everythingFrom('accept', 'json', 'domain')],
  [ACCEPT, everythingFrom('accept', 'duplicate')],
  [OBJECT, everythingFrom('json', 'domain')],
  [OBJECT, everythingFrom('shape', 'domain')],
  [OBJECT, everythingFrom('data', 'domain')],
  [OBJECT, everythingFrom('data', 'placement')],
  [OBJECT, everythingFrom('shape', 'quota', 'duplicate')],
  [DOMAIN, everythingFrom('domain', 'placement')],
  [DOMAIN, everythingFrom('domain', 'quota', 'duplicate')],
  [PLACEMENT, everythingFrom('placement', 'quota')],
  [QUOTA, everythingFrom('quota', 'duplicate')],
  [QUOTA, everythingFrom('quota')],
  [DUPLICATE, everythingFrom('duplicate')],
];

const UPDATE: readonly [answer: readonly [number, string], mistakes: Mistakes][] = [
  [CREDENTIAL, everythingFrom('credential', 'mediaType', 'json', 'domain', 'record')],
  [MEDIA_TYPE, everythingFrom('mediaType', 'json', 'domain', 'record')],
  [ACCEPT, everythingFrom('accept', 'shape', 'record')],
  [OBJECT, everythingFrom('json', 'domain', 'record')],
  [OBJECT, everythingFrom('shape', 'domain')],
  [OBJECT, everythingFrom('shape', 'record')],
  [DOMAIN, everythingFrom('domain', 'record')],
  [DOMAIN, everythingFrom('domain', 'duplicate')],
  [RECORD, everythingFrom('record', 'placement')],
  [RECORD, everythingFrom('record', 'duplicate')],
  [OBJECT, everythingFrom('data', 'placement')],
  [PLACEMENT, everythingFrom('placement')],
  [DUPLICATE, everythingFrom('duplicate')],
];

const titleOf = ([[status, type], mistakes]: (typeof CREATE)[number]) =>
  [status, type, Object.keys(mistakes).join(' + '), mistakes] as const;

describe('the order of checks', () => {
  let service: TestService;
  let domain: TestDomain;
  let record: RecordBody;
  let other: RecordBody;
  beforeAll(async () => {
    service = await startTestService({ DEFAULT__QUOTA_RECORDSET_RECORDS: '2' });
    const member = service.as('acme');
    domain = await newDomain(member);
    record = await domain.newRecord();
    other = await domain.newRecord({ name: `alone.${domain.name}` });
    for (const data of ['192.0.2.1', '192.0.2.2']) await domain.newRecord({ name: `full.${domain.name}`, data });
  });
  afterAll(() => service.stop());

  function nameFor({ placement, quota, duplicate }: Mistakes): string {
    if (placement) return 'www.example.com.';
    if (quota) return `full.${domain.name}`;
    return duplicate ? record.name : `fresh.${domain.name}`;
  }

  function bodyFor(mistakes: Mistakes, whole: boolean): string {
    if (mistakes.json) return '{"name":';
    // At the full name every value is over the quota; this one is a duplicate too.
    const duplicate = mistakes.quota ? '192.0.2.1' : record.data;
    const name = nameFor(mistakes);
    const moves = mistakes.placement ?? mistakes.duplicate;
    return JSON.stringify({
      ...(whole || moves ? { name } : {}),
      ...(whole ? { type: 'A' } : {}),
      ...(whole || mistakes.data || mistakes.duplicate
        ? { data: mistakes.data ? 'none' : mistakes.duplicate ? duplicate : '192.0.2.77' }
        : {}),
      ...(mistakes.shape ? { colour: 'red' } : {}),
    });
  }

  function send(method: 'post' | 'put', path: string, mistakes: Mistakes) {
    return service
      .plain(method, path)
      .set('X-Auth-Project-ID', 'acme')
      .set('X-Roles', mistakes.credential ? 'reader' : 'member')
      .set('Accept', mistakes.accept ? 'text/html' : 'application/json')
      .set('Content-Type', mistakes.mediaType ? 'text/plain' : 'application/json')
      .send(bodyFor(mistakes, method === 'post'));
  }

  it.each(CREATE.map(titleOf))('3.4 create: %d %s to %s', async (status, type, _, mistakes) => {
    const path = `/v1/domains/${mistakes.domain ? randomUUID() : domain.id}/records`;
    expectRefusal(await send('post', path, mistakes), { status, type });
  });

  it.each(UPDATE.map(titleOf))('3.4 update: %d %s to %s', async (status, type, _, mistakes) => {
    const zoneId = mistakes.domain ? randomUUID() : domain.id;
    const path = `/v1/domains/${zoneId}/records/${mistakes.record ? randomUUID() : other.id}`;
    expectRefusal(await send('put', path, mistakes), { status, type });
  });

  it.each([
    [401, 'access_denied', { 'X-Roles': 'reader', Accept: 'text/html' }],
    [406, 'unsupported_accept', { 'X-Roles': 'member', Accept: 'text/html' }],
    [404, 'domain_not_found', { 'X-Roles': 'member' }],
  ] as const)('3.4 delete: %d %s wins over later checks', async (status, type, headers) => {
    const path = `/v1/domains/${randomUUID()}/records/${record.id}`;
    expectRefusal(await service.plain('delete', path).set('X-Auth-Project-ID', 'acme').set(headers), { status, type });
  });
});
