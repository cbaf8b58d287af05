import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { audit } from '../support/audit.js';
import { answerOf, bodyOf } from '../support/answers.js';
import type { DomainBody } from '../support/bodies.js';
import { type Client, startTestService, type TestService } from '../support/service.js';

const QUOTA = 7;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ DEFAULT__QUOTA_ZONES: String(QUOTA) });
});
afterAll(() => service.stop());
afterEach(() => audit(service.databaseFile));

const create = (client: Client, name: string) =>
  client.call('post', '/v1/domains', { name, email: 'hostmaster@example.org' });

const createAll = (client: Client, names: readonly string[]) => Promise.all(names.map((name) => create(client, name)));

const statusesOf = async (answers: ReturnType<typeof createAll>): Promise<number[]> =>
  (await answers).map(({ status }) => status).sort();

describe('domains that are made at the same time', () => {
  it('8.3 are as many as the quota allows', async () => {
    const names = Array.from({ length: QUOTA + 5 }, (_, at) => `quota${at}.example.org.`);
    const statuses = await statusesOf(createAll(service.as('frugal'), names));
    expect(statuses).toEqual([...Array<number>(QUOTA).fill(200), ...Array<number>(5).fill(413)]);
  });

  it('7.1 may lie in each other, where one tenant makes them', async () => {
    const names = ['nested.example.org.', 'a.nested.example.org.', 'b.a.nested.example.org.', 'nested2.example.org.'];
    expect(await statusesOf(createAll(service.as('nesting'), names))).toEqual([200, 200, 200, 200]);
  });

  it('7.1 are refused one by one, while valid ones are created', async () => {
    const tenant = service.as('mixed');
    await bodyOf(create(tenant, 'there.example.org.'));
    await bodyOf(create(service.as('neighbour'), 'theirs.example.org.'));
    const names = ['there.example.org.', 'new1.example.org.', 'below.theirs.example.org.', 'new2.example.org.', 'com.'];
    const answers = await createAll(tenant, names);
    expect(answers.map(({ status }) => status)).toEqual([409, 200, 400, 200, 400]);
  });

  it('6.4 are listed in the order of creation, each with a different time', async () => {
    const tenant = service.as('orderly');
    await createAll(
      tenant,
      Array.from({ length: QUOTA }, (_, at) => `order${at}.example.org.`),
    );
    const { domains } = await bodyOf<{ domains: readonly DomainBody[] }>(tenant.call('get', '/v1/domains'));
    const times = domains.map(({ created_at }) => created_at);
    expect(domains).toHaveLength(QUOTA);
    expect(times).toEqual([...times].sort());
  });

  it('12.3 begin above the serial that their name had last', async () => {
    const tenant = service.as('returning');
    const { id, serial } = await bodyOf<DomainBody>(create(tenant, 'again.example.org.'));
    await answerOf(tenant.call('delete', `/v1/domains/${id}`));
    const [again] = await createAll(tenant, ['again.example.org.', 'first.example.org.']);
    expect((again?.body as DomainBody).serial).toBeGreaterThan(serial);
  });
});
