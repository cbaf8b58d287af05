import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { until } from '../support/until.js';
import { Person } from './person.js';
import { expectQuietLeave, recordsOf } from './walks.js';

describeWithBrowser('a domain that moves in', () => {
  let service: TokenService;
  let member: TokenClient;
  let browser: Browser;
  let person: Person;
  let zone: TestDomain;
  beforeAll(async () => {
    service = await startTokenService();
    member = await service.newToken({ description: 'Anna' });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });
  beforeEach(async () => {
    zone = await newDomain(member);
    person = await Person.at(browser, service.url);
    await person.comeTo(`/zones/${zone.name}/import`, member.token);
  });
  afterEach(() => expectQuietLeave(person));

  /** The export of a registrar, with its usual faults. */
  const exported = (): string => `$TTL 3600
@ IN SOA ns1.old-provider.net. hostmaster.old-provider.net. 1 7200 900 1209600 300
@ IN NS ns1.old-provider.net.
@ IN NS ns2.old-provider.net.
@ 300 IN A 203.0.113.10
@ IN MX 10 mail
@ IN MX 20 backup
mail 300 IN A 203.0.113.25
@ IN TXT v=spf1 include:_spf.example.net ~all
cdn IN CNAME d111.cloudfront.net
_sip._tls IN SRV 100 1 443 sipdir.online.lync.com
shop.${zone.name.slice(0, -1)} 300 IN A 203.0.113.11
`;

  const editor = (): Locator => person.page.getByLabel('Or paste zone file text');
  const findings = (): Locator =>
    person.dialog('Plan').getByRole('region', { name: 'New check findings' }).getByRole('listitem');
  const fix = (name: string | RegExp): Locator => person.dialog('Plan').getByRole('button', { name });
  const left = (name: string): Locator => person.dialog('Plan').getByRole('group', { name, exact: true });
  /** The element that has the focus, by its label. */
  const focused = (): Promise<string | null> =>
    person.page.evaluate<string | null>('document.activeElement.getAttribute("aria-label")');

  it('22.14 an administrator pastes the export of a registrar and ends with a right zone', async () => {
    await editor().fill(exported());
    await person.button('Review import').click();
    await findings().filter({ hasText: 'line 10, cdn CNAME: The final dot is missing.' }).waitFor();
    await findings().filter({ hasText: 'line 9, @ TXT: The strings of the SPF policy' }).waitFor();
    await findings().filter({ hasText: 'line 11, _sip._tls SRV: The final dot is missing.' }).waitFor();
    await findings().filter({ hasText: 'The final dot is missing. shop.' }).waitFor();
    await findings()
      .filter({ hasText: `line 7, @ MX: backup.${zone.name} is in this zone` })
      .waitFor();
    expect(await findings().count()).toBe(5);
    await person.dialog('Plan').getByText('3 records of the file are left out').waitFor();
    expect(await person.plan.getByRole('row').filter({ hasText: 'old-provider' }).count()).toBe(0);
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);

    await fix('Add final dot: line 10, cdn CNAME').press('Enter');
    await left('4 findings left').waitFor();
    await until(async () => (await focused()) === '4 findings left');
    await fix('Fix all 3 missing dots and quotes').click();
    await left('1 finding left').waitFor();
    await fix('Leave out the record: line 7, @ MX').click();
    await left('No findings left').waitFor();
    await until(async () => (await focused()) === 'No findings left');
    await person.apply();

    expect(await recordsOf(member, zone.id)).toEqual(
      [
        `${zone.name} 300 A 203.0.113.10`,
        `${zone.name} - MX mail.${zone.name}`,
        `${zone.at('mail')} 300 A 203.0.113.25`,
        `${zone.name} - TXT "v=spf1 include:_spf.example.net ~all"`,
        `${zone.at('cdn')} - CNAME d111.cloudfront.net.`,
        `${zone.at('_sip._tls')} - SRV 1 443 sipdir.online.lync.com.`,
        `${zone.at('shop')} 300 A 203.0.113.11`,
      ].sort(),
    );
    expect(await zone.check()).toEqual({ errors: [], warnings: [] });
  });

  it('22.14 imports the old name servers only on request, and keeps corrections in the editor', async () => {
    await editor().fill(`@ NS ns1.old-provider.net.\ncdn CNAME d111.cloudfront.net\n`);
    const nameServers = person.page.getByRole('checkbox', { name: 'Import the name servers of the old provider' });
    expect(await nameServers.isChecked()).toBe(false);
    await nameServers.check();
    await person.button('Review import').click();
    await findings().filter({ hasText: 'ns1.old-provider.net. becomes a name server of the zone.' }).waitFor();
    await fix(/^Leave out the name servers: line 1/).click();
    await left('1 finding left').waitFor();
    await fix(/^Add final dot/).click();
    await left('No findings left').waitFor();
    await person.dialog('Plan').getByRole('button', { name: 'Back' }).click();
    expect(await nameServers.isChecked()).toBe(false);
    expect(await editor().inputValue()).toBe(`@ NS ns1.old-provider.net.\ncdn CNAME d111.cloudfront.net.\n`);
    await nameServers.check();
    await person.button('Review import').click();
    await person.apply();
    expect(await recordsOf(member, zone.id)).toEqual(
      [`${zone.name} - NS ns1.old-provider.net.`, `${zone.at('cdn')} - CNAME d111.cloudfront.net.`].sort(),
    );
  });

  it('22.7 plans a chosen file immediately, and leads to the lines of its errors', async () => {
    const lines = Array.from({ length: 60 }, (_, n) => `h${n} A 192.0.2.${n}`);
    lines[49] = 'wrong A no-address';
    const file = { name: 'zone.txt', mimeType: 'text/plain', buffer: Buffer.from(lines.join('\n')) };
    await person.page.getByLabel('Zone file', { exact: true }).setInputFiles(file);
    await person.dialog('Plan').getByRole('button', { name: 'Show line 50' }).click();
    await person.dialog('Plan').waitFor({ state: 'hidden' });
    const selected =
      'document.activeElement.value?.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)';
    await until(async () => (await person.page.evaluate(selected)) === 'wrong A no-address');
    await person.page.locator('.line-number.faulty').filter({ hasText: '50' }).waitFor();
    expect(await editor().getAttribute('aria-invalid')).toBe('true');
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);
    await editor().fill(lines.join('\n').replace('no-address', '192.0.2.99'));
    await person.page.getByRole('table', { name: 'Errors in the file' }).waitFor({ state: 'hidden' });
    await person.button('Review import').click();
    await person.apply();
  });
});
