import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type AbstractClass,
  ChangeLimits,
  definePlugin,
  type DomainName,
  fill,
  fillAlone,
  type FilledPort,
  type GrowthCheck,
  ImportLimits,
  NoRecordLimits,
  RecordLimits,
  ServiceError,
  ZoneLimits,
  ZoneNameRules,
  ZonePublication,
} from '../../src/index.js';
import { bodyOf, refusalOf } from '../support/answers.js';
import { type Settings, startTestService, type TestService } from '../support/service.js';

class ThreeRecords extends RecordLimits {
  override checkFor(): Promise<GrowthCheck> {
    return Promise.resolve(({ zoneRecords }) => {
      if ((zoneRecords ?? 0) > 3) throw new ServiceError('over_quota', 'The plan has 3 records.');
    });
  }
}

class OneZone extends ZoneLimits {
  override async assertZoneAllowed(_: unknown, __: string, zoneCount: number): Promise<void> {
    if (zoneCount > 1) throw new ServiceError('over_quota', 'The plan has 1 domain.');
  }
}

class TwoGenerated extends ImportLimits {
  override maxRecords(): Promise<number> {
    return Promise.resolve(2);
  }
}

class NoTestZones extends ZoneNameRules {
  override async assertAllowed(_: unknown, name: DomainName): Promise<void> {
    if (name.toString().startsWith('test.'))
      throw new ServiceError('invalid_zone_name', 'Names of tests are kept free.');
  }
}

class NeverPublished extends ZonePublication {
  override statusSql(): string {
    return "'ERROR'";
  }
}

/** The change weights that it received. */
const weights: number[] = [];

class Counting extends ChangeLimits {
  override run<T>(_: string, change: (weigh: (weight: number) => void) => Promise<T>): Promise<T> {
    return change((weight) => weights.push(weight));
  }
}

type Filling = <Port extends object>(port: AbstractClass<Port>, filler: new () => Port) => FilledPort;

describe('limits of a plugin', () => {
  let service: TestService;
  afterEach(() => service.stop());

  const start = async (settings: Settings, ...ports: FilledPort[]): Promise<void> => {
    const plugin = definePlugin({ name: 'plans', zonewright: '*', core: () => ({ ports }) });
    service = await startTestService(settings, undefined, [plugin]);
  };
  const createZone = (name: string) =>
    service.as('acme').call('post', '/v1/domains', { name, email: 'hostmaster@example.org' });
  const recordsOf = async (count: number, isRefusedAt: number | null): Promise<void> => {
    const { id } = await bodyOf(createZone('example.org.'));
    for (let at = 1; at <= count; at += 1) {
      const body = { name: 'www.example.org.', type: 'TXT', data: `record ${at}` };
      const request = service.as('acme').call('post', `/v1/domains/${id}/records`, body);
      await (at === isRefusedAt ? refusalOf(request, 413, 'over_quota') : bodyOf(request));
    }
  };
  const filled = (fillPort: Filling) => fillPort(RecordLimits, ThreeRecords);

  it('8.8 hold within wider quotas', async () => {
    await start({ DEFAULT__QUOTA_RECORDSET_RECORDS: '20' }, filled(fill));
    await recordsOf(4, 4);
  });

  it('8.8 hold next to narrower quotas, which stay in force', async () => {
    await start({ DEFAULT__QUOTA_RECORDSET_RECORDS: '2' }, filled(fill));
    await recordsOf(3, 3);
  });

  it('8.8 replace the quotas where the plugin requests it', async () => {
    await start({ DEFAULT__QUOTA_RECORDSET_RECORDS: '2' }, filled(fillAlone));
    await recordsOf(4, 4);
  });

  it('8.8 can be none at all', async () => {
    await start({ DEFAULT__QUOTA_RECORDSET_RECORDS: '2' }, fillAlone(RecordLimits, NoRecordLimits));
    await recordsOf(5, null);
  });

  it('8.8 hold for the number of domains as well', async () => {
    await start({ DEFAULT__QUOTA_ZONES: '10' }, fill(ZoneLimits, OneZone));
    await bodyOf(createZone('one.example.org.'));
    await refusalOf(createZone('two.example.org.'), 413, 'over_quota');
  });

  it('8.8 hold together with changes_per_minute, and both receive the weight of a change', async () => {
    weights.length = 0;
    await start({ SERVICE_API__CHANGES_PER_MINUTE: '2' }, fill(ChangeLimits, Counting));
    await bodyOf(createZone('one.example.org.'));
    await bodyOf(createZone('two.example.org.'));
    await refusalOf(createZone('three.example.org.'), 429, 'rate_limited');
    expect(weights).toEqual([1, 1]);
  });

  it('8.8 hold for $GENERATE output, and ignore single records', async () => {
    await start({}, fill(ImportLimits, TwoGenerated));
    const { id } = await bodyOf(createZone('example.org.'));
    const send = (file: string) =>
      service.as('acme').call('post', `/v1/domains/${id}/import`).set('Content-Type', 'text/dns').send(file);
    await bodyOf(send('$GENERATE 1-2 h$ A 192.0.2.1\n'));
    await refusalOf(send('$GENERATE 3-5 h$ A 192.0.2.1\n'), 413, 'over_quota');
  });
});

describe('other ports', () => {
  let service: TestService;
  afterEach(() => service.stop());

  const start = async (port: FilledPort): Promise<void> => {
    const plugin = definePlugin({ name: 'plans', zonewright: '*', core: () => ({ ports: [port] }) });
    service = await startTestService({ SERVICE_API__ENABLE_API_V2: 'true' }, undefined, [plugin]);
  };
  const createZone = (name: string) =>
    service.as('acme').call('post', '/v1/domains', { name, email: 'hostmaster@example.org' });

  it('8.8 check zone names in addition to the service rules', async () => {
    await start(fill(ZoneNameRules, NoTestZones));
    await bodyOf(createZone('example.org.'));
    await refusalOf(createZone('test.example.net.'), 400, 'invalid_object');
  });

  it('13.3 say whether a change has been published', async () => {
    await start(fill(ZonePublication, NeverPublished));
    const { id } = await bodyOf(createZone('example.org.'));
    expect(await bodyOf(service.as('acme').call('get', `/v2/zones/${id}`))).toMatchObject({ status: 'ERROR' });
  });
});
