import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import type { DomainBody } from '../support/bodies.js';
import { audit } from '../support/audit.js';
import { type Client, startTestService, type TestService } from '../support/service.js';
import { times } from '../support/length.js';

const ROUNDS = times(12, 200);

let service: TestService;
let one: Client;
let other: Client;

beforeAll(async () => {
  service = await startTestService();
  one = service.as('tenant-1');
  other = service.as('tenant-2');
});
afterAll(() => service.stop());
afterEach(() => audit(service.databaseFile));

const create = (client: Client, name: string) =>
  client.call('post', '/v1/domains', { name, email: 'hostmaster@example.org' });

describe('races of domains', () => {
  it('7.1 exactly one of two tenants gets a name that both create concurrently', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const name = `same${String(round)}.example.org.`;
      const answers = await Promise.all([
        create(one, name),
        create(other, name.toUpperCase()),
        create(one, name),
        create(other, name),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    }
  });

  it('7.1 exactly one of parent and child is created when two tenants create them concurrently (attack case 43)', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const parent = `tree${String(round)}.example.org.`;
      const child = `a.b.${parent}`;
      const [first, second] = round % 2 === 0 ? [parent, child] : [child, parent];
      const answers = await Promise.all([create(one, first), create(other, second)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      const refusal = answers.find(({ status }) => status === 400);
      expect(['illegal_child', 'illegal_parent']).toContain(refusal?.body.type);
    }
  });

  it('7.1 a child created while its parent is deleted leaves no parent behind without right', async () => {
    for (let round = 0; round < ROUNDS / 4; round++) {
      const parent = await bodyOf<DomainBody>(create(one, `gone${String(round)}.example.org.`));
      const [removed, child] = await Promise.all([
        one.call('delete', `/v1/domains/${parent.id}`),
        create(round % 2 === 0 ? one : other, `sub.${parent.name}`),
      ]);
      const outcome = [removed.status, child.status];
      // Own child: either order works. A stranger's: refused while the parent is there.
      expect(
        round % 2 === 0
          ? [
              [200, 200],
              [400, 200],
            ]
          : [
              [200, 200],
              [200, 400],
            ],
      ).toContainEqual(outcome);
    }
  });

  it('7.2 concurrent updates of one domain each raise its serial', async () => {
    const { id, serial } = await bodyOf<DomainBody>(create(one, 'serial.example.org.'));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => answerOf(one.call('put', `/v1/domains/${id}`, { ttl: 100 + at }))),
    );
    const serials = answers.map(({ body }) => body.serial as number);
    expect(new Set(serials).size).toBe(50);
    expect(Math.min(...serials)).toBeGreaterThan(serial);
    expect(await bodyOf<DomainBody>(one.call('get', `/v1/domains/${id}`))).toMatchObject({
      serial: Math.max(...serials),
    });
  });
});
