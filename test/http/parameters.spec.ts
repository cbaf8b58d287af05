import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { expectRefusal } from '../support/answers.js';
import { type OpenApi, operationsOf } from '../support/api-document.js';
import { AUDIT_ON } from '../support/audit-entries.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { startTestService, type TestService } from '../support/service.js';
import { WEBHOOKS_ON } from '../support/webhook-receiver.js';

const FILE = join(resolve(import.meta.dirname, '../..'), 'docs/openapi.json');
const NOWHERE = '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4';

/** Every integer in a query of version 1. */
const INTEGERS = operationsOf(JSON.parse(readFileSync(FILE, 'utf8')) as OpenApi).flatMap(({ path, operation }) =>
  operation.parameters
    .filter(({ in: place, schema }) => place === 'query' && schema?.type === 'integer')
    .map(({ name }) => [path, name] as const),
);

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    ...AUDIT_ON,
    ...DNSSEC_ON,
    ...WEBHOOKS_ON,
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: '127.0.0.1:0',
  });
});
afterAll(() => service.stop());

it('2.1 accepts integers in queries', () => {
  expect(INTEGERS.length).toBeGreaterThan(8);
});

it.each(INTEGERS)('2.1 GET %s?%s=x reports a non-integer without a range error', async (path, name) => {
  for (const value of ['x', '1.5', '-', '0x10', '']) {
    const answer = await service.call('get', `${path.replaceAll(/\{\w+\}/g, NOWHERE)}?${name}=${value}`);
    const { errors } = answer.body as { errors: readonly { path: string }[] };
    expect(errors).toContainEqual(
      expect.objectContaining({ path: name, validator: 'type', message: `${name} must be an integer number.` }),
    );
    expectRefusal(answer, { status: 400, type: 'invalid_object' });
  }
});
