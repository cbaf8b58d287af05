import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { Secondary } from '../support/secondary.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { until } from '../support/until.js';
import { Person } from './person.js';
import { expectQuietLeave, recordsOf } from './walks.js';

const PHONE = { width: 360, height: 720 };
const WIDE = { width: 1440, height: 900 };

describeWithBrowser('a change in the console', () => {
  let secondaries: Secondary[];
  let service: TokenService;
  let member: TokenClient;
  let browser: Browser;
  let person: Person;
  let zone: TestDomain;
  beforeAll(async () => {
    secondaries = [await Secondary.start(), await Secondary.start()];
    for (const secondary of secondaries) secondary.records = () => null;
    service = await startTokenService({
      SERVICE_MDNS__ENABLED: 'True',
      SERVICE_MDNS__LISTEN: '127.0.0.1:0',
      SERVICE_MDNS__SECONDARIES: secondaries.map(({ address }) => address).join(','),
    });
    member = await service.newToken({ description: 'Anna' });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
    for (const secondary of secondaries) await secondary.stop();
  });
  beforeEach(async () => {
    zone = await newDomain(member);
    person = await Person.at(browser, service.url);
  });
  afterEach(() => expectQuietLeave(person));

  const tray = (): Locator => person.page.getByRole('region', { name: 'Pending changes' });
  const open = (area: string): Promise<void> =>
    person.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: area, exact: true }).click();
  const openZone = async (name: string): Promise<void> => {
    await open('Zones');
    await person.page.getByRole('table', { name: 'Zones' }).getByRole('link', { name, exact: true }).click();
    await person.records.waitFor();
  };
  const overflow = (): Promise<number> =>
    person.page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

  it('22.16 an operator gathers changes in two zones, and reviews or discards each from any page', async () => {
    const other = await newDomain(member);
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    await person.addRecord('A', { Name: 'one', Address: '192.0.2.1' });
    await person.addRecord('A', { Name: 'two', Address: '192.0.2.2' });
    await openZone(other.name);
    await tray().getByText('2 changes').waitFor();
    await person.addRecord('A', { Name: 'three', Address: '192.0.2.3' });
    await tray().getByRole('link', { name: other.name }).waitFor();
    await open('Name servers');
    const all = person.button('3 changes in 2 zones');
    await all.click();
    expect(await all.getAttribute('aria-expanded')).toBe('true');
    const faults = await person.seriousFaultsInBothThemes();
    await person.page.setViewportSize(PHONE);
    expect(await overflow()).toBe(0);
    await person.page.setViewportSize(WIDE);

    await tray()
      .getByRole('button', { name: `Discard changes to ${other.name}` })
      .click();
    await person.dialog('Discard changes').getByText(`Discard 1 change to ${other.name}?`).waitFor();
    await person.dialog('Discard changes').getByRole('button', { name: 'Discard', exact: true }).click();
    await all.waitFor({ state: 'hidden' });
    await until(() => person.page.evaluate<boolean>('document.activeElement !== document.body'));
    await tray().getByRole('button', { name: 'Review changes', exact: true }).click();
    await person.plan.getByRole('row').filter({ hasText: '192.0.2.2' }).waitFor();
    expect(decodeURIComponent(new URL(person.page.url()).pathname)).toBe(`/console/zones/${zone.name}/records`);
    await person.apply();
    await tray().waitFor({ state: 'hidden' });
    expect(await recordsOf(member, zone.id)).toHaveLength(2);
    expect(await recordsOf(member, other.id)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('22.16 an admin reviews the changes for a tenant after leaving it', async () => {
    const admin = await service.newToken({ tenantId: 'operators', roles: ['admin'] });
    await person.comeTo('/zones', admin.token);
    await person.button('Account').click();
    await person.page.getByRole('menuitem', { name: 'Switch tenant' }).click();
    await person.dialog('Switch tenant').getByRole('button', { name: 'acme', exact: true }).click();
    await person.page.getByText('Acting as acme').waitFor();
    await openZone(zone.name);
    await person.addRecord('A', { Name: 'theirs', Address: '192.0.2.4' });
    await person.button('Exit').click();
    await person.page.getByText('No zones yet').waitFor();
    await tray().getByText('tenant acme').waitFor();
    await person.review();
    await person.plan.getByRole('row').filter({ hasText: '192.0.2.4' }).waitFor();
    await person.page.getByText('Acting as acme').waitFor();
    await person.apply();
    expect(await recordsOf(member, zone.id)).toEqual([`${zone.at('theirs')} - A 192.0.2.4`]);
  });

  it('22.16 shows an applied change arrive at each name server, with a link and an undo', async () => {
    const answer = async (index: number): Promise<void> =>
      void secondaries[index]?.serials.set(zone.name, (await zone.now()).serial);
    for (const index of [0, 1]) await answer(index);
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    await person.addRecord('A', { Name: 'www', Address: '192.0.2.1' });
    await person.review();
    await person.apply();
    const servers = person.status.getByRole('list', { name: 'Name servers' }).getByRole('listitem');
    await until(async () => (await servers.count()) === 2);
    await answer(0);
    await servers.filter({ hasText: 'Up to date' }).waitFor();
    await servers.filter({ hasText: 'waiting' }).waitFor();
    await person.status.getByRole('link', { name: 'live on 1 of 2' }).waitFor();
    const faults = await person.seriousFaultsInBothThemes();
    await answer(1);
    const live = person.status.getByRole('link', { name: /^live everywhere in \d+\.\d s$/ });
    await live.click();
    await person.page.getByRole('heading', { level: 3, name: 'Publication' }).waitFor();
    await live.waitFor();
    await person.button('Undo').click();
    await person.plan
      .getByRole('row')
      .filter({ hasText: /^Delete/ })
      .waitFor();
    await person.apply();
    expect(await recordsOf(member, zone.id)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('22.16 edits a record next to the table, with types in plain words, usual TTLs and a preview', async () => {
    await zone.newRecord({ ttl: 300 });
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    await person.page.setViewportSize(WIDE);
    const row = person.records.getByRole('row').filter({ hasText: '192.0.2.3' });
    await row.waitFor();
    await person.button('Edit www A').click();
    const form = person.dialog('Edit record');
    await form.getByRole('button', { name: '1 h', exact: true }).click();
    await form.getByLabel('Address').fill('192.0.2.30');
    const preview = form.getByRole('group', { name: 'Preview' });
    await preview.getByText(`${zone.at('www')} 3600 IN A 192.0.2.30`).waitFor();
    expect((await preview.locator('mark').allInnerTexts()).join(' ')).toBe('6 0');
    expect(await form.getByRole('button', { name: '1 h', exact: true }).getAttribute('aria-pressed')).toBe('true');
    const [sheet, table] = [await form.boundingBox(), await row.boundingBox()];
    expect((table?.x ?? 0) + (table?.width ?? 0)).toBeLessThanOrEqual(sheet?.x ?? 0);
    const faults = await person.seriousFaultsInBothThemes();
    await form.getByRole('button', { name: 'Add to changes' }).click();
    await form.waitFor({ state: 'hidden' });

    await person.button('Add record').first().click();
    const adding = person.dialog('Add record');
    const type = adding.getByLabel('Type', { exact: true });
    await type.selectOption('MX: receives mail');
    expect(await type.inputValue()).toBe('MX');
    await person.page.setViewportSize(PHONE);
    expect(await overflow()).toBe(0);
    const box = await adding.boundingBox();
    expect([box?.x, box?.width, box?.height]).toEqual([0, PHONE.width, PHONE.height]);
    expect(await person.seriousFaults()).toEqual([]);
    await adding.getByRole('button', { name: 'Close' }).click();
    await adding.waitFor({ state: 'hidden' });
    await person.review();
    await person.apply();
    expect(await recordsOf(member, zone.id)).toEqual([`${zone.at('www')} 3600 A 192.0.2.30`]);
    expect(faults).toEqual([]);
  });
});
