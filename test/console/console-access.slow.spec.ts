import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { Rcode } from '../../src/dns/message/codes.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { addressRecord, dnsAnswer, HostileMaster, soaRecord, zoneOf } from '../support/hostile-master.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { until } from '../support/until.js';
import type { ZoneBody } from '../support/v2.js';
import { Person } from './person.js';
import { expectQuietLeave, recordsOf } from './walks.js';

describeWithBrowser('the tenants of an admin in a browser', () => {
  let service: TokenService;
  let member: TokenClient;
  let admin: TokenClient;
  let browser: Browser;
  let person: Person;
  let zone: TestDomain;
  beforeAll(async () => {
    service = await startTokenService();
    member = await service.newToken();
    admin = await service.newToken({ tenantId: 'operators', roles: ['admin'] });
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

  const chooseTenant = async (): Promise<void> => {
    await person.button('Account').click();
    await person.page.getByRole('menuitem', { name: 'Switch tenant' }).click();
    await person.dialog('Switch tenant').waitFor();
  };

  it('22.10 shows an admin the zones of all tenants with their owners, and changes one of them', async () => {
    const other = await newDomain(await service.newToken({ tenantId: '<b>beta</b>' }));
    await person.comeTo('/zones', admin.token);
    await person.page.getByText('No zones yet').waitFor();
    await person.button('New zone').waitFor();
    await person.button('More actions').click();
    await person.page.getByRole('menuitem', { name: 'All tenants' }).click();
    await person.page.getByText('You see the zones of all tenants').waitFor();
    const rows = person.page.getByRole('table', { name: 'Zones' }).getByRole('row');
    await rows.filter({ hasText: zone.name }).getByRole('button', { name: 'Switch to acme' }).waitFor();
    await rows.filter({ hasText: other.name }).filter({ hasText: '<b>beta</b>' }).waitFor();
    expect(await person.button('New zone').count()).toBe(0);
    const faults = await person.seriousFaultsInBothThemes();

    await rows.getByRole('link', { name: zone.name, exact: true }).click();
    await person.addRecord('A', { Name: 'all', Address: '192.0.2.7' });
    await person.review();
    await person.apply();
    expect(await recordsOf(member, zone.id)).toEqual([`${zone.at('all')} - A 192.0.2.7`]);
    await person.page.reload();
    await person.records.getByRole('row').filter({ hasText: '192.0.2.7' }).waitFor();
    await person.page.getByText('You see the zones of all tenants').waitFor();

    await person.page.getByRole('link', { name: 'Zones', exact: true }).first().click();
    await rows.filter({ hasText: other.name }).getByRole('button', { name: 'Switch to <b>beta</b>' }).click();
    await person.page.getByText('Acting as <b>beta</b>').waitFor();
    await rows.getByRole('link', { name: other.name, exact: true }).waitFor();
    await rows.filter({ hasText: zone.name }).waitFor({ state: 'hidden' });
    await person.button('Exit').click();
    await person.page.getByText('No zones yet').waitFor();
    expect(faults).toEqual([]);
  });

  it('22.10 offers an admin the tenants with zones or tokens, and refuses any other name', async () => {
    await service.newToken({ tenantId: 'token-only' });
    await person.comeTo('/zones', admin.token);
    await chooseTenant();
    const dialog = person.dialog('Switch tenant');
    const tenant = dialog.getByLabel('Tenant', { exact: true });
    await dialog.getByRole('button', { name: 'acme', exact: true }).waitFor();
    await tenant.fill('acmee');
    await dialog.getByText('No matching tenants').waitFor();
    await tenant.press('Enter');
    await dialog.getByText('No tenant is named “acmee”').waitFor();
    expect(await tenant.getAttribute('aria-invalid')).toBe('true');
    const faults = await person.seriousFaultsInBothThemes();
    await tenant.fill('TOKEN-ONLY');
    await dialog.getByRole('button', { name: 'token-only', exact: true }).waitFor();
    await tenant.press('Enter');
    await dialog.getByText('No tenant is named “TOKEN-ONLY”').waitFor();
    expect(await person.page.getByText(/^Acting as/).count()).toBe(0);
    await tenant.fill('token-only');
    await tenant.press('Enter');
    await person.page.getByText('Acting as token-only').waitFor();
    await person.page.getByText('No zones yet').waitFor();
    expect(faults).toEqual([]);
  });
});

describeWithBrowser('records that may not be changed, in a browser', () => {
  let service: TokenService;
  let member: TokenClient;
  let browser: Browser;
  let person: Person;
  let primary: HostileMaster;
  beforeAll(async () => {
    service = await startTokenService({
      SERVICE_MDNS__ENABLED: 'True',
      SERVICE_MDNS__LISTEN: '127.0.0.1:0',
      SERVICE_MDNS__ALLOW_MASTERS: '127.0.0.1',
    });
    member = await service.newToken();
    primary = await HostileMaster.start({ axfr: () => [] });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
    primary.stop();
  });
  beforeEach(async () => {
    person = await Person.at(browser, service.url);
  });
  afterEach(() => expectQuietLeave(person));

  it('22.2 shows a secondary zone read-only, with its primaries, last transfer and last error', async () => {
    const name = freshName();
    const soa = soaRecord(name, 7);
    primary.manners = { axfr: (query) => [dnsAnswer(query, [soa, addressRecord(`www.${zoneOf(query)}`, 1), soa])] };
    const body = { name, type: 'SECONDARY', masters: [primary.address] };
    const { id } = await bodyOf<ZoneBody>(member.call('post', '/v2/zones', body), 202);
    await until(
      async () => (await bodyOf<ZoneBody>(member.call('get', `/v2/zones/${id}`))).transferred_at !== null,
      60_000,
    );
    await person.comeTo('/zones', member.token);
    const row = person.page.getByRole('table', { name: 'Zones' }).getByRole('row').filter({ hasText: name });
    await row.getByText('Secondary', { exact: true }).waitFor();
    await row.getByRole('link', { name, exact: true }).click();
    const facts = person.page.getByRole('region', { name: 'Secondary zone' });
    await facts.getByText(primary.address).waitFor();
    await facts.getByRole('time').waitFor();
    expect(await facts.getByText('Last error').count()).toBe(0);
    await person.records.getByRole('row').filter({ hasText: '192.0.2.1' }).waitFor();
    const forChanges = person.page
      .getByRole('button', { name: /^(Add record|Edit|Duplicate|Delete www|Restore|Undo this|Save|Share|Offer)/ })
      .or(person.page.getByRole('checkbox', { name: /^Select/ }));
    expect(await forChanges.count()).toBe(0);
    const tabs = person.page.getByRole('navigation', { name: 'Zone' }).getByRole('link');
    expect(await tabs.allTextContents()).toEqual(['Records', 'Changes', 'Health', 'Settings']);
    await person.records.getByRole('row').nth(1).focus();
    for (const key of ['a', 'Enter', 'Delete', 'r']) await person.page.keyboard.press(key);
    expect(await person.page.getByRole('dialog').count()).toBe(0);
    expect(await person.page.getByRole('region', { name: 'Pending changes' }).count()).toBe(0);
    const faults = await person.seriousFaultsInBothThemes();

    await person.records.getByRole('link', { name: 'www' }).click();
    await person.page.getByRole('heading', { level: 2, name: 'www A' }).waitFor();
    expect(await forChanges.count()).toBe(0);
    await tabs.filter({ hasText: 'Changes' }).click();
    await person.page.getByRole('list', { name: 'Changes' }).getByRole('listitem').first().waitFor();
    expect(await forChanges.count()).toBe(0);
    const change = person.page.getByRole('list', { name: 'Changes' }).getByRole('listitem').first();
    await change.getByRole('button', { name: /^Actions for serial/ }).click();
    await person.page.getByRole('menuitem', { name: 'Export zone file', exact: true }).waitFor();
    expect(await person.page.getByRole('menuitem').count()).toBe(1);
    await person.page.keyboard.press('Escape');
    await tabs.filter({ hasText: 'Settings' }).click();
    await person.page.getByLabel('Email').waitFor();
    expect(await forChanges.count()).toBe(0);

    primary.manners = { ...primary.manners, soa: (query) => dnsAnswer(query, [], Rcode.REFUSED) };
    await answerOf(member.call('post', `/v2/zones/${id}/tasks/xfr`), 202);
    await tabs.filter({ hasText: 'Health' }).click();
    await facts.getByText('Last error').waitFor();
    expect(faults).toEqual([]);
  });

  it('22.2 offers a scoped token only its types, names and actions', async () => {
    const zone = await newDomain(member);
    await zone.newRecord();
    await zone.newRecord({ name: zone.at('_acme-challenge'), type: 'TXT', data: '"old"' });
    const limits = { names: ['_acme-challenge.*'], types: ['TXT'] };
    const acme = await service.newToken({ restrictions: limits });
    await person.comeTo('/zones', acme.token);
    await person.page.getByRole('link', { name: zone.name, exact: true }).waitFor();
    expect(await person.button('New zone').count()).toBe(0);
    await person.page.getByRole('link', { name: zone.name, exact: true }).click();
    await person.button('Edit _acme-challenge TXT').waitFor();
    expect(await person.button(/^(Edit|Duplicate|Delete) www A$/).count()).toBe(0);
    expect(await person.page.getByRole('checkbox').count()).toBe(1);

    await person.button('Add record').first().click();
    const form = person.dialog('Add record');
    const type = form.getByLabel('Type', { exact: true });
    await type.waitFor();
    expect(await type.getByRole('option').allTextContents()).toEqual([
      'TXT: text, such as SPF, DKIM and site verification',
    ]);
    const name = form.getByLabel('Name', { exact: true });
    expect(await name.inputValue()).toBe('_acme-challenge');
    await name.fill('www');
    await form.getByLabel('Text', { exact: true }).fill('proof');
    await form.getByRole('button', { name: 'Add to changes' }).click();
    await form.getByText('Your token can change only _acme-challenge.*').waitFor();
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    const faults = await person.seriousFaultsInBothThemes();
    await name.fill('_acme-challenge.www');
    await form.getByRole('button', { name: 'Add to changes' }).click();
    await form.waitFor({ state: 'hidden' });
    await person.review();
    await person.apply();
    expect(await recordsOf(member, zone.id)).toContain(`${zone.at('_acme-challenge.www')} - TXT "proof"`);
    await person.page.getByRole('navigation', { name: 'Zone' }).getByRole('link', { name: 'Changes' }).click();
    await person.page.getByRole('list', { name: 'Changes' }).getByRole('listitem').first().waitFor();
    await person
      .button(/^Actions for serial/)
      .first()
      .click();
    await person.page.getByRole('menuitem', { name: 'Export zone file' }).waitFor();
    expect(await person.page.getByRole('menuitem', { name: 'Undo this change' }).count()).toBe(0);

    const adder = await service.newToken({ restrictions: { actions: ['create'] } });
    const other = await Person.at(browser, service.url);
    await other.comeTo(`/zones/${zone.name}/records`, adder.token);
    await other.button('Duplicate www A').waitFor();
    expect(await other.button(/^(Edit|Delete) /).count()).toBe(0);
    await other.leave();
    expect(faults).toEqual([]);
  });
});

describeWithBrowser('pending changes whose session or network ends, in a browser', () => {
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
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
  });
  afterEach(() => expectQuietLeave(person));

  const pending = () => person.page.getByRole('region', { name: 'Pending changes' });
  const planned = () => person.plan.getByRole('row').filter({ hasText: /^Create/ });

  it('22.1 asks before signing out or closing the tab discards pending changes', async () => {
    await person.addRecord('A', { Name: 'kept', Address: '192.0.2.7' });
    const signOut = async (): Promise<void> => {
      await person.button('Account').click();
      await person.page.getByRole('menuitem', { name: 'Sign out' }).click();
    };
    await signOut();
    const dialog = person.dialog('Sign out');
    await dialog.getByText('Signing out discards 1 change in 1 zone.').waitFor();
    const faults = await person.seriousFaultsInBothThemes();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await pending().getByText('1 change').waitFor();

    const asked = person.page.waitForEvent('dialog');
    await person.page.close({ runBeforeUnload: true });
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    await pending().getByText('1 change').waitFor();

    await person.context.clearCookies();
    await person.page.reload();
    await person.signIn(member.token);
    await pending().getByText('1 change').waitFor();

    await signOut();
    await dialog.getByRole('button', { name: 'Discard and sign out' }).click();
    await person.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    await person.page.getByText('This zone has no records yet').waitFor();
    expect(await pending().count()).toBe(0);
    await signOut();
    await person.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('22.1 resumes an interrupted plan after a sign-in, and when the network returns', async () => {
    await person.addRecord('A', { Name: 'kept', Address: '192.0.2.7' });
    await person.context.clearCookies();
    await person.review();
    await person.dialog('Sign in').waitFor();
    expect(await person.page.locator('body').innerText()).not.toContain('X-Auth-Token');
    await person.signIn(member.token);
    await planned().waitFor();
    await person.page.reload();
    await planned().waitFor();
    await person.context.clearCookies();
    await person.dialog('Plan').getByRole('button', { name: 'Apply', exact: true }).click();
    await person.dialog('Sign in').waitFor();
    expect(await person.page.locator('body').innerText()).toContain('The plan continues after you sign in.');
    await person.signIn(member.token);
    await person.status.filter({ hasText: /applied/i }).waitFor();
    expect(await recordsOf(member, zone.id)).toEqual([`${zone.at('kept')} - A 192.0.2.7`]);

    await person.addRecord('A', { Name: 'later', Address: '192.0.2.8' });
    await person.context.setOffline(true);
    await person.review();
    const waiting = person.dialog('Plan').getByRole('alert');
    await waiting.getByText('The plan continues when the service answers.').waitFor();
    const faults = await person.seriousFaultsInBothThemes();
    await person.context.setOffline(false);
    await planned().waitFor();
    expect(await waiting.count()).toBe(0);
    await person.apply();
    expect(await recordsOf(member, zone.id)).toHaveLength(2);
    expect(faults).toEqual([]);
  });
});
