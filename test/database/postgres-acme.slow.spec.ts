import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ACME_COMMAND_LINE,
  ACME_PLUGIN,
  childrenOf,
  COMMAND_LINE,
  runCommand,
  type ServiceProcess,
  startServiceProcess,
} from '../support/process.js';
import { clientsOf, environmentOf, removeTestData } from '../support/service.js';

const WORKERS = 2;

describe.each([
  ['in its own program', ACME_COMMAND_LINE, {}],
  ['from a package', COMMAND_LINE, { PLUGINS__PACKAGES: './plugin.js' }],
])('workers with the plugin of another team, %s', (_, program, settings) => {
  let directory: string;
  let env: Record<string, string>;
  let service: ServiceProcess;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zonewright-acme-'));
    await writeFile(join(directory, 'package.json'), '{ "type": "module" }');
    await writeFile(join(directory, 'plugin.js'), `export { ACME as default } from '${ACME_PLUGIN}';\n`);
    env = environmentOf(directory, {
      ...settings,
      SERVICE_API__WORKERS: String(WORKERS),
      SERVICE_API__ENABLE_API_ADMIN: 'True',
      SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'reports',
    });
    service = await startServiceProcess(directory, env, [program, 'serve']);
  });
  afterAll(async () => {
    service.signal('SIGTERM');
    await service.ended;
    await removeTestData(directory);
  });

  it('all have its authenticator, its type, its limits and its routes', async () => {
    expect(childrenOf(service.pid)).toHaveLength(WORKERS);
    const { plain } = clientsOf(service.url);
    // Each request has its own connection, so that both workers get some.
    const asAcme = (path: string, body: object) => plain('post', path).set('X-Client-Name', 'acme').send(body);
    const domains = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        asAcme('/v1/domains', { name: `d${String(at)}.example.`, email: 'hostmaster@example.org' }),
      ),
    );
    const statuses = await Promise.all(
      domains.map(async ({ body: { id, name } }: { body: { id: string; name: string } }) => {
        const created: number[] = [];
        for (const label of ['a', 'b', 'c', 'd']) {
          const record = { name: `${label}.${name}`, type: 'RACK', data: '"room 7" U12' };
          created.push((await asAcme(`/v1/domains/${id}/records`, record)).status);
        }
        return created;
      }),
    );
    expect(statuses).toEqual(domains.map(() => [200, 200, 200, 413]));
    expect((await plain('get', '/v1/domains')).status).toBe(401);
  });

  it('show changes that a command has stored', async () => {
    const reported = await runCommand(directory, env, ['report', 'd0.example'], { program });
    expect(reported).toEqual({ code: 0, stdout: 'd0.example has 3 records\n', stderr: '' });
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        clientsOf(service.url).plain('get', '/admin/reports').set('X-Client-Name', 'operator'),
      ),
    );
    for (const { body } of answers) expect(body).toMatchObject({ reports: [{ zone: 'd0.example.', records: 3 }] });
  });
});
