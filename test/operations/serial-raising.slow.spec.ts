import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DomainName } from '../../src/dns/name.js';
import { type PublishedZone, ZoneSource } from '../../src/publishing/transfers/zone-source.js';
import { audit } from '../support/audit.js';
import { bodyOf } from '../support/answers.js';
import type { DomainBody } from '../support/bodies.js';
import { newDomain } from '../support/domain.js';
import { journalOf } from '../support/journal.js';
import { type Ended, runCommand } from '../support/process.js';
import { environmentOf, removeTestData, startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { startWriting } from './writing.js';

const CATALOG = DomainName.parse('catalog.example.');
const NEVER = new AbortController().signal;

let directory: string;
let service: TestService;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-raising-'));
  service = await startTestService({}, directory);
});
afterEach(async () => {
  await service.stop();
  audit(service.databaseFile);
  await removeTestData(directory);
});

const zonewright = (...args: string[]): Promise<Ended> => runCommand(directory, environmentOf(directory), args);

describe('17.4 zonewright check --raise-serials', () => {
  it('journals each raise, also while the service changes the domains (attack case 110)', async () => {
    const domains = await Promise.all(Array.from({ length: 5 }, () => newDomain(service)));
    const writings = domains.map(startWriting);
    const { code, stderr } = await zonewright('check', '--raise-serials', '--by', '5000');
    const told = await Promise.all(domains.map(async (domain) => (await domain.now()).serial));
    for (const writing of writings) await writing.end();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const [at, domain] of domains.entries()) {
      const story = journalOf(service.databaseFile, domain.id);
      const raised = story.findIndex(({ action }) => action === 'zone.serial');
      const [before, entry] = [story[raised - 1]!, story[raised]!];
      expect(story.filter(({ action }) => action === 'zone.serial')).toHaveLength(1);
      expect(entry.serial - before.serial).toBeGreaterThan(5000);
      expect(entry).toMatchObject({
        before: { serial: before.serial },
        after: { serial: entry.serial },
        request_id: expect.stringMatching(/^cli-/),
      });
      expect(told[at]).toBeGreaterThanOrEqual(entry.serial);
    }
  });

  it('raises above serials that run ahead of the time', async () => {
    const domain = await newDomain(service);
    const serials: number[] = [];
    for (let times = 0; times < 2; times++) {
      expect(await zonewright('check', '--raise-serials', '--by', '1000000')).toMatchObject({ code: 0 });
      serials.push((await domain.now()).serial);
    }
    expect(serials.map((serial, at) => serial - (serials[at - 1] ?? serial))).toEqual([0, 1_000_001]);
    expect((await bodyOf<DomainBody>(service.call('put', `/v1/domains/${domain.id}`, { ttl: 60 }))).serial).toBe(
      serials[1]! + 1,
    );
  });

  it('raises the serial of the catalog zone, and sends the whole zone to servers with an earlier serial', async () => {
    const settings = {
      SERVICE_MDNS__ENABLED: 'True',
      SERVICE_MDNS__LISTEN: '127.0.0.1:0',
      SERVICE_MDNS__CATALOG_ZONE: CATALOG.toString(),
    };
    await service.stop();
    service = await startTestService(settings, directory);
    const source = service.running.get(ZoneSource);
    const catalog = (): Promise<PublishedZone | null> => source.find(CATALOG);
    const changedSince = async (serial: number): Promise<boolean> => {
      const difference = await source.ixfr((await catalog())!, serial, NEVER);
      difference?.release();
      return difference !== null;
    };
    await until(async () => (await catalog()) !== null);
    const first = (await catalog())!.serial;
    await newDomain(service);
    await until(async () => (await catalog())!.serial !== first);
    const { serial } = (await catalog())!;
    expect(await changedSince(first)).toBe(true);

    expect(await runCommand(directory, environmentOf(directory, settings), ['check', '--raise-serials'])).toMatchObject(
      { code: 0 },
    );
    const raised = (await catalog())!.serial;
    expect(raised - serial).toBeGreaterThan(900_000);
    expect(await changedSince(serial)).toBe(false);
    await newDomain(service);
    await until(async () => (await catalog())!.serial === raised + 1);
    expect(await changedSince(raised)).toBe(true);
  });

  it('refuses a margin that is none', async () => {
    for (const { code, stderr } of await Promise.all(
      ['0', '1073741825'].map((by) => zonewright('check', '--raise-serials', '--by', by)),
    )) {
      expect(code).toBe(1);
      expect(stderr).toMatch(/^zonewright: --by[^\n]*\n$/);
    }
  });
});
