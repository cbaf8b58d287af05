import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import type { DiffBody } from '../support/bodies.js';
import { newDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

/** Records of 180 kB each in the journal, together above the memory limit of an earlier state. */
const COUNT = 200;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

it('11.2 earlier states and differences of records that do not fit into memory are whole', async () => {
  const zone = await newDomain(service);
  const names = Array.from({ length: COUNT }, (_, at) => zone.at(`t${at}`));
  await Promise.all(names.map((name) => zone.newRecord({ name, type: 'TXT', data: name.padEnd(60_000, 'x') })));
  const [{ serial }, text] = [await zone.now(), await zone.export()];
  await zone.import('only A 192.0.2.1\n', '?mode=replace');
  expect((await answerOf(service.call('get', `/v1/domains/${zone.id}/export?serial=${serial}`))).text).toBe(text);
  const { diff } = await bodyOf<DiffBody>(service.call('get', `/v1/domains/${zone.id}/diff?from=${serial}`));
  expect(diff.map(({ action }) => action).sort()).toEqual(['create', ...names.map(() => 'delete')]);
});
