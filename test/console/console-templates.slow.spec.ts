import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { Person } from './person.js';
import { expectQuietLeave, recordsOf } from './walks.js';

describeWithBrowser('the templates of the console', () => {
  let service: TokenService;
  let member: TokenClient;
  let browser: Browser;
  let person: Person;
  let zone: TestDomain;
  beforeAll(async () => {
    service = await startTokenService();
    member = await service.newToken();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });
  beforeEach(async () => {
    zone = await newDomain(member);
    person = await Person.at(browser, service.url);
  });
  afterEach(() => expectQuietLeave(person));

  const stored = (): Promise<string[]> => recordsOf(member, zone.id);
  const open = async (template: string): Promise<Locator> => {
    await person.button('More actions').click();
    await person.page.getByRole('menuitem', { name: 'Add from template' }).click();
    const dialog = person.dialog('Add from template');
    await dialog.getByRole('radio', { name: template, exact: true }).check();
    return dialog;
  };
  const add = async (dialog: Locator): Promise<void> => {
    await dialog.getByRole('button', { name: 'Add to changes' }).click();
    await dialog.waitFor({ state: 'hidden' });
  };

  it('22.15 moves the mail of a domain to Google Workspace, and shows what it replaces', async () => {
    await zone.newRecord({ name: zone.name, type: 'MX', data: 'mx.old.example.', priority: 10 });
    await zone.newRecord({ name: zone.name, type: 'TXT', data: '"v=spf1 include:old.example -all"' });
    await zone.newRecord({
      name: zone.at('_dmarc'),
      type: 'TXT',
      data: '"v=DMARC1; p=none; rua=mailto:a@example.org"',
    });
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    const dialog = await open('Google Workspace');
    await dialog.getByLabel('Verification text').fill('google-site-verification=abc');
    const records = dialog.getByRole('table', { name: 'Records to add' });
    await records.getByRole('row').filter({ hasText: 'smtp.google.com.' }).waitFor();
    const conflicts = dialog.getByRole('group', { name: 'Conflicts with the zone' });
    await conflicts.getByRole('group', { name: '@ MX' }).getByText('MX 10 mx.old.example.').waitFor();
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);
    const kept = conflicts.getByRole('group', { name: '_dmarc TXT' }).getByRole('radio', { name: /^Keep/ });
    expect(await kept.isChecked()).toBe(true);
    await conflicts
      .getByRole('group', { name: '@ TXT' })
      .getByRole('radio', { name: /^Replace/ })
      .check();
    await add(dialog);
    await person.status.filter({ hasText: 'The template added 5 changes.' }).waitFor();
    expect(new URL(person.page.url()).search).toBe('');
    await person.review();
    await person.apply();
    expect(await stored()).toEqual(
      [
        `${zone.at('_dmarc')} - TXT "v=DMARC1; p=none; rua=mailto:a@example.org"`,
        `${zone.name} - MX smtp.google.com.`,
        `${zone.name} - TXT "google-site-verification=abc"`,
        `${zone.name} - TXT "v=spf1 include:_spf.google.com ~all"`,
      ].sort(),
    );
  });

  it('22.15 asks for the MX host of Microsoft 365, and has an address for each template', async () => {
    await person.comeTo(`/zones/${zone.name}/records?template=microsoft`, member.token);
    const dialog = person.dialog('Add from template');
    await dialog.getByRole('button', { name: 'Add to changes' }).click();
    await dialog.getByText('Enter the MX host.').waitFor();
    const focused = await person.page.evaluate<string>('document.activeElement.getAttribute("aria-invalid")');
    expect(focused).toBe('true');
    await dialog.getByLabel('MX host').fill('example-org.mail.protection.outlook.com');
    await add(dialog);
    await person.review();
    await person.apply();
    expect(await stored()).toContain(`${zone.name} - MX example-org.mail.protection.outlook.com.`);
    expect(await stored()).toContain(`${zone.at('autodiscover')} - CNAME autodiscover.outlook.com.`);
  });

  it('22.15 stores the records of every template, one after the other', async () => {
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    for (const name of ['Fastmail', 'Proton Mail', 'No mail', 'Parked domain']) {
      await add(await open(name));
      await person.review();
      const confirm = person.page.getByLabel(`Type ${zone.name} to confirm`);
      const apply = person.dialog('Plan').getByRole('button', { name: 'Apply', exact: true });
      await apply.waitFor();
      if (await confirm.isVisible()) await confirm.fill(zone.name);
      await person.apply();
      await person.button('Dismiss').click();
    }
    expect(await stored()).toEqual(
      expect.arrayContaining([
        `${zone.name} - MX .`,
        `${zone.name} - CAA 0 issue ";"`,
        `${zone.at('*')} - TXT "v=spf1 -all"`,
        `${zone.at('*._domainkey')} - TXT "v=DKIM1; p="`,
        `${zone.at('_dmarc')} - TXT "v=DMARC1; p=reject; sp=reject; adkim=s; aspf=s"`,
      ]),
    );
    expect((await stored()).filter((line) => line.includes(' MX '))).toHaveLength(1);
  });

  it('22.15 offers no templates to a token of some types', async () => {
    const scoped = await service.newToken({ restrictions: { types: ['TXT'] } });
    await person.comeTo(`/zones/${zone.name}/records`, scoped.token);
    await person.button('More actions').click();
    await person.page.getByRole('menuitem', { name: 'Export CSV' }).waitFor();
    expect(await person.page.getByText('Add from template').count()).toBe(0);
  });
});
