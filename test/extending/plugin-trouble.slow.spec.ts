import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bodyOf } from '../support/answers.js';
import { killAll, runService, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { clientsOf, environmentOf, removeTestData, type Settings } from '../support/service.js';
import { until } from '../support/until.js';

jest.setTimeout(120_000);

const INDEX = resolve(import.meta.dirname, '../../dist/src/index.js');

/** A port whose behavior for a tenant follows its name. */
const TROUBLE = `
import { definePlugin, fill, RecordLimits } from '${INDEX}';

function spin() {
  for (;;) if (Date.now() < 0) return;
}

class Limits extends RecordLimits {
  async checkFor(_, tenantId) {
    if (tenantId === 'hanging') return new Promise(() => undefined);
    if (tenantId === 'looping') spin();
    if (tenantId === 'looping-later') setImmediate(spin);
    if (tenantId === 'throwing-later') setTimeout(() => { throw new Error('out of paper'); }, 1);
    return () => undefined;
  }
}

export default definePlugin({ name: 'trouble', zonewright: '*', core: () => ({ ports: [fill(RecordLimits, Limits)] }) });
`;

const THROWING = `
import { definePlugin, fill, RecordLimits } from '${INDEX}';

class Limits extends RecordLimits {
  constructor() {
    super();
    throw new Error('no licence');
  }
}

export default definePlugin({ name: 'unlicensed', zonewright: '*', core: () => ({ ports: [fill(RecordLimits, Limits)] }) });
`;

const MIGRATING = `
class MakeNothing1764000000000 {
  name = 'MakeNothing1764000000000';
  async up() {
    throw new Error('no such column');
  }
  async down() {}
}

export default { name: 'old', zonewright: '*', schema: () => ({ entities: [], migrations: [MakeNothing1764000000000] }) };
`;

describe('a faulty plugin', () => {
  let directory: string;
  let service: ServiceProcess | null = null;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zonewright-trouble-'));
  });
  afterEach(async () => {
    if (service !== null) {
      killAll(service);
      await service.ended;
    }
    service = null;
    await removeTestData(directory);
  });

  const environmentWith = async (plugin: string, settings: Settings = {}): Promise<Record<string, string>> => {
    await writeFile(join(directory, 'plugin.mjs'), plugin);
    return environmentOf(directory, { PLUGINS__PACKAGES: join(directory, 'plugin.mjs'), ...settings });
  };
  const start = async (settings: Settings = {}): Promise<ServiceProcess> => {
    service = await startServiceProcess(directory, await environmentWith(TROUBLE, settings));
    return service;
  };
  /** Creates a record of a tenant without waiting for the response. */
  const create = async (url: string, tenantId: string): Promise<void> => {
    const client = clientsOf(url).as(tenantId);
    const body = { name: 'example.org.', email: 'hostmaster@example.org' };
    const { id } = await bodyOf<{ id: string }>(client.call('post', '/v1/domains', body));
    const record = { name: 'www.example.org.', type: 'A', data: '192.0.2.1' };
    client.call('post', `/v1/domains/${id}/records`, record).then(
      () => undefined,
      () => undefined,
    );
  };
  const linesOn = (stream: 'stdout' | 'stderr'): string[] =>
    (service?.output()[stream] ?? '').split('\n').filter((line) => line !== '');
  const standstill = (): Promise<unknown> =>
    until(() => linesOn('stderr').find((line) => line.includes('has been blocked')) !== undefined);

  it('16.8 is named while it blocks the event loop; SIGTERM still ends the process', async () => {
    const { url, signal, ended } = await start();
    await create(url, 'looping');
    await standstill();
    const [line = ''] = linesOn('stderr');
    const { level, msg } = JSON.parse(line) as { level: string; msg: string };
    expect(level).toBe('error');
    expect(msg).toMatch(
      /^the event loop has been blocked for \d+ s in plugin trouble, the call of trouble\/RecordLimits, at spin \(.*plugin\.mjs:\d+\)/,
    );
    signal('SIGTERM');
    await ended;
  });

  it('16.8 is also named when its timer blocks, and the process is ended after a timeout', async () => {
    const { url, ended } = await start({ PLUGINS__LOOP_TIME_LIMIT: '3' });
    await create(url, 'looping-later');
    expect((await ended).code).toBeNull();
    expect(linesOn('stderr')).toEqual([
      expect.stringMatching(/has been blocked for \d+ s in plugin trouble, at spin .*it is ended after 3 s/),
      expect.stringMatching(/the process is ended/),
    ]);
  });

  it('18.3, 16.7 does not keep the service from stopping while its call is on', async () => {
    const { url, signal, ended } = await start({ PLUGINS__CHANGE_TIME_LIMIT_MS: '2000' });
    await create(url, 'hanging');
    signal('SIGTERM');
    expect((await ended).code).toBe(0);
  });

  it('18.5 is named in the log when it throws an uncaught error', async () => {
    const { url, ended } = await start();
    await create(url, 'throwing-later');
    const { code, stdout } = await ended;
    expect(code).not.toBe(0);
    expect(stdout).toMatch(/plugin trouble threw an error that nobody caught.*out of paper/);
  });

  it('18.5 is named when its constructor throws', async () => {
    const { code, stderr } = await runService(directory, await environmentWith(THROWING));
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'zonewright: plugin unlicensed: no licence\n' });
  });

  it('18.5 is named when its migration fails', async () => {
    const { code, stderr } = await runService(directory, await environmentWith(MIGRATING));
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^zonewright: .*: migration \d+ of \d+, \w+ of the plugin old, failed and nothing was changed: no such column\n$/,
    );
  });

  it('18.5 logs its locations in JSON, and leaves the first token in its file', async () => {
    const env = environmentOf(directory, { SERVICE_API__AUTH_STRATEGY: 'token' });
    service = await startServiceProcess(directory, env);
    service.signal('SIGTERM');
    const { stdout } = await service.ended;
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);
    const banner = lines.find(({ url }) => url !== undefined) ?? {};
    expect(banner).toMatchObject({ level: 'info', context: 'Zonewright', url: service.url, auth: 'token' });
    const token = (await readFile(banner.admin_token_file ?? '', 'utf8')).trim();
    expect(token).toMatch(/^zw_/);
    expect(((await stat(banner.admin_token_file ?? '')).mode & 0o777).toString(8)).toBe('600');
    expect(stdout).not.toContain(token);
    expect(lines.map(({ msg }) => msg)).toContain('stopped');
  });
});
