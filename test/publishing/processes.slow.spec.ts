import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { audit } from '../support/audit.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { COMMAND_LINE, killAll, runCommand, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { Secondary } from '../support/secondary.js';
import { clientsOf, databaseFileIn, environmentOf, removeTestData } from '../support/service.js';
import { until } from '../support/until.js';
import { servedOf } from './served.js';

// Several starts of processes.
jest.setTimeout(120_000);

let directory: string;
let secondary: Secondary;
let processes: ServiceProcess[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-publishing-'));
  secondary = await Secondary.start();
  processes = [];
});
afterEach(async () => {
  for (const one of processes) {
    killAll(one);
    await one.ended;
  }
  await secondary.stop();
  audit(databaseFileIn(directory));
  await removeTestData(directory);
});

const environment = (settings = {}) =>
  environmentOf(directory, {
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: '127.0.0.1:0',
    SERVICE_MDNS__SECONDARIES: secondary.address,
    ...settings,
  });

async function start(settings = {}): Promise<ServiceProcess> {
  const one = await startServiceProcess(directory, environment(settings));
  processes.push(one);
  return one;
}

/** The secondary has each zone as soon as it was notified. */
function follow(): void {
  secondary.onNotify = (zone) => {
    const serial = servedOf(databaseFileIn(directory), zone);
    if (serial !== null) secondary.serials.set(zone, serial);
  };
}

const isServed = (domain: Pick<TestDomain, 'name'>): boolean =>
  secondary.serials.has(domain.name) &&
  secondary.serials.get(domain.name) === servedOf(databaseFileIn(directory), domain.name);

describe('publishing', () => {
  it('12.3 loses nothing when it is killed with -9 between the commit and the NOTIFY', async () => {
    for (let round = 0; round < 2; round++) {
      const one = await start();
      secondary.manners = () => 'drop';
      const domain = await newDomain(clientsOf(one.url));
      await domain.newRecord();
      killAll(one);
      await one.ended;
      follow();
      secondary.manners = () => 'answer';
      secondary.heard.length = 0;
      const again = await start();
      await until(() => isServed(domain));
      killAll(again);
      await again.ended;
    }
  });

  it('12.3 sends NOTIFY for changes by a command while no service ran', async () => {
    follow();
    const name = 'imported.example.org.';
    const file = join(directory, `${name}zone`);
    await writeFile(file, '$TTL 300\n@ A 192.0.2.1\n');
    expect(await runCommand(directory, environment(), ['migrate'])).toMatchObject({ code: 0 });
    const args = ['zone', 'import', file, '--domain', name, '--create', '--email', 'hostmaster@example.org'];
    const { code, stderr } = await runCommand(directory, environment(), args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(secondary.heard).toEqual([]);
    await start();
    await until(() => isServed({ name }));
  });

  it('12.1 sends one NOTIFY for a change by either of two processes, and repeats lost ones', async () => {
    follow();
    const doors = [await start(), await start()].map(({ url }) => clientsOf(url));
    for (const door of doors) {
      const domain = await newDomain(door);
      await until(() => isServed(domain));
      await delay(1500);
      secondary.heard.length = 0;
      await domain.newRecord();
      await delay(1500);
      expect(secondary.notifiesOf(domain.name)).toHaveLength(1);
      expect(isServed(domain)).toBe(true);

      secondary.heard.length = 0;
      secondary.manners = ({ kind }) =>
        kind === 'notify' && secondary.notifiesOf(domain.name).length < 2 ? 'drop' : 'answer';
      await domain.newRecord({ name: domain.at('lost') });
      await until(() => secondary.notifiesOf(domain.name).length === 2);
      const [first, second] = secondary.notifiesOf(domain.name);
      // Within a second where the machine is not busy.
      expect(second!.at - first!.at).toBeLessThan(4000);
      await until(() => isServed(domain));
      secondary.manners = () => 'answer';
    }
  });

  it('12.1 sends NOTIFY from zonewright mdns for changes of a service without a name server', async () => {
    follow();
    const service = await start({ SERVICE_MDNS__ENABLED: 'False' });
    const beside = await startServiceProcess(directory, environment(), [COMMAND_LINE, 'mdns']);
    processes.push(beside);
    const domain = await newDomain(clientsOf(service.url));
    await until(() => isServed(domain));
    beside.signal('SIGTERM');
    expect(await beside.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('12.1, 12.3 continues while one process is stopped for long, and loses nothing when it resumes (attack case 71)', async () => {
    follow();
    const [first, second] = [await start(), await start()];
    const domain = await newDomain(clientsOf(second.url));
    await until(() => isServed(domain));
    // In the middle of a change it would hold up everybody.
    for (let attempt = 0; ; attempt += 1) {
      first.signal('SIGSTOP');
      const { status } = await domain.create({ name: domain.at(`while${attempt}`), type: 'A', data: '192.0.2.1' });
      if (status === 200) break;
      first.signal('SIGCONT');
    }
    secondary.manners = ({ kind }) =>
      kind === 'notify' && secondary.notifiesOf(domain.name).length <= 5 ? 'drop' : 'answer';
    secondary.heard.length = 0;
    await domain.newRecord({ name: domain.at('taken-over') });
    await until(() => isServed(domain));
    first.signal('SIGCONT');
    await clientsOf(first.url).call('get', '/healthz');
    await domain.newRecord({ name: domain.at('afterwards') });
    const { serial } = await domain.now();
    for (const { url } of [first, second]) {
      const path = `/v1/domains/${domain.id}/publication?wait=20`;
      expect((await clientsOf(url).call('get', path)).body).toMatchObject({ serial, published: true });
    }
    expect(secondary.serials.get(domain.name)).toBe(serial);
  });

  it('12.1 continues in another process when the repeating and proving process exits', async () => {
    follow();
    const first = await start();
    const second = await start();
    const domain = await newDomain(clientsOf(second.url));
    await until(() => isServed(domain));
    first.signal('SIGTERM');
    await first.ended;
    secondary.manners = ({ kind }) =>
      kind === 'notify' && secondary.notifiesOf(domain.name).length <= 5 ? 'drop' : 'answer';
    secondary.heard.length = 0;
    await domain.newRecord();
    await until(() => isServed(domain));
  });
});
