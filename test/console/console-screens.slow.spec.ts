import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { answerOf, bodyOf } from '../support/answers.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { until } from '../support/until.js';
import { WebhookReceiver, WEBHOOKS_ON } from '../support/webhook-receiver.js';
import { Person } from './person.js';
import { expectQuietLeave, recordsOf } from './walks.js';

describeWithBrowser('the further screens of the console in a browser', () => {
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

  it('22.7 plans an import, and shows the lines that are wrong', async () => {
    await zone.newRecord();
    await person.comeTo(`/zones/${zone.name}/import`, member.token);
    await person.page.getByRole('heading', { name: 'Import' }).waitFor();
    const choose = async (text: string): Promise<void> => {
      const file = { name: 'zone.txt', mimeType: 'text/plain', buffer: Buffer.from(text) };
      await person.page.getByLabel('Zone file').setInputFiles(file);
      await until(async () => (await person.page.getByLabel('Or paste its text').inputValue()) === text);
      await person.button('Plan').click();
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

  it('22.7 makes a zone of a file, whose records are planned', async () => {
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
    await person.page.getByRole('heading', { level: 2, name: 'Import' }).waitFor();
    await person.button('Plan').click();
    await person.plan.getByRole('row').filter({ hasText: '192.0.2.44' }).waitFor();
    await person.apply();
  });

  it('22.2 shows names of other scripts in both forms, and takes both', async () => {
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    const form = await person.fillRecord('A', { Name: 'bücher', Address: '192.0.2.5' });
    await form.getByText(`= xn--bcher-kva.${zone.name}`).waitFor();
    await form.getByRole('button', { name: 'Add to changes' }).click();
    await person.records.getByRole('row').filter({ hasText: 'xn--bcher-kva (bücher)' }).waitFor();
  });

  it('22.3 has the parameters of HTTPS by their keys', async () => {
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    const form = await person.fillRecord('HTTPS', { Name: '@', Priority: '1', Target: '.' });
    await form.getByLabel('Key of the parameter').selectOption('alpn');
    await form.getByLabel('Parameters', { exact: true }).fill('h2,h3');
    await form.getByRole('button', { name: 'Add another value' }).click();
    await form.getByLabel('Parameters 2', { exact: true }).pressSequentially('port=8443');
    await form.getByRole('button', { name: 'Add to changes' }).click();
    await person.review();
    await person.apply();
    expect(await stored()).toEqual([expect.stringMatching(/HTTPS 1 \. alpn="h2,h3" port="?8443"?$/)]);
  });

  it('22.7 leads from what the check finds to the records', async () => {
    await zone.newRecord({ name: zone.at('mx'), type: 'MX', data: zone.at('nowhere'), priority: 5 });
    await person.comeTo(`/zones/${zone.name}/check`, member.token);
    const finding = person.page.getByRole('row').filter({ hasText: 'nowhere' });
    await finding.getByRole('link', { name: /^Show records/ }).click();
    await person.records.getByRole('row').filter({ hasText: 'nowhere' }).waitFor();
  });

  it('22.5 compares two states', async () => {
    const { serial: before } = await bodyOf<{ serial: number }>(member.call('get', `/v1/domains/${zone.id}`));
    await zone.newRecord();
    await person.comeTo(`/zones/${zone.name}/history`, member.token);
    await person.page.getByText('Compare two states').click();
    await person.page.getByLabel('From serial').fill(String(before));
    await person.button('Compare').click();
    const table = person.page.getByRole('table', { name: 'Compare two states' });
    await table.getByRole('row').filter({ hasText: '192.0.2.3' }).waitFor();
  });

  it('22.5 leads to one change by its own address', async () => {
    await zone.newRecord();
    await zone.newRecord({ name: zone.at('later'), data: '192.0.2.8' });
    await person.comeTo(`/zones/${zone.name}/history`, member.token);
    const items = person.page.getByRole('list', { name: 'History' }).getByRole('listitem');
    await items.nth(1).getByRole('link').click();
    const wanted = person.page.locator('li[aria-current]');
    await wanted.getByRole('row').filter({ hasText: '192.0.2.3' }).waitFor();
    const { pathname } = new URL(person.page.url());
    expect(pathname).toMatch(/\/history\/[0-9a-f-]{36}$/);
    await person.open(`/zones/${zone.name}/history/00000000-0000-7000-8000-000000000000`);
    await person.page.getByText('There is no such change').waitFor();
  });

  it('22.8 shows one record with what it was, and restores a version', async () => {
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
    await person.page.getByText('There is no such record').waitFor();
  });

  const ownServers = async (): Promise<readonly string[]> =>
    (await bodyOf<{ name_servers?: string[] }>(member.call('get', `/v1/domains/${zone.id}`))).name_servers ?? [];

  it('22.8 saves the settings of a zone, and overwrites none of others', async () => {
    await person.comeTo(`/zones/${zone.name}/settings`, member.token);
    const [email, ttl] = [person.page.getByLabel('Email'), person.page.getByLabel('TTL')];
    await email.waitFor();
    await bodyOf(member.call('put', `/v1/domains/${zone.id}`, { ttl: 7777 }));
    await email.fill('other@example.org');
    await person.button('Save settings').click();
    await person.page.getByRole('alert').filter({ hasText: 'changed by somebody else' }).waitFor();
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

  it('22.8 shares a zone, and gives it to another tenant by a key', async () => {
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
    const id = await person.page.getByLabel('Id of the offer').inputValue();
    const key = await person.page.getByLabel('Key', { exact: true }).inputValue();

    const other = await service.newToken({ tenantId: 'other' });
    const taker = await Person.at(browser, service.url);
    await taker.comeTo('/zones', other.token);
    await taker.button('Accept a zone').click();
    await taker.page.getByLabel('Id of the offer').fill(id);
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

  it('22.9 makes a token for certificates, which is shown once, and revokes it', async () => {
    await person.comeTo('/tokens/new?preset=acme', member.token);
    const dialog = person.dialog('New token');
    await dialog.getByRole('radio', { name: /ACME/ }).check();
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await dialog.getByText('Enter the host names').waitFor();
    await dialog.getByLabel('Host names').fill(zone.at('www'));
    await dialog.getByLabel('Description').fill('<b>certificates</b>');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    const made = person.dialog('Token created');
    const token = await made.getByRole('textbox', { name: 'Token' }).inputValue();
    const faults = await person.seriousFaultsInBothThemes();
    await made.getByRole('button', { name: 'Done' }).click();
    expect(await person.page.content()).not.toContain(token);

    const acme = service.holding(token);
    const challenge = { type: 'TXT', name: zone.at('_acme-challenge.www'), data: '"proof"' };
    await bodyOf(acme.call('post', `/v1/domains/${zone.id}/records`, challenge));
    await answerOf(acme.call('post', `/v1/domains/${zone.id}/records`, { ...challenge, name: zone.at('other') }), 401);
    const row = person.page.getByRole('table', { name: 'Tokens' }).getByRole('row').filter({ hasText: '<b>' });
    faults.push(...(await person.seriousFaultsInBothThemes()));
    await row.getByRole('button', { name: /^Revoke/ }).click();
    await person.dialog('Revoke token').getByRole('button', { name: 'Revoke', exact: true }).click();
    await row.getByText('Revoked').waitFor();
    await answerOf(acme.call('get', `/v1/domains/${zone.id}/records`), 401);
    expect(faults).toEqual([]);
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

    await person.page.getByRole('link', { name: 'Quotas' }).click();
    await person.page.getByRole('table', { name: 'Quotas' }).getByRole('row').filter({ hasText: 'Zones' }).waitFor();
    faults.push(...(await person.seriousFaultsInBothThemes()));
    await answerOf(member.call('delete', `/v1/domains/${zone.id}`));
    await person.open('/deleted-zones');
    await person.page.getByRole('row').filter({ hasText: zone.name }).waitFor();
    faults.push(...(await person.seriousFaultsInBothThemes()));
    await person.button(`Restore ${zone.name}`).click();
    await person.dialog('Restore zone').getByRole('button', { name: 'Restore', exact: true }).click();
    await person.records.getByRole('row').filter({ hasText: 'needle' }).waitFor();
    await person.page.getByRole('link', { name: 'Audit' }).click();
    await person.page.getByText('The audit is for admins').waitFor();
    expect(faults).toEqual([]);
  });

  it('22.10 shows what has happened in all zones, also in those that are gone', async () => {
    const gone = await newDomain(member);
    await answerOf(member.call('delete', `/v1/domains/${gone.id}`));
    const record = { type: 'A', name: zone.at('told'), data: '192.0.2.9' };
    const change = { changes: [{ action: 'create', record }], message: '<b>Move</b> the web server' };
    await bodyOf(member.call('post', `/v1/domains/${zone.id}/changes`, change));
    await person.comeTo('/zones', member.token);
    await person.page.getByRole('link', { name: 'Recent changes' }).click();
    await person.page.getByRole('heading', { level: 1, name: 'Recent changes' }).waitFor();
    const rows = person.page.getByRole('table', { name: 'Recent changes' }).getByRole('row');
    await rows.filter({ hasText: gone.name }).filter({ hasText: 'Zone deleted' }).waitFor();
    const told = rows.filter({ hasText: '<b>Move</b> the web server' });
    await told.getByText('1 record: +1').waitFor();
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);
    await told.getByRole('link', { name: zone.name }).click();
    await person.page.getByRole('heading', { level: 2, name: 'History' }).waitFor();
  });

  it('22.6 leads to a zone by a part of its name', async () => {
    await person.comeTo('/quotas', member.token);
    await person.page.keyboard.press('Control+k');
    const dialog = person.dialog('Go to');
    await dialog.getByLabel('Zone or screen').fill(zone.name.slice(0, -1));
    await dialog.getByRole('button', { name: zone.name, exact: true }).press('Enter');
    await person.page.getByRole('heading', { level: 1, name: zone.name }).waitFor();
  });

  it('22.10 lets an admin act for a tenant, and says so all the time', async () => {
    const admin = await service.newToken({ tenantId: 'admin', roles: ['admin'] });
    await person.comeTo('/audit', admin.token);
    await person.page.getByText('enabled_extensions_admin = audit').waitFor();
    await person.button('Account').click();
    await person.page.getByRole('menuitem', { name: 'Act for a tenant' }).click();
    await person.dialog('Act for a tenant').getByRole('button', { name: 'acme', exact: true }).click();
    await person.page.getByText('You are acting for acme').waitFor();
    await person.page.getByRole('table', { name: 'Zones' }).getByRole('link', { name: zone.name }).waitFor();
    await person.page.reload();
    await person.page.getByText('You are acting for acme').waitFor();
    await person.button('Stop').click();
    await person.page.getByText('There is no zone yet').waitFor();
  });

  it('22.9 says that webhooks are off, and what turns them on', async () => {
    await person.comeTo('/webhooks', member.token);
    await person.page.getByText('enabled_extensions_v1 = webhooks').waitFor();
  });
});

describeWithBrowser('events in the console', () => {
  it('22.4 shows at once what others change, in all tabs by one stream', async () => {
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

describeWithBrowser('what admins alone have in the console', () => {
  it('22.10 shows who did what, and what matches, and sets quotas', async () => {
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
      await person.page.getByText('No entry matches').waitFor();

      await person.open('/quotas');
      await person.button('Edit quotas').click();
      const dialog = person.dialog('Edit quotas');
      await dialog.getByLabel('Zones', { exact: true }).fill('none');
      await dialog.getByRole('button', { name: 'Save quotas' }).click();
      await dialog.getByText('A limit is a whole number').waitFor();
      await dialog.getByLabel('Zones', { exact: true }).fill('77');
      await dialog.getByRole('button', { name: 'Save quotas' }).click();
      await person.page.getByRole('table', { name: 'Quotas' }).getByRole('row').filter({ hasText: '77' }).waitFor();
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

  it('22.9 makes a webhook, tests it, and gives it another secret', async () => {
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
    await person.page.getByText('Told of: Records deleted.').waitFor();
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
