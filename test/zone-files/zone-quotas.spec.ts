import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { audit, contentsOf } from '../support/audit.js';
import { refusalOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let zone: TestDomain;

beforeAll(async () => {
  service = await startTestService({
    DEFAULT__QUOTA_ZONE_RECORDS: '10',
    DEFAULT__QUOTA_ZONE_RECORDSETS: '8',
    DEFAULT__QUOTA_RECORDSET_RECORDS: '4',
    DEFAULT__QUOTA_API_EXPORT_SIZE: '5',
  });
});
afterAll(() => service.stop());
beforeEach(async () => {
  zone = await newDomain(service.as('tenant-a', 'member'));
});
afterEach(() => audit(service.databaseFile));

describe('quotas hold for zone files', () => {
  const names = (count: number, from = 0) =>
    Array.from({ length: count }, (_, at) => `h${String(from + at)} A 192.0.2.1\n`).join('');
  const addresses = (count: number, name = 'www') =>
    Array.from({ length: count }, (_, at) => `${name} A 192.0.2.${String(at)}\n`).join('');

  it.each([
    ['zone_records', addresses(4, 'a') + addresses(4, 'b') + addresses(2, 'c'), 'd A 192.0.2.1\n'],
    ['zone_recordsets', names(8), 'one-more A 192.0.2.1\n'],
    ['recordset_records', addresses(4), 'www A 192.0.2.200\n'],
  ])('%s: accepts the limit; one more is 413 and stores nothing (attack case 61)', async (quota, full, more) => {
    const before = contentsOf(service.databaseFile);
    const { message, errors } = await refusalOf(zone.sendFile(full + more), 413, 'over_quota');
    expect([message, errors]).toEqual([expect.stringContaining(`The quota ${quota} is `), undefined]);
    expect(contentsOf(service.databaseFile)).toEqual(before);
    await zone.import(full);
    await refusalOf(zone.sendFile(more), 413, 'over_quota');
    await refusalOf(zone.sendFile(more, '?dry_run=true'), 413, 'over_quota');
    expect(await zone.import(full)).toMatchObject({ created: 0 });
  });

  it('15.5 a full domain may be replaced by another full one', async () => {
    await zone.import(names(8));
    expect(await zone.import(names(8, 4), '?mode=replace')).toMatchObject({ created: 4, unchanged: 4, removed: 4 });
  });

  it('8.3, 15.6 api_export_size: exports the limit; one more is 413', async () => {
    await zone.import(names(5));
    expect(await zone.export()).toContain('h4.');
    await zone.import(names(1, 5));
    const { message } = await refusalOf(zone.fetchFile(), 413, 'over_quota');
    expect(message).toContain('api_export_size is 5 and the domain has 6 records');
  });

  it('6.5 SOA and the own name servers count for none', async () => {
    await zone.import(`${names(5)}@ SOA ns1 h 1 2 3 4 5\n@ NS ns1.zonewright.invalid.\n`);
    await zone.export();
  });
});
