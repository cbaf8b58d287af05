import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { domainOf, newDomain, type TestDomain } from '../support/domain.js';
import { answerOf, bodyOf } from '../support/answers.js';
import type { DomainBody } from '../support/bodies.js';
import { KEY, tsigKey } from '../support/name-server.js';
import { NAMED, type PrimaryServer, startPrimary } from '../support/primary-servers.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { until } from '../support/until.js';
import { Person } from './person.js';
import { expectQuietLeave, recordsOf } from './walks.js';

jest.setTimeout(180_000);

/** The zone at the old provider. */
const OLD_ZONE = `$ORIGIN example.org.
$TTL 3600
@ SOA ns1.old-provider.example. hostmaster.old-provider.example. 1 7200 900 1209600 300
@ NS ns1.old-provider.example.
@ NS ns2.old-provider.example.
@ 300 A 203.0.113.10
@ MX 10 mail
@ TXT "v=spf1 include:_spf.example.net ~all"
mail A 203.0.113.25
www CNAME example.org.
shop 600 A 203.0.113.11
`;

/** The export that the old provider offers: with its usual faults, and not up to date. */
const EXPORT = `$TTL 3600
@ IN SOA ns1.old-provider.example. hostmaster.old-provider.example. 1 7200 900 1209600 300
@ IN NS ns1.old-provider.example.
@ IN NS ns2.old-provider.example.
@ 300 IN A 203.0.113.10
@ IN MX 10 mail
@ IN TXT v=spf1 include:_spf.example.net ~all
mail IN A 203.0.113.25
www IN CNAME example.org
shop 600 IN A no-address
`;

const DS = '60485 13 2 d4b7d520e7bb5f0f67674a0cceb1e3e0614b93c4f9e99b8383f6a1e4469da50a';
const OLD_SERVERS = ['ns1.old-provider.example.', 'ns2.old-provider.example.'];
const NEW_SERVERS = ['ns1.example.net.', 'ns2.example.net.'];
const RECORDS = [
  'example.org. - MX mail.example.org.',
  'example.org. - TXT "v=spf1 include:_spf.example.net ~all"',
  'example.org. 300 A 203.0.113.10',
  'mail.example.org. - A 203.0.113.25',
  'shop.example.org. 600 A 203.0.113.11',
  'www.example.org. - CNAME example.org.',
];

describeWithBrowser('22.17 a domain moves in with the wizard', () => {
  let old: PrimaryServer;
  let service: TokenService;
  let admin: TokenClient;
  let member: TokenClient;
  let browser: Browser;
  let person: Person;
  /** The parent zone, which the registrar changes. */
  let org: TestDomain;
  beforeEach(async () => {
    old = await startPrimary(NAMED, OLD_ZONE, tsigKey());
    service = await startTokenService({
      SERVICE_CENTRAL__SOA_MINIMUM: '1',
      SERVICE_CENTRAL__NAME_SERVERS: NEW_SERVERS.join(','),
      SERVICE_MDNS__ENABLED: 'True',
      SERVICE_MDNS__LISTEN: '127.0.0.1:0',
      SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
      SERVICE_MDNS__ALLOW_MASTERS: '127.0.0.1',
      ...DNSSEC_ON,
    });
    admin = await service.newToken({ roles: ['admin'] });
    org = await newDomain(admin, 'org.', { ttl: 1 });
    for (const data of OLD_SERVERS) await org.newRecord({ name: 'example.org.', type: 'NS', data });
    member = await service.newToken({ description: 'Anna' });
    browser = await openBrowser();
    person = await Person.at(browser, service.url);
  });
  afterEach(async () => {
    await browser.close();
    await service.stop();
    await old.stop();
  });

  const main = (): Locator => person.page.getByRole('main');
  const heading = (name: string): Promise<void> => main().getByRole('heading', { level: 2, name }).waitFor();
  const step = (name: string): Promise<void> =>
    person.page
      .getByRole('navigation', { name: 'Steps of the move' })
      .locator('[aria-current=step]')
      .filter({ hasText: name })
      .waitFor();
  const address = (): string => new URL(person.page.url()).pathname;
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  const selected =
    'document.activeElement.value?.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)';
  const server = (): string => `127.0.0.1:${old.port}`;
  const zone = async (): Promise<TestDomain> => {
    const { domains } = await bodyOf<{ domains: DomainBody[] }>(member.call('get', '/v1/domains?name=example.org.'));
    return domainOf(member, domains[0]!);
  };
  /** At the registrar. */
  const setAtParent = async (type: string, datas: readonly string[]): Promise<void> => {
    const { records } = await bodyOf<{ records: { id: string }[] }>(org.list(`?name=example.org.&type=${type}`));
    for (const { id } of records) await answerOf(admin.call('delete', `/v1/domains/${org.id}/records/${id}`));
    for (const data of datas) await org.newRecord({ name: 'example.org.', type, data, ttl: 600 });
  };

  it('22.17 from a pasted file to a secure zone, left and continued on the way', async () => {
    const faults: string[] = [];
    await setAtParent('DS', [DS]);
    await person.comeTo('/zones', member.token);
    await main().getByRole('link', { name: 'Move a domain in' }).first().click();
    await heading('Domain and source');
    faults.push(...(await person.seriousFaultsInBothThemes()));
    await person.page.getByLabel('Domain', { exact: true }).fill('example.org');
    await person.button('Continue').click();
    await main().getByText('Choose a file or paste zone file text.').waitFor();
    await person.page.getByLabel('Or paste zone file text').fill(EXPORT);
    await person.button('Continue').click();

    // The records, with their faults by line.
    await step('Records');
    const problems = main().getByRole('region', { name: 'Problems in the file' });
    await problems.getByRole('button', { name: 'Show line 10' }).click();
    await until(async () => (await person.page.evaluate(selected)) === 'shop 600 IN A no-address');
    faults.push(...(await person.seriousFaultsInBothThemes()));
    const editor = person.page.getByLabel('Zone file', { exact: true });
    await editor.fill(EXPORT.replace('no-address', '203.0.113.99'));
    await problems.getByText('The final dot is missing. example.org. is probably meant.').waitFor();
    await person.button('Add final dot: line 9, www CNAME').press('Enter');
    await problems.getByText('The final dot is missing.').waitFor({ state: 'hidden' });
    expect(await person.page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
      'Problems in the file',
    );

    // Left and continued: the text is in the browser.
    await person.open('/zones');
    await main().getByRole('link', { name: 'Continue the move of example.org.' }).click();
    await step('Records');
    expect(address()).toBe('/console/move-in/example.org./records');
    expect(await editor.inputValue()).toContain('CNAME example.org.\n');
    await person.button('Quote the SPF: line 7, @ TXT').click();
    await problems.getByText('6 records can be imported. No problems found.').waitFor();
    await person.button('Review import').click();
    await person.apply();

    // The comparison with the old name server.
    await step('Comparison');
    await person.page.getByRole('textbox', { name: 'Old name servers' }).fill(server());
    await person.button('Compare').click();
    await main()
      .getByText(/record sets compared: 1 difference\./)
      .waitFor();
    faults.push(...(await person.seriousFaultsInBothThemes()));
    await person.button('Use theirs: shop A').click();
    await main().getByText('In pending changes').waitFor();
    await person.review();
    await person.apply();
    await main()
      .getByText(/record sets compared: all are the same\./)
      .waitFor();
    expect(await recordsOf(member, (await zone()).id)).toEqual([...RECORDS].sort());
    await person.button('Continue').click();

    // The registrar. The DS of the old keys comes first.
    await step('Name servers');
    const warning = main().getByText('the parent zone has a DS record for the keys of the old provider');
    await warning.waitFor();
    await main().getByRole('button', { name: 'Copy Name server 1 of Name servers' }).waitFor();
    expect(await main().innerText()).toContain('ns1.example.net\n');
    faults.push(...(await person.seriousFaultsInBothThemes()));
    await setAtParent('DS', []);
    await warning.waitFor({ state: 'hidden' });
    await main().getByText('The DS is removed. Do not change the name servers yet. Caches may have it until').waitFor();
    await person.button('I have set the name servers').click();

    await step('Delegation');
    await main().getByText('Zonewright still has other name servers.').waitFor();
    faults.push(...(await person.seriousFaultsInBothThemes()));
    await setAtParent('NS', NEW_SERVERS);
    await person.page.reload();
    await main().getByText('The delegation is complete').waitFor();
    await person.button('Continue').click();

    await step('DNSSEC');
    await person.button('Sign this zone').click();
    await main().getByText('Do not add the DS yet. Unsigned answers may be cached until').waitFor();
    faults.push(...(await person.seriousFaultsInBothThemes()));
    await person.button('Finish the move').click();
    await person.records.waitFor();
    await person.open('/move-in');
    await heading('Domain and source');
    expect(
      await main()
        .getByRole('link', { name: /^Continue the move/ })
        .count(),
    ).toBe(0);
    expect(faults).toEqual([]);
    await expectQuietLeave(person);
  });

  it('22.17 with a signed transfer, whose secret is not stored', async () => {
    await person.comeTo('/move-in', member.token);
    await person.page.getByLabel('Domain', { exact: true }).fill('example.org.');
    await person.page.getByRole('radio', { name: /^Transfer/ }).press('Space');
    await person.page.getByRole('textbox', { name: 'Old name servers' }).fill(server());
    await person.button('Continue').click();
    const asked = main().getByRole('list', { name: 'Asked name servers' });
    await asked.getByText('refused. Permit transfers to Zonewright there, or choose another source').waitFor();
    await person.page.getByRole('checkbox', { name: 'Sign the transfer with a TSIG key' }).check();
    await person.button('Continue').click();
    await main().getByText('Enter the name and the secret of the key.').waitFor();
    const secret = Buffer.from(KEY.secret).toString('base64');
    await person.page.getByLabel('Key name').fill(KEY.name);
    await person.page.getByLabel('Secret').fill(secret);
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);
    await person.page.getByLabel('Secret').press('Enter');

    await step('Records');
    const problems = main().getByRole('region', { name: 'Problems in the file' });
    await problems.getByText('6 records can be imported. No problems found.').waitFor();
    const stored = await person.page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    expect(stored).toContain('203.0.113.25');
    expect(stored).not.toContain(secret);
    await person.button('Review import').click();
    await person.apply();
    await step('Comparison');
    await main()
      .getByText(/record sets compared: all are the same\./)
      .waitFor();
    expect(await recordsOf(member, (await zone()).id)).toEqual([...RECORDS].sort());
    await expectQuietLeave(person);
  });

  it('22.17 with queries, on a phone, and a sign-out that asks', async () => {
    const faults: string[] = [];
    const look = async (): Promise<void> => {
      expect(await person.page.evaluate<number>(overflow)).toBe(0);
      faults.push(...(await person.seriousFaultsInBothThemes()));
    };
    await person.page.setViewportSize({ width: 390, height: 844 });
    await person.comeTo('/move-in', member.token);
    await person.page.getByLabel('Domain', { exact: true }).fill('example.org');
    await person.page.getByRole('radio', { name: /^Queries/ }).check();
    await person.page.getByRole('textbox', { name: 'Old name servers' }).fill(server());
    await look();
    await person.button('Continue').click();
    await step('Records');
    const problems = main().getByRole('region', { name: 'Problems in the file' });
    await problems.getByText('6 records can be imported. No problems found.').waitFor();
    await look();
    await person.button('Review import').click();
    await person.apply();
    await step('Comparison');
    await main()
      .getByText(/record sets compared: all are the same\./)
      .waitFor();
    await look();
    await person.button('Continue').click();
    await step('Name servers');
    await look();
    await person.button('I have set the name servers').click();
    await step('Delegation');
    await main().getByText('Zonewright still has other name servers.').waitFor();
    await look();
    await person.button(/^Account/).click();
    await person.page.getByRole('menuitem', { name: 'Sign out' }).click();
    const dialog = person.dialog('Sign out');
    await dialog.getByText('Signing out removes 1 move in progress from this browser.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await person.page.getByRole('link', { name: 'Source' }).click();
    await heading('Domain and source');
    expect(faults).toEqual([]);
    await expectQuietLeave(person);
  });
});
