import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { journalOf } from '../support/journal.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { samplesIn, sumOf } from '../support/metrics.js';
import { removeTestData, startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { bringing, Receiver } from './receiver.js';

const SETTINGS = { SERVICE_API__ENABLE_API_V2: 'True' };

const deleteDomain = (service: TestService, { id }: TestDomain) =>
  answerOf(service.call('delete', `/v1/domains/${id}`));

describe('a change listener', () => {
  const [first, second] = [new Receiver('first'), new Receiver('second')];
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(SETTINGS, undefined, [bringing(first, second)]);
  });
  afterEach(() => {
    for (const receiver of [first, second]) receiver.handle = () => undefined;
  });
  afterAll(() => service.stop());

  it('19.1, 19.2 gets every entry in order, complete before and after, also domain deletions', async () => {
    const domain = await newDomain(service);
    const record = await domain.newRecord({ ttl: 60 });
    await answerOf(domain.update(record.id, { data: '192.0.2.4' }));
    await answerOf(domain.delete(record.id));
    await deleteDomain(service, domain);
    const entries = await first.has(domain, 5);
    const told = journalOf(service.databaseFile, domain.id);
    expect(entries.map(({ number, action, serial, requestId }) => [number, action, serial, requestId])).toEqual(
      told.map(({ number, action, serial, request_id: requestId }) => [number, action, serial, requestId]),
    );
    expect(entries.map(({ action }) => action)).toEqual([
      'zone.create',
      'record.create',
      'record.update',
      'record.delete',
      'zone.delete',
    ]);
    for (const { zone } of entries) expect(zone).toEqual({ id: domain.id, name: domain.name, tenantId: 'tenant-a' });
    const [made, , updated, deleted, ended] = entries;
    expect(made).toMatchObject({ before: null, after: { name: domain.name }, recordId: null });
    expect(updated).toMatchObject({
      recordId: record.id,
      before: { id: record.id, name: domain.at('www'), data: '192.0.2.3', ttl: 60 },
      after: { id: record.id, name: domain.at('www'), data: '192.0.2.4', ttl: 60, type: 'A' },
    });
    expect(deleted).toMatchObject({ before: { data: '192.0.2.4' }, after: null });
    expect(ended).toMatchObject({ before: { name: domain.name }, after: null });
    expect(await second.has(domain, 5)).toEqual(entries);
  });

  it('19.1 gets the owner of the domain at each step', async () => {
    const domain = await newDomain(service.as('giver'));
    const request = { target_project_id: null };
    const { id, key } = await bodyOf<{ id: string; key: string }>(
      service.as('giver').call('post', `/v2/zones/${domain.id}/tasks/transfer_requests`, request),
      201,
    );
    const accepted = { key, zone_transfer_request_id: id };
    await answerOf(service.as('taker').call('post', '/v2/zones/tasks/transfer_accepts', accepted), 201);
    await bodyOf(
      service
        .as('taker')
        .call('post', `/v1/domains/${domain.id}/records`, { name: domain.at('www'), type: 'A', data: '192.0.2.1' }),
    );
    const entries = await first.has(domain, 3);
    expect(entries.map(({ action, zone }) => [action, zone.tenantId])).toEqual([
      ['zone.create', 'giver'],
      ['zone.transfer', 'taker'],
      ['record.create', 'taker'],
    ]);
  });

  it('19.2 gets more than a page page by page', async () => {
    const domain = await newDomain(service);
    const sizes: number[] = [];
    first.handle = (entries) => void sizes.push(entries.length);
    await domain.import(Array.from({ length: 1000 }, (_, at) => `h${at} A 192.0.2.1\n`).join(''));
    const entries = await first.has(domain, 1001);
    expect(entries.map(({ number }) => number)).toEqual(Array.from({ length: 1001 }, (_, at) => at + 1));
    expect(Math.max(...sizes)).toBe(256);
  });

  it('19.3, 16.2, 16.3 that fails gets the same again; other domains and other listeners go on, and it is shown', async () => {
    const [bad, good] = [await newDomain(service), await newDomain(service)];
    await Promise.all([first.has(bad, 1), first.has(good, 1)]);
    let isBroken = true;
    first.handle = ([entry]) => {
      if (isBroken && entry?.zone.id === bad.id) throw new Error('broken');
    };
    await bad.newRecord();
    await good.newRecord();
    await bad.newRecord({ name: bad.at('later') });
    await first.has(good, 2);
    await second.has(bad, 3);
    await until(async () => {
      const { body } = await answerOf(service.plain('get', '/readyz'));
      return JSON.stringify(body) === '{"status":"ok","failing_listeners":["first"]}';
    });
    const samples = samplesIn((await answerOf(service.call('get', '/metrics'))).text);
    const figure = (name: string, listener: string) => sumOf(samples, `zonewright_listener_${name}`, { listener });
    expect(figure('failures_total', 'first')).toBeGreaterThan(0);
    expect(figure('failures_total', 'second')).toBe(0);
    expect(figure('zones_waiting', 'first')).toBe(1);
    expect(figure('lag_seconds', 'first')).toBeGreaterThan(0);
    expect(figure('entries_total', 'second')).toBeGreaterThan(5);
    isBroken = false;
    const entries = await first.has(bad, 3);
    expect(entries.map(({ number }) => number)).toEqual([1, 2, 3]);
    await until(async () => {
      const { body } = await answerOf(service.plain('get', '/readyz'));
      return JSON.stringify(body) === '{"status":"ok"}';
    });
  });

  it('19.3 that hangs at some domains continues with other domains', async () => {
    const hanging = await Promise.all(Array.from({ length: 10 }, () => newDomain(service)));
    await Promise.all(hanging.map((domain) => first.has(domain, 1)));
    const ids = new Set(hanging.map(({ id }) => id));
    first.handle = async ([entry], signal) => {
      if (ids.has(entry?.zone.id ?? '')) await new Promise((resolve) => signal.addEventListener('abort', resolve));
    };
    await Promise.all(hanging.map((domain) => domain.newRecord()));
    const other = await newDomain(service);
    await other.newRecord();
    await first.has(other, 2);
    for (const domain of hanging) await second.has(domain, 2);
  });
});

describe('change listeners that are all new', () => {
  it('19.5 get changes from the first response of the service on', async () => {
    const receivers = Array.from({ length: 12 }, (_, at) => new Receiver(`new-${at}`));
    const service = await startTestService({}, undefined, [bringing(...receivers)]);
    const domain = await newDomain(service);
    const entries = await Promise.all(receivers.map((receiver) => receiver.has(domain, 1)));
    expect(entries.map(([first]) => first?.number)).toEqual(receivers.map(() => 1));
    await service.stop();
  });
});

describe('a change listener that is added and removed', () => {
  let directory: string;
  afterEach(() => removeTestData(directory));

  it('19.5, 19.6 begins with the changes from then on, and resumes at its position', async () => {
    directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
    const serve = async (receivers: readonly Receiver[], work: (service: TestService) => Promise<void>) => {
      const service = await startTestService({}, directory, receivers.length === 0 ? [] : [bringing(...receivers)]);
      await work(service);
      await service.stop();
    };
    let [old, doomed] = [null, null] as [TestDomain | null, TestDomain | null];
    let short: TestDomain | null = null;
    const receiver = new Receiver('waiting');
    await serve([], async (service) => {
      old = await newDomain(service);
      doomed = await newDomain(service);
      await deleteDomain(service, await newDomain(service));
    });
    await serve([receiver], async (service) => {
      const domain = await newDomain(service);
      await receiver.has(domain, 1);
      expect(receiver.entries).toHaveLength(1);
      // Aborted where it hangs, and given again.
      receiver.handle = (_, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
      await bodyOf(
        service.call('post', `/v1/domains/${old!.id}/records`, { name: old!.name, type: 'A', data: '192.0.2.1' }),
      );
      await until(() => receiver.calls === 2);
    });
    expect(receiver.entries).toHaveLength(1);
    await serve([], async (service) => {
      await deleteDomain(service, doomed!);
      short = await newDomain(service);
      await deleteDomain(service, short);
    });
    receiver.handle = () => undefined;
    await serve([receiver], async () => {
      await Promise.all([receiver.has(old!, 1), receiver.has(doomed!, 1), receiver.has(short!, 2)]);
    });
    expect(receiver.actionsOf(old!)).toEqual(['record.create']);
    expect(receiver.actionsOf(doomed!)).toEqual(['zone.delete']);
    expect(receiver.actionsOf(short!)).toEqual(['zone.create', 'zone.delete']);
    expect(receiver.entries).toHaveLength(5);
    const before = receiver.calls;
    await serve([receiver], async (service) => {
      await receiver.has(await newDomain(service), 1);
    });
    expect(receiver.calls).toBe(before + 1);
  });
});

describe('the name of a change listener', () => {
  it('19.1 must be free, and have no other characters than it may have', async () => {
    const start = (...receivers: Receiver[]) => startTestService({}, undefined, [bringing(...receivers)]);
    await expect(start(new Receiver('same'), new Receiver('same'))).rejects.toThrow(
      'plugin receiving: the change listener same is there twice',
    );
    await expect(start(new Receiver('No name'))).rejects.toThrow(
      'plugin receiving: the change listener "No name": a name has lower-case letters, digits and hyphens',
    );
  });
});
