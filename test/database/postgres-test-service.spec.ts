import { expect, it } from '@jest/globals';
import { startTestService } from '../../src/testing/index.js';
import { queryPostgres, serverUrl } from '../support/postgres/databases.js';

const databases = (): unknown[] =>
  queryPostgres(serverUrl(), "SELECT datname FROM pg_database WHERE datname LIKE 'zonewright_test_%'");

it('a test service of a plugin has a new database on the server that the test names, and removes it', async () => {
  const before = databases();
  const service = await startTestService({ database: serverUrl() });
  expect(databases()).toHaveLength(before.length + 1);
  const acme = service.client.as({ tenant: 'acme' });
  (await acme.post('/v1/domains', { name: 'acme.example.', email: 'hostmaster@example.org' })).expect(200);
  await service.close();
  expect(databases()).toEqual(before);
  const refused = startTestService({ database: serverUrl(), config: { database: { urls: 'x' } } });
  await expect(refused).rejects.toThrow('unknown option');
  expect(databases()).toEqual(before);
});
