import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { afterEach, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, TIMESTAMP, UUID } from '../support/answers.js';
import { startTestService, type TestService } from '../support/service.js';
import { storeRows } from '../support/store-rows.js';
import { type ListBody, v2RefusalOf } from '../support/v2.js';

interface StatusBody {
  readonly id: string;
  readonly hostname: string;
  readonly service_name: string;
  readonly status: string;
}

let service: TestService;
afterEach(() => service.stop());

async function list(query = ''): Promise<readonly StatusBody[]> {
  const path = `/v2/service_statuses${query}`;
  return (await bodyOf<ListBody<'service_statuses', StatusBody>>(service.call('get', path))).service_statuses;
}

describe('service statuses', () => {
  it('13.7 lists this process at the first request', async () => {
    service = await startTestService();
    const statuses = await list('?sort_key=service_name');
    expect(statuses.map(({ service_name }) => service_name)).toEqual(['api', 'central', 'producer']);
    const [one] = statuses;
    const self = `${service.url}/v2/service_statuses/${one?.id ?? ''}`;
    expect(one).toEqual({
      id: expect.stringMatching(UUID),
      service_name: 'api',
      hostname: hostname(),
      status: 'UP',
      stats: {},
      capabilities: {},
      heartbeated_at: expect.stringMatching(TIMESTAMP),
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: null,
      links: { self },
    });
    for (const path of ['service_statuses', 'service_status'])
      expect(await bodyOf(service.call('get', `/v2/${path}/${one?.id ?? ''}`))).toEqual(one);
    expect(await list('?service_name=CENTRAL&status=up')).toHaveLength(1);
    expect(await list('?status=DOWN')).toEqual([]);
  });

  it('13.7 tell of name servers where they are served', async () => {
    service = await startTestService({
      SERVICE_MDNS__ENABLED: 'True',
      SERVICE_MDNS__LISTEN: '127.0.0.1:0',
      SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
    });
    const statuses = await list('?sort_key=service_name');
    expect(statuses.map(({ service_name, status }) => [service_name, status])).toEqual(
      ['api', 'central', 'mdns', 'producer', 'worker'].map((name) => [name, 'UP']),
    );
  });

  it('13.7 are DOWN without a sign of life for 30 seconds', async () => {
    service = await startTestService();
    const heard = (hostname: string, secondsAgo: number) => {
      const at = (Date.now() - secondsAgo * 1000) * 1000;
      const row = { service_name: 'api', hostname, status: 'UP', heartbeated_at: at, created_at: at };
      return { id: randomUUID(), ...row };
    };
    storeRows(service.databaseFile, { service_statuses: [heard('gone', 31), heard('there', 20)] }, 'SELECT 1');
    const statuses = await list('?service_name=api&sort_key=hostname');
    expect(Object.fromEntries(statuses.map(({ hostname: name, status }) => [name, status]))).toEqual({
      gone: 'DOWN',
      there: 'UP',
      [hostname()]: 'UP',
    });
  });

  it('13.7 are for admins, and are only read', async () => {
    service = await startTestService();
    for (const role of ['member', 'reader'])
      await v2RefusalOf(service.as('acme', role).call('get', '/v2/service_statuses'), 403, 'forbidden');
    await v2RefusalOf(service.call('get', '/v2/service_statuses/foo'), 400, 'invalid_uuid');
    const nobody = '/v2/service_statuses/019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4';
    await v2RefusalOf(service.call('get', nobody), 404, 'service_status_not_found');
    await answerOf(service.call('delete', nobody), 405);
  });
});
