import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { answerOf, bodyOf } from '../support/answers.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { until } from '../support/until.js';
import { Person } from './person.js';
import { expectQuietLeave } from './walks.js';

describeWithBrowser('the record list and the search of the console', () => {
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

  const create = async (names: readonly string[], data: string, owner = zone): Promise<void> => {
    const changes = names.map((name) => ({
      action: 'create',
      record: { name: owner.at(name), type: 'A', data, description: 'rack 7' },
    }));
    await bodyOf(member.call('post', `/v1/domains/${owner.id}/changes`, { changes }));
  };

  it('22.2 shows the generated records above the others, and where they are changed', async () => {
    await create(['host1', 'host10', 'host2'], '192.0.2.3');
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    const managed = person.page.getByRole('table', { name: 'Managed records' });
    const soa = managed.getByRole('row').filter({ hasText: 'SOA' });
    const { serial } = await bodyOf<{ serial: number }>(member.call('get', `/v1/domains/${zone.id}`));
    await soa
      .filter({ hasText: String(serial) })
      .getByText('Managed', { exact: true })
      .waitFor();
    await managed.getByRole('row').filter({ hasText: 'NS' }).first().waitFor();
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);
    await person.page.setViewportSize({ width: 390, height: 844 });
    expect(await person.seriousFaults()).toEqual([]);
    expect(await person.page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await person.page.setViewportSize({ width: 1280, height: 900 });

    await managed.getByRole('link', { name: 'Change NS in the settings' }).first().click();
    await person.page.getByLabel('Name servers').fill('ns1.example.net\nns2.example.net');
    await person.page.getByLabel('TTL').fill('2h');
    await person.button('Save settings').click();
    await person.page.getByText('The settings were saved.').waitFor();
    await person.page.getByRole('navigation', { name: 'Zone' }).getByRole('link', { name: 'Records' }).click();
    const changed = managed.getByRole('row').filter({ hasText: 'ns2.example.net.' });
    await changed.filter({ hasText: '2 h' }).waitFor();
    await person.page.getByRole('searchbox', { name: 'Search records' }).fill('host1');
    await managed.waitFor({ state: 'hidden' });
  });

  it('22.2 sorts by the headers, numbers by their value, and copies data', async () => {
    await create(['host1', 'host10', 'host2'], '192.0.2.3');
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    const names = (): Promise<string[]> => person.records.getByRole('link').allInnerTexts();
    await until(async () => (await names()).join() === 'host1,host2,host10');
    const header = person.records.getByRole('columnheader', { name: 'Name' });
    expect(await header.getAttribute('aria-sort')).toBe('ascending');
    await header.getByRole('button').focus();
    await person.page.keyboard.press('Enter');
    await until(async () => (await names()).join() === 'host10,host2,host1');
    expect(await header.getAttribute('aria-sort')).toBe('descending');
    expect(await person.page.evaluate<string>('document.activeElement.textContent')).toMatch(/^Name/);
    expect(new URL(person.page.url()).searchParams.get('sort')).toBe('-name');

    await person.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await person.records.getByRole('row').filter({ hasText: 'host2' }).hover();
    await person.button('Copy data of host2 A').click();
    await person.status.filter({ hasText: 'Copied.' }).waitFor();
    expect(await person.page.evaluate<string>('navigator.clipboard.readText()')).toBe('192.0.2.3');
  });

  it('22.10 finds where an address or a comment is used, in all zones', async () => {
    const other = await newDomain(member);
    await create(['web'], '203.0.113.77');
    await create(['front'], '203.0.113.77', other);
    const stranger = await service.newToken({ tenantId: 'other' });
    const hidden = await newDomain(stranger);
    await answerOf(hidden.create({ name: hidden.at('hidden'), type: 'A', data: '203.0.113.77' }));
    await person.comeTo('/search', member.token);
    const field = person.page.getByRole('searchbox', { name: 'Search all zones' });
    const results = person.page.getByRole('table', { name: 'Results' });
    await field.fill('203.0.113.77');
    await person.page.getByText('2 records found. All zones were searched.').waitFor();
    await results.getByRole('link', { name: zone.at('web') }).waitFor();
    await field.fill('RACK 7');
    await results.getByRole('row').filter({ hasText: 'rack 7' }).filter({ hasText: other.name }).first().waitFor();
    await field.fill('nobody has this');
    await person.page.getByText('No results for “nobody has this”').waitFor();
    await field.fill('203.0.113.77');
    await results.getByRole('link', { name: other.at('front') }).click();
    await person.records.getByRole('row').filter({ hasText: 'front' }).waitFor();
  });

  it('22.10 says that a search is not complete, and goes on', async () => {
    const labels = Array.from({ length: 60 }, (_, n) => `many${n}`);
    await create(labels, '203.0.113.99');
    await person.comeTo('/search?q=203.0.113.99', member.token);
    await person.page.getByText('50 records found. The search is not complete').waitFor();
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);
    await person.button('Search further').click();
    await person.page.getByText('60 records found. All zones were searched.').waitFor();
    const results = person.page.getByRole('table', { name: 'Results' });
    expect(await results.getByRole('row').count()).toBe(61);
  });
});
