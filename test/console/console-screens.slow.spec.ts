import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { AliasResolver } from '../support/alias-resolver.js';
import { followingBy } from '../support/alias-service.js';
import { answerOf, bodyOf } from '../support/answers.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { until } from '../support/until.js';
import { WebhookReceiver, WEBHOOKS_ON } from '../support/webhook-receiver.js';
import { Person } from './person.js';
import { chooseFor, expectQuietLeave, recordsOf } from './walks.js';

describeWithBrowser('the further screens of the console in a browser', () => {
  let service: TokenService;
  let resolver: AliasResolver;
  let member: TokenClient;
  let browser: Browser;
  let person: Person;
  let zone: TestDomain;
  beforeAll(async () => {
    resolver = await AliasResolver.start();
    service = await startTokenService(followingBy(resolver.address));
    member = await service.newToken();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
    await resolver.stop();
  });
  beforeEach(async () => {
    zone = await newDomain(member);
    person = await Person.at(browser, service.url);
  });
  afterEach(() => expectQuietLeave(person));

  const stored = (): Promise<string[]> => recordsOf(member, zone.id);

  it('22.7 plans an import, and shows the lines that are wrong', async () => {
    await zone.newRecord();
    await person.comeTo(`/zones/${zone.name}/import`, member.token);
    await person.page.getByRole('heading', { name: 'Import' }).waitFor();
    const choose = async (text: string): Promise<void> => {
      const file = { name: 'zone.txt', mimeType: 'text/plain', buffer: Buffer.from(text) };
      await person.page.getByLabel('Zone file', { exact: true }).setInputFiles(file);
    };
    await choose('fine A 192.0.2.1\nwrong A <b>no</b>\n');
    const faults = person.page.getByRole('table', { name: 'Errors in the file' });
    await faults
      .getByRole('row')
      .filter({ hasText: /2\s*wrong A <b>no<\/b>/ })
      .waitFor();
    const plan = person.dialog('Plan');
    expect(await plan.getByRole('button', { name: 'Apply', exact: true }).isDisabled()).toBe(true);
    await plan.getByRole('button', { name: 'Back' }).click();

    await person.page.getByRole('radio', { name: /^Replace/ }).check();
    await choose('fine A 192.0.2.1\n');
    await person.plan
      .getByRole('row')
      .filter({ hasText: /^Create/ })
      .waitFor();
    await person.plan
      .getByRole('row')
      .filter({ hasText: /^Delete/ })
      .waitFor();
    await person.apply();
    expect(await stored()).toEqual([`${zone.at('fine')} - A 192.0.2.1`]);
    await person.button('Undo').click();
    await person.plan
      .getByRole('row')
      .filter({ hasText: /^Delete/ })
      .waitFor();
    await person.apply();
    expect(await stored()).toEqual([`${zone.at('www')} - A 192.0.2.3`]);
  });

  it('22.7 creates a zone from a file, and plans its records', async () => {
    await person.comeTo('/zones', member.token);
    const name = `file-${zone.name}`;
    await person.button('New zone').click();
    const dialog = person.dialog('New zone');
    const text = `$ORIGIN ${name}\nwww 300 IN A 192.0.2.44\n`;
    const file = { name: 'zone.txt', mimeType: 'text/plain', buffer: Buffer.from(text) };
    await dialog.getByLabel('Zone file').setInputFiles(file);
    await until(async () => (await dialog.getByLabel('Name').inputValue()) === name);
    await dialog.getByLabel('Email').fill('hostmaster@example.org');
    await dialog.getByRole('button', { name: 'Create zone' }).click();
    await person.plan.getByRole('row').filter({ hasText: '192.0.2.44' }).waitFor();
    await person.apply();
  });

  it('22.2 shows and accepts internationalized names in both forms', async () => {
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    const form = await person.fillRecord('A', { Name: 'bücher', Address: '192.0.2.5' });
    await form.getByText(`= xn--bcher-kva.${zone.name}`).waitFor();
    await form.getByRole('button', { name: 'Add to changes' }).click();
    await person.records.getByRole('row').filter({ hasText: 'xn--bcher-kva (bücher)' }).waitFor();
  });

  it('22.3 has the parameters of HTTPS by their keys', async () => {
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    const form = await person.fillRecord('HTTPS', { Name: '@', Priority: '1', Target: '.' });
    await form.getByLabel('Parameter', { exact: true }).selectOption('alpn');
    await form.getByLabel('Parameters', { exact: true }).fill('h2,h3');
    await form.getByRole('button', { name: 'Add another value' }).click();
    await form.getByLabel('Parameters 2', { exact: true }).pressSequentially('port=8443');
    await form.getByRole('button', { name: 'Add to changes' }).click();
    await person.review();
    await person.apply();
    expect(await stored()).toEqual([expect.stringMatching(/HTTPS 1 \. alpn="h2,h3" port="?8443"?$/)]);
  });

  it('22.7 says check findings in words of its own, and links them to the records', async () => {
    await zone.newRecord({ name: zone.at('mx'), type: 'MX', data: zone.at('nowhere'), priority: 5 });
    await zone.newRecord({ name: zone.at('short'), type: 'CNAME', data: zone.at('mx') });
    await zone.newRecord({ name: zone.at('aliased'), type: 'MX', data: zone.at('short'), priority: 5 });
    await person.comeTo(`/zones/${zone.name}/check`, member.token);
    await person.page.getByText(`${zone.at('short')} is an alias. The target of MX has to be the real name.`).waitFor();
    const finding = person.page.getByRole('row').filter({ hasText: 'nowhere' });
    await finding.getByRole('link', { name: /^Show records/ }).click();
    await person.records.getByRole('row').filter({ hasText: 'nowhere' }).waitFor();
  });

  it('22.5 compares two states', async () => {
    const { serial: before } = await bodyOf<{ serial: number }>(member.call('get', `/v1/domains/${zone.id}`));
    await zone.newRecord();
    await person.comeTo(`/zones/${zone.name}/history`, member.token);
    const items = person.page.getByRole('list', { name: 'Changes' }).getByRole('listitem');
    await items
      .nth(1)
      .getByRole('checkbox', { name: `Compare serial ${before}` })
      .check();
    await person.page.getByText(`Serial ${before}. Select another change of this zone.`).waitFor();
    await items.nth(0).getByRole('checkbox').check();
    await person.button('Compare').click();
    const dialog = person.dialog('Compare two states');
    await dialog.getByRole('row').filter({ hasText: '192.0.2.3' }).waitFor();
    const faults = await person.seriousFaultsInBothThemes();
    await person.page.reload();
    await dialog.getByRole('row').filter({ hasText: '192.0.2.3' }).waitFor();
    await person.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(new URL(person.page.url()).search).toBe('');
    expect(faults).toEqual([]);
  });

  it('22.5 shows one change by its URL', async () => {
    await zone.newRecord();
    await zone.newRecord({ name: zone.at('later'), data: '192.0.2.8' });
    await person.comeTo(`/zones/${zone.name}/history`, member.token);
    const items = person.page.getByRole('list', { name: 'Changes' }).getByRole('listitem');
    await items.nth(1).getByRole('link').click();
    const wanted = person.page.locator('li[aria-current]');
    await wanted.getByRole('row').filter({ hasText: '192.0.2.3' }).waitFor();
    const { pathname } = new URL(person.page.url());
    expect(pathname).toMatch(/\/history\/[0-9a-f-]{36}$/);
    await person.open(`/zones/${zone.name}/history/00000000-0000-7000-8000-000000000000`);
    await person.page.getByText('Change not found').waitFor();
  });

  it('22.8 shows the versions of one record, and restores a version', async () => {
    const { id } = await zone.newRecord();
    await bodyOf(member.call('put', `/v1/domains/${zone.id}/records/${id}`, { data: '192.0.2.99' }));
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    await person.records.getByRole('link', { name: 'www' }).click();
    await person.page.getByRole('heading', { level: 2, name: 'www A' }).waitFor();
    const versions = person.page.getByRole('list', { name: 'Versions' }).getByRole('listitem');
    await versions.nth(1).getByRole('button', { name: 'Restore this version' }).click();
    await person.review();
    await person.apply();
    expect(await stored()).toEqual([`${zone.at('www')} - A 192.0.2.3`]);
    await versions.nth(2).waitFor();
    await person.open(`/zones/${zone.name}/records/${zone.id}`);
    await person.page.getByText('This record no longer exists').waitFor();
  });

  it('24.11 shows the addresses of an ALIAS, and why it has none', async () => {
    const target = `lb.${freshName()}`;
    resolver.ttl = 1;
    resolver.say(target, ['192.0.2.8', '2001:db8::8']);
    const { id } = await zone.newRecord({ name: zone.name, type: 'ALIAS', data: target });
    await person.comeTo(`/zones/${zone.name}/records/${id}`, member.token);
    const shown = person.page.getByRole('region', { name: 'Target' });
    await shown.getByText('Resolved', { exact: true }).waitFor();
    await shown.getByText('192.0.2.8, 2001:db8::8').waitFor();
    resolver.say(target, ['10.0.0.1']);
    await shown.getByText('it has only addresses that are not public').waitFor();
    await shown.getByText('Addresses not public').waitFor();
  });

  const ownServers = async (): Promise<readonly string[]> =>
    (await bodyOf<{ name_servers?: string[] }>(member.call('get', `/v1/domains/${zone.id}`))).name_servers ?? [];

  it('22.8 saves the settings of a zone, and overwrites no concurrent change', async () => {
    await person.comeTo(`/zones/${zone.name}/settings`, member.token);
    const [email, ttl] = [person.page.getByLabel('Email'), person.page.getByLabel('TTL')];
    await email.waitFor();
    await bodyOf(member.call('put', `/v1/domains/${zone.id}`, { ttl: 7777 }));
    await email.fill('other@example.org');
    await person.button('Save settings').click();
    await person.page.getByRole('alert').filter({ hasText: 'Someone else changed these settings' }).waitFor();
    await until(async () => (await ttl.inputValue()) === '7777');
    await person.button('Save settings').click();
    await person.status.filter({ hasText: 'saved' }).waitFor();
    const { body } = await answerOf(member.call('get', `/v1/domains/${zone.id}`));
    expect(body).toMatchObject({ email: 'other@example.org', ttl: 7777 });
    await person.page.getByLabel('Name servers').fill('ns1.example.net\nns2.example.net.');
    await person.button('Save settings').click();
    await until(async () => (await ownServers()).length === 2);
    await ttl.fill('-1');
    await person.button('Save settings').click();
    await until(async () => (await ttl.getAttribute('aria-invalid')) === 'true');
  });

  it('22.8 saves filters of the list of zones in this browser', async () => {
    const saved = person.page.getByRole('group', { name: 'Saved filters' });
    await person.comeTo(`/zones?q=${zone.name}&sort=-name&label=team%3Dnone`, member.token);
    await person.page.getByText(`No results for “${zone.name}”`).waitFor();
    await person.button('Save filter').click();
    const dialog = person.dialog('Save filter');
    await dialog.getByRole('button', { name: 'Save filter' }).click();
    await dialog.getByText('Enter a name').waitFor();
    await dialog.getByLabel('Name').fill('  Nobody <b> ');
    await dialog.getByRole('button', { name: 'Save filter' }).click();
    await person.status.filter({ hasText: 'Nobody <b> was saved' }).waitFor();
    const chip = saved.getByRole('button', { name: 'Nobody <b>', exact: true });
    await until(async () => (await chip.getAttribute('aria-pressed')) === 'true');
    // Again, the filter is none, and the list has all zones.
    await chip.click();
    await person.page.getByRole('link', { name: zone.name, exact: true }).waitFor();
    expect(new URL(person.page.url()).search).toBe('');
    await person.open('/zones');
    await chip.click();
    await person.page.getByText(`No results for “${zone.name}”`).waitFor();
    expect(new URL(person.page.url()).search).toBe(`?q=${zone.name}&label=team%3Dnone&sort=-name`);
    await saved.getByRole('button', { name: 'Delete the filter Nobody <b>' }).click();
    await person.status.filter({ hasText: 'was deleted' }).waitFor();
    await until(async () => (await chip.count()) === 0);
    await person.button('Save filter').waitFor();
  });

  it('7.7, 7.8, 22.8 edits labels of zones and record sets, and filters the list of zones', async () => {
    const { name, type, id } = await zone.newRecord();
    await person.comeTo(`/zones/${zone.name}/settings`, member.token);
    const labels = person.page.getByLabel('Labels');
    await labels.fill('team=web\nbad key=x');
    await person.button('Save settings').click();
    await until(async () => (await labels.getAttribute('aria-invalid')) === 'true');
    await labels.fill('team=web\nprod');
    await person.button('Save settings').click();
    await person.status.filter({ hasText: 'saved' }).waitFor();
    const { body } = await answerOf(member.call('get', `/v1/domains/${zone.id}`));
    expect(body).toMatchObject({ labels: { team: 'web', prod: '' } });
    await person.page.getByRole('link', { name: 'Zones with the label team=web' }).click();
    await person.page.getByRole('link', { name: zone.name, exact: true }).waitFor();
    expect(new URL(person.page.url()).search).toBe('?label=team%3Dweb');
    await person.open('/zones?label=team%3Dother');
    await person.page.getByText('No zone has these labels').waitFor();
    await person.page.getByRole('group', { name: 'Filter by label' }).getByRole('button').click();
    await person.page.getByRole('link', { name: zone.name, exact: true }).waitFor();
    await person.open(`/zones/${zone.name}/records/${id}`);
    await person.button('Edit labels').click();
    const dialog = person.dialog('Edit labels');
    await dialog.getByLabel('Labels').fill('owner=deploy');
    await dialog.getByRole('button', { name: 'Save labels' }).click();
    // The dialog has the text too until it closes.
    await dialog.waitFor({ state: 'hidden' });
    await person.page.getByText('owner=deploy').waitFor();
    const sets = await answerOf(member.call('get', `/v1/domains/${zone.id}/labels`));
    expect(sets.body).toMatchObject({ record_sets: [{ name, type, labels: { owner: 'deploy' } }] });
  });

  it('22.8 shares a zone, and transfers it to another tenant by a key', async () => {
    await person.comeTo(`/zones/${zone.name}/settings`, member.token);
    await person.button('Share').click();
    await person.page.getByText('Enter the name of a tenant').waitFor();
    await person.page.getByLabel('Tenant', { exact: true }).fill('<b>guest</b>');
    await person.button('Share').click();
    const shares = person.page.getByRole('table', { name: 'Shares' });
    await shares.getByRole('row').filter({ hasText: '<b>guest</b>' }).waitFor();
    const faults = await person.seriousFaultsInBothThemes();
    await shares.getByRole('button', { name: /^Stop sharing/ }).click();
    await shares.waitFor({ state: 'hidden' });
    await person.button('Offer the zone').click();
    const id = await person.page.getByLabel('Request ID').inputValue();
    const key = await person.page.getByLabel('Key', { exact: true }).inputValue();

    const other = await service.newToken({ tenantId: 'other' });
    const taker = await Person.at(browser, service.url);
    await taker.comeTo('/zones', other.token);
    await taker.button('More actions').click();
    await taker.page.getByRole('menuitem', { name: 'Accept a zone' }).click();
    await taker.page.getByLabel('Request ID').fill(id);
    await taker.page.getByLabel('Key', { exact: true }).fill('WRONGKEY');
    await taker.button('Accept').last().click();
    await taker.page.getByRole('alert').waitFor();
    await taker.page.getByLabel('Key', { exact: true }).fill(key);
    await taker.button('Accept').last().click();
    await taker.page.getByRole('heading', { level: 1, name: zone.name }).waitFor();
    await taker.leave();
    expect(faults).toEqual([]);
  });

  it('22.8 deletes a zone whose name was typed', async () => {
    await person.comeTo(`/zones/${zone.name}/settings`, member.token);
    await person.button('Delete zone').click();
    const dialog = person.dialog('Delete zone');
    const button = dialog.getByRole('button', { name: 'Delete', exact: true });
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByLabel(/to confirm$/).fill(zone.name);
    await button.click();
    await person.page.getByRole('heading', { level: 1, name: 'Zones' }).waitFor();
    await answerOf(member.call('get', `/v1/domains/${zone.id}`), 404);
  });

  it('22.10 searches all zones, shows quotas, and restores a deleted zone', async () => {
    await zone.newRecord({ name: zone.at('needle') });
    await person.comeTo('/search', member.token);
    await person.page.getByRole('searchbox', { name: 'Search all zones' }).fill('needle');
    const results = person.page.getByRole('table', { name: 'Results' });
    const faults: string[] = [];
    await results.getByRole('row').filter({ hasText: '192.0.2.3' }).waitFor();
    faults.push(...(await person.seriousFaultsInBothThemes()));
    await results.getByRole('link', { name: zone.at('needle') }).click();
    await person.records.getByRole('row').filter({ hasText: 'needle' }).waitFor();

    await person.page.getByRole('link', { name: 'Usage' }).click();
    await person.page.getByRole('table', { name: 'Usage' }).getByRole('row').filter({ hasText: 'Zones' }).waitFor();
    faults.push(...(await person.seriousFaultsInBothThemes()));
    await answerOf(member.call('delete', `/v1/domains/${zone.id}`));
    await person.open('/deleted-zones');
    await person.page.getByRole('row').filter({ hasText: zone.name }).waitFor();
    faults.push(...(await person.seriousFaultsInBothThemes()));
    await person.button(`Restore ${zone.name}`).click();
    await person.dialog('Restore zone').getByRole('button', { name: 'Restore', exact: true }).click();
    await person.records.getByRole('row').filter({ hasText: 'needle' }).waitFor();
    await person.page.getByRole('link', { name: 'Audit log' }).click();
    await person.page.getByText('Only admins can view the audit log').waitFor();
    expect(faults).toEqual([]);
  });

  it('22.10 shows the history of all zones, including deleted zones', async () => {
    const gone = await newDomain(member);
    await answerOf(member.call('delete', `/v1/domains/${gone.id}`));
    const record = { type: 'A', name: zone.at('told'), data: '192.0.2.9' };
    const change = { changes: [{ action: 'create', record }], message: '<b>Move</b> the web server' };
    await bodyOf(member.call('post', `/v1/domains/${zone.id}/changes`, change));
    await person.comeTo('/zones', member.token);
    await person.page.getByRole('link', { name: 'Changes' }).click();
    await person.page.getByRole('heading', { level: 1, name: 'Changes' }).waitFor();
    const rows = person.page.getByRole('list', { name: 'Changes' }).getByRole('listitem');
    await rows.filter({ hasText: gone.name }).filter({ hasText: 'Zone deleted' }).waitFor();
    const told = rows.filter({ hasText: '<b>Move</b> the web server' });
    await told.getByText('+1', { exact: true }).waitFor();
    await told.getByRole('button', { name: /^Show serial/ }).click();
    await told.getByRole('row').filter({ hasText: '192.0.2.9' }).waitFor();
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);
    await chooseFor(told, 'Undo this change');
    await person.plan
      .getByRole('row')
      .filter({ hasText: /^Delete/ })
      .waitFor();
    await person.apply();
    expect(await stored()).toEqual([]);
    await person.page.getByRole('heading', { level: 2, name: 'Changes' }).waitFor();
    expect(new URL(person.page.url()).search).toBe('');
  });

  it('22.6 leads to a zone by a part of its name', async () => {
    await person.comeTo('/quotas', member.token);
    await person.page.keyboard.press('Control+k');
    const dialog = person.dialog('Go to');
    await dialog.getByLabel('Zone, page or action').fill(zone.name.slice(0, -1));
    await dialog.getByRole('button', { name: zone.name }).first().press('Enter');
    await person.page.getByRole('heading', { level: 1, name: zone.name }).waitFor();
  });

  it('22.10 lets an admin act as a tenant, with a permanent notice', async () => {
    const admin = await service.newToken({ tenantId: 'admin', roles: ['admin'] });
    await person.comeTo('/audit', admin.token);
    await person.page.getByText('enabled_extensions_admin = audit').waitFor();
    await person.button('Account').click();
    await person.page.getByRole('menuitem', { name: 'Switch tenant' }).click();
    await person.dialog('Switch tenant').getByRole('button', { name: 'acme', exact: true }).click();
    await person.page.getByText('Acting as acme').waitFor();
    await person.page.getByRole('table', { name: 'Zones' }).getByRole('link', { name: zone.name }).waitFor();
    await person.page.reload();
    await person.page.getByText('Acting as acme').waitFor();
    await person.button('Exit').click();
    await person.page.getByText('No zones yet').waitFor();
  });

  it('22.9 explains how to enable webhooks where they are disabled', async () => {
    await person.comeTo('/webhooks', member.token);
    await person.page.getByText('enabled_extensions_v1 = webhooks').waitFor();
  });
});

describeWithBrowser('events in the console', () => {
  it('22.4 shows changes by others immediately, in all tabs by one stream', async () => {
    const service = await startTokenService({ SERVICE_API__ENABLED_EXTENSIONS_V1: 'events' });
    const browser = await openBrowser();
    try {
      const member = await service.newToken();
      const zone = await newDomain(member);
      const person = await Person.at(browser, service.url);
      const streams: string[] = [];
      person.context.on('request', (request) => {
        if (request.url().includes('/v1/events')) streams.push(request.url());
      });
      const began = person.page.waitForRequest('**/v1/events?*');
      await person.comeTo(`/zones/${zone.name}/records`, member.token);
      await began;
      const second = await person.context.newPage();
      await second.goto(person.page.url());
      await second.getByText('This zone has no records yet').waitFor();
      await zone.newRecord();
      await person.records.getByRole('row').filter({ hasText: '192.0.2.3' }).waitFor();
      await second.getByRole('grid', { name: 'Records' }).getByRole('row').filter({ hasText: '192.0.2.3' }).waitFor();
      expect(streams).toHaveLength(1);
    } finally {
      await browser.close();
      await service.stop();
    }
  });
});

describeWithBrowser('admin pages of the console', () => {
  it('22.10 shows actors and search results, and sets quotas', async () => {
    const service = await startTokenService({
      SERVICE_API__ENABLE_API_ADMIN: 'True',
      SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'audit, quotas',
    });
    const browser = await openBrowser();
    try {
      const admin = await service.newToken({ tenantId: 'admin', roles: ['admin'] });
      const zone = await newDomain(await service.newToken());
      const person = await Person.at(browser, service.url);
      await person.comeTo('/audit?action=domain.create', admin.token);
      const entries = person.page.getByRole('table', { name: 'Audit' }).getByRole('row');
      await entries.filter({ hasText: zone.name }).waitFor();
      expect(await person.seriousFaultsInBothThemes()).toEqual([]);
      await person.page.getByLabel('Action').fill('record');
      await person.button('Filter').click();
      await person.page.getByText('No matching entries').waitFor();

      await person.open('/quotas');
      await person.button('Edit quotas').click();
      const dialog = person.dialog('Edit quotas');
      await dialog.getByLabel('Zones', { exact: true }).fill('none');
      await dialog.getByRole('button', { name: 'Save quotas' }).click();
      await dialog.getByText('A limit is a whole number').waitFor();
      await dialog.getByLabel('Zones', { exact: true }).fill('77');
      await dialog.getByRole('button', { name: 'Save quotas' }).click();
      await person.page.getByRole('table', { name: 'Usage' }).getByRole('row').filter({ hasText: '77' }).waitFor();
    } finally {
      await browser.close();
      await service.stop();
    }
  });
});

describeWithBrowser('webhooks in the console', () => {
  let service: TokenService;
  let receiver: WebhookReceiver;
  let browser: Browser;
  beforeAll(async () => {
    receiver = await WebhookReceiver.listening();
    service = await startTokenService(WEBHOOKS_ON);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
    await receiver.stop();
  });

  it('22.9 creates a webhook, tests it, and rotates its secret', async () => {
    const member = await service.newToken();
    const person = await Person.at(browser, service.url);
    await person.comeTo('/webhooks', member.token);
    await person.button('New webhook').click();
    await person.dialog('New webhook').getByLabel('Target').fill(receiver.url('/'));
    await person.page.getByRole('checkbox', { name: 'Records deleted' }).check();
    await person.button('Create webhook').click();
    const made = person.dialog('Webhook created');
    const secret = await made.getByRole('textbox', { name: 'Secret' }).inputValue();
    expect(secret).toMatch(/^whsec_/);
    await made.getByRole('button', { name: 'Done' }).click();
    await person.page.getByText('Events: Records deleted.').waitFor();
    await person.button('Send a test').click();
    const deliveries = person.page.getByRole('table', { name: 'Deliveries' }).getByRole('row');
    await deliveries.filter({ hasText: 'zonewright.webhook.test' }).filter({ hasText: 'Delivered' }).waitFor();
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);
    await person.button('Rotate secret').click();
    const rotated = person.dialog('New secret').getByRole('textbox', { name: 'Secret' });
    expect(await rotated.inputValue()).not.toBe(secret);
    await person.leave();
  });
});
