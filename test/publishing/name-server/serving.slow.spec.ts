import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { SOA } from '../../../src/dns/rdata/index.js';
import { MetaType } from '../../../src/dns/message/codes.js';
import { temporaryDirectories } from '../../support/directory.js';
import { ask, DnsConnection, type Place, queryOf, rcodeOf, serialOf, transfer } from '../../support/dns-client.js';
import { newDomain } from '../../support/domain.js';
import {
  COMMAND_LINE,
  runCommand,
  runService,
  type ServiceProcess,
  startServiceProcess,
} from '../../support/process.js';
import { samplesIn, sumOf } from '../../support/metrics.js';
import { clientsOf, environmentOf, type Settings } from '../../support/service.js';
import { until } from '../../support/until.js';

const newDirectory = temporaryDirectories();
const MDNS: Settings = {
  SERVICE_MDNS__ENABLED: 'True',
  SERVICE_MDNS__LISTEN: '127.0.0.1:0',
  SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
};

/** Where a process says that it answers name servers. */
function dnsOf({ url, output }: ServiceProcess): Place {
  const [, port] = /dns:\/\/127\.0\.0\.1:(\d+)/.exec(`${url} ${output().stdout}`) ?? [];
  return { port: Number(port) };
}

describe('12.1 the name server', () => {
  const processes: ServiceProcess[] = [];
  afterEach(async () => {
    for (const process of processes) process.signal('SIGKILL');
    await Promise.all(processes.splice(0).map(({ ended }) => ended));
  });

  async function start(directory: string, settings: Settings, ...args: string[]): Promise<ServiceProcess> {
    const program = args.length === 0 ? undefined : ([COMMAND_LINE, ...args] as const);
    const started = await startServiceProcess(directory, environmentOf(directory, settings), program);
    processes.push(started);
    return started;
  }

  it('starts after the API, serves its changes, and ends with it', async () => {
    const service = await start(await newDirectory(), MDNS);
    const zone = await newDomain(clientsOf(service.url), 'example.org.');
    await zone.newRecord({ data: '192.0.2.1' });
    const place = dnsOf(service);
    const { records } = await transfer(place, { name: 'example.org.', type: MetaType.AXFR });
    expect(records.map(({ owner, type }) => `${owner.toString()} ${type}`)).toEqual([
      'example.org. 6',
      'example.org. 2',
      'www.example.org. 1',
      'example.org. 6',
    ]);
    const before = serialOf(records[0]!);
    await zone.newRecord({ name: 'mail.example.org.' });
    const [soa] = (await ask(place, { name: 'example.org.', type: SOA.code })).answers;
    expect(serialOf(soa!)).toBeGreaterThan(before);
    const idle = await DnsConnection.open(place);
    service.signal('SIGTERM');
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
    await idle.closed;
  });

  it('also runs alone, next to an API without a name server', async () => {
    const directory = await newDirectory();
    const service = await start(directory, { ...MDNS, SERVICE_MDNS__ENABLED: 'False' });
    expect(service.output().stdout).not.toContain('dns:');
    await newDomain(clientsOf(service.url), 'example.org.');
    const settings = { ...MDNS, SERVICE_MDNS__ENABLED: 'False' };
    for (const alone of [await start(directory, settings, 'mdns'), await start(directory, settings, 'mdns')]) {
      expect(alone.output().stdout).toMatch(/^Zonewright \S+ listens on dns:\/\/127\.0\.0\.1:\d+\n$/);
      expect(rcodeOf(await ask(dnsOf(alone), { name: 'example.org.', type: SOA.code }))).toBe('NOERROR');
      const connection = await DnsConnection.open(dnsOf(alone));
      connection.send(queryOf({ name: 'example.org.', type: MetaType.AXFR }));
      await connection.next();
      alone.signal('SIGTERM');
      expect(await alone.ended).toMatchObject({ code: 0, stderr: '' });
      await connection.closed;
    }
  });

  it('16.3 shows its figures alone as well, and answers also where their address is taken', async () => {
    const directory = await newDirectory();
    const settings = { ...MDNS, METRICS__LISTEN: '127.0.0.1:0' };
    const service = await start(directory, { ...MDNS, SERVICE_MDNS__ENABLED: 'False' });
    await newDomain(clientsOf(service.url), 'example.org.');
    const alone = await start(directory, settings, 'mdns');
    await transfer(dnsOf(alone), { name: 'example.org.', type: MetaType.AXFR });
    await until(() => /Metrics +(\S+)/.test(alone.output().stdout));
    const url = /Metrics +(\S+)/.exec(alone.output().stdout)?.[1] ?? '';
    const sent = async () => sumOf(samplesIn(await (await fetch(url)).text()), 'zonewright_transfers_total');
    await until(async () => (await sent()) === 1);
    const shown = samplesIn(await (await fetch(url)).text()).map(({ name }) => name);
    for (const name of ['process_resident_memory_bytes', 'zonewright_changes_waiting']) expect(shown).toContain(name);
    expect((await fetch(new URL('/v1/domains', url))).status).toBe(404);

    const beside = await start(directory, { ...MDNS, METRICS__LISTEN: new URL(url).host }, 'mdns');
    expect(rcodeOf(await ask(dnsOf(beside), { name: 'example.org.', type: SOA.code }))).toBe('NOERROR');
    await until(() => beside.output().stdout.includes(`${new URL(url).host} is taken by another program`));
    for (const one of [alone, beside]) {
      one.signal('SIGTERM');
      expect(await one.ended).toMatchObject({ code: 0, stderr: '' });
    }
  });

  it('without an address fails with one line', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const where = `127.0.0.1:${(taken.address() as AddressInfo).port}`;
    const settings = { ...MDNS, SERVICE_MDNS__LISTEN: where };
    const directory = await newDirectory();
    const env = environmentOf(directory, settings);
    const stderr = `zonewright: ${where} is taken by another program: stop it or set [service:mdns] listen to another address\n`;
    expect(await runService(directory, env)).toEqual({ code: 1, stdout: '', stderr });
    expect(await runCommand(directory, env, ['mdns'])).toEqual({ code: 1, stdout: '', stderr });
    taken.close();
  });

  it('does not start alone without permitted clients', async () => {
    const directory = await newDirectory();
    const env = environmentOf(directory, { SERVICE_MDNS__LISTEN: '127.0.0.1:0' });
    const stderr =
      'zonewright: no name server may send queries: set [service:mdns] secondaries, allow_transfer or updates\n';
    expect(await runCommand(directory, env, ['mdns'])).toEqual({ code: 1, stdout: '', stderr });
  });
});
