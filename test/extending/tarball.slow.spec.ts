import { rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, expectRefusal } from '../support/answers.js';
import { type Ended, runCommand, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { type Client, clientsOf } from '../support/service.js';
import { newWorkspace, type Workspace } from '../support/workspace.js';

const PACKAGES = ['switch-port', 'billing-limits', 'inspections'];
/** The folder that `zonewright plugin new` writes. */
const NEW = 'my-racks';

let workspace: Workspace;
const run = (...args: string[]): Promise<Ended> =>
  runCommand(workspace.folder, {}, args, { program: workspace.commandLine });

beforeAll(async () => {
  workspace = await newWorkspace();
  for (const name of PACKAGES) await workspace.add(name);
  expect(await run('plugin', 'new', NEW)).toMatchObject({ code: 0, stderr: '' });
  await workspace.link(NEW);
});
afterAll(() => rm(workspace.folder, { recursive: true }));

describe('next to the tarball of the service, without its sources', () => {
  it('17.5 the example packages, and one that zonewright plugin new has written, build and pass their tests', async () => {
    const test = async (name: string) => expect(await workspace.test(name)).toMatch(/\bfail 0$/m);
    // Two at a time: each of them builds, and starts a service.
    await Promise.all(
      [PACKAGES.slice(0, 2), [...PACKAGES.slice(2), NEW]].map(async (names) => {
        for (const name of names) await test(name);
      }),
    );
  });

  describe('a service with all of them', () => {
    let billing: Server;
    let service: ServiceProcess;
    let admin: Client;
    let acme: Client;
    let zone: string;
    beforeAll(async () => {
      billing = createServer((_, response) => response.end('{ "records_per_zone": 2 }')).listen(0, '127.0.0.1');
      await once(billing, 'listening');
      await writeFile(
        join(workspace.folder, 'zonewright.conf'),
        configuration((billing.address() as AddressInfo).port),
      );
      service = await startServiceProcess(workspace.folder, {}, [workspace.commandLine, 'serve']);
      const { as } = clientsOf(service.url);
      [admin, acme] = [as('operations', 'admin'), as('acme')];
      const body = { name: 'example.org.', email: 'hostmaster@example.org' };
      zone = (await bodyOf<{ id: string }>(acme.call('post', '/v1/domains', body))).id;
    });
    afterAll(async () => {
      service.signal('SIGTERM');
      expect(await service.ended).toMatchObject({ code: 0 });
      billing.closeAllConnections();
      billing.close();
    });

    const create = (record: object) => acme.call('post', `/v1/domains/${zone}/records`, record);

    it('lists the contributions of each package', () => {
      const { stdout } = service.output();
      for (const line of [
        'plugin switch-port: record types SWPORT',
        'plugin billing-limits: options url, time_limit_ms, cache_seconds, retry_seconds, fallback_records; ports RecordLimits; ',
        'plugin inspections: options keep_days, overdue_hours; commands inspect; tables inspections_results; ',
        'admin extensions inspections; health checks overdue; metrics inspections_zones_total',
        `plugin ${NEW}: options shown; modules MyRacksModule, MyRacksApiModule`,
      ])
        expect(stdout).toContain(line);
    });

    it('accepts the record type, within the limit of the other system', async () => {
      const record = { name: 'host.example.org.', type: 'SWPORT', data: 'sw1.example.org. 1/24 120' };
      expect(await bodyOf(create(record))).toMatchObject(record);
      await answerOf(create({ name: 'example.org.', type: 'MX', data: 'missing.example.org.', priority: 10 }));
      const refused = await create({ name: 'host.example.org.', type: 'A', data: '192.0.2.1' });
      expectRefusal(refused, { status: 413, type: 'over_quota' });
    });

    it('runs a plugin command during service, and shows its data over a plugin route', async () => {
      expect(await run('inspect', 'example.org')).toEqual({
        code: 0,
        stdout: 'example.org. errors: 0, warnings: 2\n',
        stderr: '',
      });
      const { inspections } = await bodyOf<{ inspections: unknown[] }>(admin.call('get', '/admin/inspections'));
      expect(inspections).toMatchObject([{ zone: 'example.org.', errors: 0, warnings: 2 }]);
    });

    it('16.2, 16.3 shows the health check and the metric of a plugin', async () => {
      expect(await bodyOf(admin.call('get', '/readyz'))).toEqual({
        status: 'ok',
        checks: { 'inspections/overdue': 'ok' },
      });
      await answerOf(admin.call('post', '/admin/inspections', { zone: 'example.org.' }));
      const { text } = await answerOf(admin.call('get', '/metrics'));
      expect(text).toContain('inspections_zones_total{found="warning"} 1\n');
    });

    it('answers the route of the new package', async () => {
      const { domains } = await bodyOf<{ domains: unknown }>(acme.call('get', `/v1/ext/${NEW}`));
      expect(domains).toEqual([{ name: 'example.org.', records: 2 }]);
    });
  });
});

function configuration(billingPort: number): string {
  return `[service:api]
listen = 127.0.0.1:0
auth_strategy = noauth
enable_api_admin = True
enabled_extensions_admin = quotas, inspections

[log]
format = json
level = info

[plugins]
packages = ${[...PACKAGES, NEW].map((name) => `zonewright-plugin-${name}`).join(', ')}

[plugin:billing-limits]
url = http://127.0.0.1:${billingPort}/

[plugin:inspections]
overdue_hours = 1
`;
}
