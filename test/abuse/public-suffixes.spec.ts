import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectRefusal, expectStatus } from '../support/answers.js';
import { startTestService, type TestService } from '../support/service.js';
import { publicSuffixes } from './options.js';

/** Names open to public registration, which no tenant may own. */
const SUFFIXES = [
  'com.',
  'COM.',
  'co.uk.',
  'arpa.',
  'in-addr.arpa.',
  'ip6.arpa.',
  'intern.',
  'xn--p1ai.',
  // By the list's rules *.ck and !www.ck.
  'anything.ck.',
];

/** Names that a tenant may own. */
const NAMES = [
  'example.com.',
  'example.co.uk.',
  'www.ck.',
  '2.0.192.in-addr.arpa.',
  '8.b.d.0.1.0.0.2.ip6.arpa.',
  'corp.intern.',
];

let service: TestService;
afterAll(() => service.stop());

const create = (name: string, ...roles: string[]) =>
  service.as('tenant-a', ...roles).call('post', '/v1/domains', { name, email: 'hostmaster@example.org' });

describe('a domain that is a public suffix (attack case 43)', () => {
  beforeAll(async () => {
    service = await startTestService();
  });

  it.each(SUFFIXES)('7.3 %s needs an admin, and the refusal says so', async (name) => {
    const refused = await create(name);
    expectRefusal(refused, { status: 400, type: 'invalid_object', faults: [{ path: 'name', validator: 'format' }] });
    expect(refused.body.message).toMatch(/public suffix|top-level/i);
    expect(refused.body.message).toMatch(/admin/);
  });

  it.each(NAMES)('7.3 %s is not a public suffix', async (name) => {
    expectStatus(await create(name), 200);
  });

  it('7.3 an admin may make one', async () => {
    expectStatus(await create('org.', 'admin'), 200);
  });
});

describe('the operator', () => {
  beforeAll(async () => {
    await service.stop();
    service = await startTestService(publicSuffixes('customers.example.net., intern.', 'co.jp., lan.'));
  });

  it('7.3 adds names to the public suffixes', async () => {
    for (const name of ['customers.example.net.', 'Customers.Example.NET.', 'intern.'])
      expectRefusal(await create(name), { status: 400, type: 'invalid_object' });
    expectStatus(await create('one.customers.example.net.'), 200);
  });

  it('7.3 and excepts names, top-level ones included', async () => {
    for (const name of ['co.jp.', 'lan.']) expectStatus(await create(name), 200);
    expectRefusal(await create('com.'), { status: 400, type: 'invalid_object' });
  });
});
