import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Authenticator,
  ChangeLimits,
  definePlugin,
  ExportLimits,
  fill,
  type FilledPort,
  type GrowthCheck,
  type Identity,
  RecordLimits,
  type Transaction,
  type ZonewrightPlugin,
  ZoneLimits,
} from '../../src/index.js';
import { bodyOf, refusalOf } from '../support/answers.js';
import { startTestService, type TestService } from '../support/service.js';

/** Its calls are answered when the test ends. */
const HANGING = 'hanging';
let answerAll: () => void = () => undefined;
let answered: Promise<void> = Promise.resolve();
const answerFor = (tenantId: string): Promise<void> => (tenantId.startsWith(HANGING) ? answered : Promise.resolve());

/** Number of port calls for the hanging tenants, and the arguments. */
let asked = 0;
let lent: Transaction | null = null;

class HangingRecordLimits extends RecordLimits {
  override async checkFor(tx: Transaction, tenantId: string): Promise<GrowthCheck> {
    if (tenantId.startsWith(HANGING)) [asked, lent] = [asked + 1, tx];
    await answerFor(tenantId);
    return () => undefined;
  }
}

class HangingZoneLimits extends ZoneLimits {
  override assertZoneAllowed(_: Transaction, tenantId: string): Promise<void> {
    return answerFor(tenantId);
  }
}

class HangingExportLimits extends ExportLimits {
  override assertExportAllowed(tenantId: string): Promise<void> {
    return answerFor(tenantId);
  }
}

class HangingBefore extends ChangeLimits {
  override async run<T>(tenantId: string, change: (weigh: (weight: number) => void) => Promise<T>): Promise<T> {
    await answerFor(tenantId);
    return change(() => undefined);
  }
}

class HangingAfter extends ChangeLimits {
  override async run<T>(tenantId: string, change: (weigh: (weight: number) => void) => Promise<T>): Promise<T> {
    const result = await change(() => undefined);
    await answerFor(tenantId);
    return result;
  }
}

class HangingAuthenticator extends Authenticator {
  override async identify({ 'x-auth-project-id': name }: Record<string, unknown>): Promise<Identity | null> {
    if (typeof name !== 'string') return null;
    await answerFor(name);
    return { tenantId: name, roles: ['member'] };
  }
}

const brings = (...ports: FilledPort[]): ZonewrightPlugin =>
  definePlugin({ name: 'slow', zonewright: '*', api: () => ({ ports }) });

const SETTINGS = { PLUGINS__CHANGE_TIME_LIMIT_MS: '100', PLUGINS__REQUEST_TIME_LIMIT: '1' };

describe('a port that does not answer', () => {
  let service: TestService;
  beforeEach(() => {
    [asked, lent] = [0, null];
    answered = new Promise((resolve) => (answerAll = resolve));
  });
  afterEach(async () => {
    answerAll();
    await service.stop();
  });

  const start = async (...ports: FilledPort[]): Promise<void> => {
    service = await startTestService(SETTINGS, undefined, [brings(...ports)]);
  };
  const zoneOf = async (tenantId: string): Promise<string> => {
    const body = { name: `${tenantId}.example.org.`, email: 'hostmaster@example.org' };
    const { id } = await bodyOf<{ id: string }>(service.as(tenantId).call('post', '/v1/domains', body));
    return `/v1/domains/${id}`;
  };
  const record = (at: number) => ({ name: `r${at}.example.org.`, type: 'TXT', data: `record ${at}` });
  const create = (tenantId: string, path: string, at: number) => {
    const { type, data } = record(at);
    const name = `r${at}.${tenantId}.example.org.`;
    return service.as(tenantId).call('post', `${path}/records`, { name, type, data });
  };

  it('16.7 refuses the change with 503 and lets the changes of others go on', async () => {
    await start(fill(RecordLimits, HangingRecordLimits));
    const [hanging, other] = [await zoneOf(HANGING), await zoneOf('other')];
    const refused = Array.from({ length: 5 }, (_, at) => refusalOf(create(HANGING, hanging, at), 503, 'unavailable'));
    const done = Array.from({ length: 20 }, (_, at) => bodyOf(create('other', other, at)));
    await Promise.all([...refused, ...done]);
    await bodyOf(create('other', other, 20));
    const [first] = await Promise.all(refused);
    expect(first?.message).toContain('slow/RecordLimits');
  });

  it('16.7 does not call it again for that tenant immediately, and sends Retry-After', async () => {
    await start(fill(RecordLimits, HangingRecordLimits));
    const path = await zoneOf(HANGING);
    await refusalOf(create(HANGING, path, 1), 503, 'unavailable');
    const answer = await create(HANGING, path, 2).expect(503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(1);
    expect(asked).toBe(1);
  });

  it('16.7 names plugin and port in /readyz and the metrics', async () => {
    await start(fill(RecordLimits, HangingRecordLimits));
    const path = await zoneOf(HANGING);
    expect(await bodyOf(service.plain('get', '/readyz'))).toEqual({ status: 'ok' });
    await refusalOf(create(HANGING, path, 1), 503, 'unavailable');
    expect(await bodyOf(service.plain('get', '/readyz'))).toEqual({
      status: 'ok',
      failing_plugins: ['slow/RecordLimits'],
    });
    const { text } = await service.call('get', '/metrics').expect(200);
    expect(text).toMatch(/^zonewright_plugin_calls_overdue_total\{plugin="slow",port="RecordLimits"\} [1-9]/m);
  });

  it('16.7 leaves it no transaction to go on with', async () => {
    await start(fill(RecordLimits, HangingRecordLimits));
    await refusalOf(create(HANGING, await zoneOf(HANGING), 1), 503, 'unavailable');
    const { entityManagerOf } = await import('../../src/index.js');
    expect(() => entityManagerOf(lent as unknown as Transaction)).toThrow('the transaction is over');
  });

  it('16.7 refuses a domain whose quota check hangs', async () => {
    await start(fill(ZoneLimits, HangingZoneLimits));
    const body = { name: 'hanging.example.org.', email: 'hostmaster@example.org' };
    await refusalOf(service.as(HANGING).call('post', '/v1/domains', body), 503, 'unavailable');
    await zoneOf('other');
  });

  it('16.7 refuses an export whose size check hangs', async () => {
    await start(fill(ExportLimits, HangingExportLimits));
    const path = await zoneOf(HANGING);
    await refusalOf(service.as(HANGING).call('get', `${path}/export`), 503, 'unavailable');
  });

  it('16.7 makes no change that it has given up, also when the plugin begins it later', async () => {
    await start(fill(ChangeLimits, HangingBefore));
    const body = { name: 'hanging.example.org.', email: 'hostmaster@example.org' };
    await refusalOf(service.as(HANGING).call('post', '/v1/domains', body), 503, 'unavailable');
    answerAll();
    await zoneOf('other');
    expect(await bodyOf(service.as(HANGING).call('get', '/v1/domains'))).toMatchObject({ domains: [] });
  });

  it('16.7 answers changes from before it began to hang', async () => {
    await start(fill(ChangeLimits, HangingAfter));
    await zoneOf(HANGING);
    expect(await bodyOf(service.plain('get', '/readyz'))).toMatchObject({ failing_plugins: ['slow/ChangeLimits'] });
  });

  it('16.7 refuses exactly the requests whose authentication hangs', async () => {
    await start(fill(Authenticator, HangingAuthenticator));
    const [refused] = await Promise.all([
      refusalOf(service.as(HANGING).call('get', '/v1/domains'), 503, 'unavailable'),
      zoneOf('other'),
    ]);
    expect(refused.message).toContain('slow/Authenticator');
  });

  it('18.3 does not keep the service from stopping', async () => {
    await start(fill(RecordLimits, HangingRecordLimits));
    const path = await zoneOf(HANGING);
    // If the service has stopped first, no refusal is sent.
    const refused = refusalOf(create(HANGING, path, 1), 503, 'unavailable').catch(() => undefined);
    await service.running.stop();
    await refused;
  });
});
