import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { freshName, linesOfExport, newDomain, type TestDomain } from '../support/domain.js';
import { Secondary } from '../support/secondary.js';
import { until } from '../support/until.js';
import { add, remove, startUpdateService, type UpdateService, type Updater } from '../support/updates.js';

/** In milliseconds; changes do not wait for NOTIFY. */
const AT_ONCE = 5000;

let secondary: Secondary;
let service: UpdateService;
let updater: Updater;
let domain: TestDomain;
beforeAll(async () => {
  secondary = await Secondary.start();
  service = await startUpdateService({
    SERVICE_MDNS__SECONDARIES: secondary.address,
    SERVICE_API__CHANGES_PER_MINUTE: '200',
    SERVICE_API__EXPIRING_RECORDS: 'True',
  });
  updater = await service.newUpdater();
});
afterAll(async () => {
  await service.stop();
  await secondary.stop();
});
beforeEach(async () => {
  domain = await newDomain(service);
});
afterEach(() => audit(service.databaseFile));

const contents = async (): Promise<string[]> =>
  linesOfExport(await domain.export())
    .slice(2)
    .sort();

describe('effects of an update', () => {
  it('20.1 is undone by one revert of the whole message', async () => {
    const made = [add(domain.at('a'), 300, 'A', '192.0.2.1'), add(domain.at('b'), 300, 'TXT', '"text"')];
    expect(await updater.update(domain.name, { updates: made })).toBe('NOERROR');
    const [before, { serial }] = [await contents(), await domain.now()];
    const updates = [
      remove(domain.at('a')),
      add(domain.at('b'), 60, 'TXT', '"more"'),
      add(domain.at('c'), 60, 'A', '192.0.2.3'),
    ];
    expect(await updater.update(domain.name, { updates })).toBe('NOERROR');
    expect(await contents()).toHaveLength(3);
    await answerOf(service.call('post', `/v1/domains/${domain.id}/revert`, { serial }));
    expect(await contents()).toEqual(before);
  });

  it('20.1 sends NOTIFY to name servers immediately', async () => {
    const heard = (): number => secondary.notifiesOf(domain.name).length;
    await until(() => heard() > 0);
    const before = heard();
    expect(await updater.update(domain.name, { updates: [add(domain.at('a'), 300, 'A', '192.0.2.1')] })).toBe(
      'NOERROR',
    );
    await until(() => heard() > before, AT_ONCE);
  });

  it('20.4 keeps ids, descriptions and times to expire of the records that stay', async () => {
    const made = await domain.newRecord({ ttl: 300, description: 'a printer', expires_at: '2090-01-01T00:00:00Z' });
    expect(await updater.update(domain.name, { updates: [add(domain.at('www'), 60, 'A', '192.0.2.9')] })).toBe(
      'NOERROR',
    );
    expect(await bodyOf(domain.get(made.id))).toMatchObject({
      ttl: 60,
      description: 'a printer',
      expires_at: made.expires_at,
    });
    expect(await domain.records()).toHaveLength(2);
  });

  it('20.1 is refused above the rate limit of the tenant', async () => {
    const tenant = service.as('tenant-r');
    const [own, other] = [await newDomain(tenant), await service.newUpdater({}, tenant)];
    const updates = Array.from({ length: 250 }, (_, at) => add(own.at(`h${at}`), 60, 'A', '192.0.2.1'));
    expect(await other.update(own.name, { updates })).toBe('NOERROR');
    expect(await other.update(own.name, { updates: [remove(own.at('h1'))] })).toBe('REFUSED');
    expect(await own.records()).toHaveLength(250);
  });
});

describe('zones that are not changed by updates', () => {
  it('20.1 are stored by other name servers', async () => {
    const name = freshName();
    await answerOf(service.call('post', '/v2/zones', { name, type: 'SECONDARY', masters: ['9.9.9.9'] }), 202);
    expect(await updater.update(name, { updates: [add(`www.${name}`, 60, 'A', '192.0.2.1')] })).toBe('REFUSED');
  });

  it('20.1 are those shared with the tenant of the key', async () => {
    await answerOf(service.call('post', `/v2/zones/${domain.id}/shares`, { target_project_id: 'tenant-g' }), 201);
    const guest = await service.newUpdater({}, service.as('tenant-g'));
    expect(await guest.update(domain.name, { updates: [add(domain.at('g'), 60, 'A', '192.0.2.1')] })).toBe('NOTAUTH');
    expect(await domain.records()).toEqual([]);
  });
});
