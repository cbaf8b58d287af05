import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { audit } from '../support/audit.js';
import { newDomain } from '../support/domain.js';
import { queryPostgres } from '../support/postgres/databases.js';
import { holdZones } from '../support/postgres/held.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
afterEach(() => audit(service.databaseFile));

const make = async (name: string, tenant = 'tenant-a'): Promise<number> => {
  const body = { name, email: 'hostmaster@example.org' };
  return (await service.as(tenant).call('post', '/v1/domains', body)).status;
};

it('18.2 domains created in one group do not wait for one whose parent is locked', async () => {
  const parent = await newDomain(service);
  const letGo = holdZones(service.databaseFile, [parent.id]);
  try {
    let isChildMade = false;
    const child = make(`child.${parent.name}`).then((status) => {
      isChildMade = true;
      return status;
    });
    const others = Array.from({ length: 8 }, (_, at) => make(`beside-${at}.example.org.`, `tenant-${at % 2}`));
    expect(await Promise.all(others)).toEqual(Array<number>(8).fill(200));
    expect(isChildMade).toBe(false);
    letGo();
    expect(await child).toBe(200);
  } finally {
    queryPostgres(service.databaseFile, 'ROLLBACK');
  }
});

it('18.2 nor for a tenant whose counter is locked', async () => {
  await newDomain(service.as('counted'));
  queryPostgres(service.databaseFile, 'BEGIN');
  try {
    queryPostgres(service.databaseFile, 'SELECT 1 FROM tenants WHERE id = $1 FOR UPDATE', ['counted']);
    const held = make('held.example.org.', 'counted');
    expect(await Promise.all([make('free-1.example.org.'), make('free-2.example.org.', 'new')])).toEqual([200, 200]);
    queryPostgres(service.databaseFile, 'ROLLBACK');
    expect(await held).toBe(200);
  } finally {
    queryPostgres(service.databaseFile, 'ROLLBACK');
  }
});
