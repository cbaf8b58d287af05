import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { audit } from '../support/audit.js';
import { bodyOf } from '../support/answers.js';
import type { DomainBody } from '../support/bodies.js';
import { fillFirstSchema, FORMER_DOMAIN, makeFirstSchema } from '../support/first-schema.js';
import { journalOf } from '../support/journal.js';
import { runCommand } from '../support/process.js';
import { databaseFileIn, environmentOf, removeTestData, startTestService } from '../support/service.js';

/** Of the issue; a tenth of it in the gate. */
const COUNT =
  process.env.ZONEWRIGHT_MIGRATED_RECORDS === undefined ? 10_000 : Number(process.env.ZONEWRIGHT_MIGRATED_RECORDS);

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-name-zones-'));
});
afterEach(() => removeTestData(directory));

it('a database of version 0.1 keeps its domains, records and journal', async () => {
  const database = databaseFileIn(directory);
  await makeFirstSchema(database);
  fillFirstSchema(database, COUNT);
  const env = environmentOf(directory);
  const { code, stderr } = await runCommand(directory, env, ['migrate']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  audit(database);

  const service = await startTestService({}, directory);
  const domain = await bodyOf<DomainBody>(service.call('get', `/v1/domains/${FORMER_DOMAIN.id}`));
  expect(domain).toMatchObject({ ...FORMER_DOMAIN, ttl: 3600 });
  const path = `/v1/domains/${FORMER_DOMAIN.id}/records`;
  const { records } = await bodyOf<{ records: { id: string }[] }>(service.call('get', path));
  expect(records).toHaveLength(COUNT);
  await bodyOf(service.call('put', `${path}/${records[0]!.id}`, { ttl: 30 }));
  await service.stop();
  const story = journalOf(database, FORMER_DOMAIN.id);
  expect(story.map(({ action }) => action).slice(-3)).toEqual(['record.update', 'zone.regenerate', 'record.update']);
  expect(story.at(-3)).toMatchObject({
    before: { name: `h${(COUNT - 1) >> 1}.${FORMER_DOMAIN.name}`, description: null, version: 1 },
    after: { description: 'as it was', version: 2 },
  });
  audit(database);
});
