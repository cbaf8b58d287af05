import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { bodyOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { until } from '../support/until.js';
import { TAKES_UPDATES } from '../support/updates.js';
import { WEBHOOKS_ON } from '../support/webhook-receiver.js';
import { Person } from './person.js';
import { chooseFor, expectQuietLeave } from './walks.js';

describeWithBrowser('the addresses of dialogs', () => {
  let service: TokenService;
  let member: TokenClient;
  let browser: Browser;
  let person: Person;
  let zone: TestDomain;
  let record: string;
  beforeAll(async () => {
    service = await startTokenService({
      ...WEBHOOKS_ON,
      ...TAKES_UPDATES,
      ...{ SERVICE_API__ENABLE_API_ADMIN: 'True', SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas' },
    });
    member = await service.newToken({ roles: ['admin'] });
    await bodyOf(member.call('post', '/v1/update-keys', { name: 'router.example.' }));
    browser = await openBrowser();
    zone = await newDomain(member);
    await zone.newRecord({ name: zone.at('www'), data: '192.0.2.1' });
    ({ id: record } = await zone.newRecord({ name: zone.at('mail'), data: '192.0.2.2' }));
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });
  beforeEach(async () => {
    person = await Person.at(browser, service.url);
    await person.comeTo('/zones', member.token);
    await person.page.getByRole('table', { name: 'Zones' }).getByRole('link', { name: zone.name }).waitFor();
  });
  afterEach(() => expectQuietLeave(person));

  const here = (): string => new URL(person.page.url()).pathname + new URL(person.page.url()).search;
  const changes = (): Locator => person.page.getByRole('list', { name: 'Changes' }).getByRole('listitem');
  const row = (data: string): Locator => person.records.getByRole('row').filter({ hasText: data });

  interface Case {
    readonly dialog: string;
    readonly page: () => string;
    readonly isThere: () => Locator;
    readonly open: () => Promise<unknown>;
    readonly parameters: RegExp;
    /** What the open dialog shows. */
    readonly shows?: string;
  }
  const records = { page: () => `/zones/${zone.name}/records`, isThere: () => row('192.0.2.2') };
  const history = { page: () => `/zones/${zone.name}/history`, isThere: () => changes().nth(2) };
  const press = async (data: string, key: string): Promise<void> => {
    await row(data).focus();
    await person.page.keyboard.press(key);
  };
  const zones = { page: () => '/zones', isThere: () => person.button('New zone') };
  const CASES: readonly Case[] = [
    { ...zones, dialog: 'New zone', open: () => person.button('New zone').click(), parameters: /^dialog=new$/ },
    {
      ...zones,
      dialog: 'Accept a zone',
      open: async () => {
        await person.button('More actions').click();
        await person.page.getByRole('menuitem', { name: 'Accept a zone' }).click();
      },
      parameters: /^dialog=accept$/,
    },
    { ...records, dialog: 'Add record', open: () => person.button('Add record').click(), parameters: /^dialog=add$/ },
    {
      ...records,
      ...{ dialog: 'Edit record', shows: '192.0.2.2', parameters: /^dialog=edit&record=[\da-f-]{36}$/ },
      open: () => press('192.0.2.2', 'e'),
    },
    {
      ...records,
      ...{ dialog: 'Add record', shows: '192.0.2.2', parameters: /^dialog=copy&record=[\da-f-]{36}$/ },
      open: async () => {
        await row('192.0.2.2')
          .getByRole('button', { name: /^Actions for/ })
          .click();
        await person.page.getByRole('menuitem', { name: 'Duplicate' }).click();
      },
    },
    {
      ...{ dialog: 'Edit record', shows: '192.0.2.2', page: () => `/zones/${zone.name}/records/${record}` },
      ...{ isThere: () => person.button('Edit mail A'), parameters: /^dialog=edit$/ },
      open: () => person.button('Edit mail A').click(),
    },
    {
      ...records,
      ...{ dialog: 'Add from template', parameters: /^template=choose$/ },
      open: async () => {
        await person.button('More actions').click();
        await person.page.getByRole('menuitem', { name: 'Add from template' }).click();
      },
    },
    {
      ...history,
      ...{ dialog: 'Plan', shows: '192.0.2.1', parameters: /^plan=undo&change=[\da-f-]{36}$/ },
      open: () => chooseFor(changes().nth(1), 'Undo this change'),
    },
    {
      ...history,
      ...{ dialog: 'Plan', shows: '192.0.2.2', parameters: /^plan=restore&change=[\da-f-]{36}$/ },
      open: () => chooseFor(changes().nth(1), 'Restore this state'),
    },
    {
      ...history,
      ...{ dialog: 'Compare', shows: '192.0.2.2', parameters: /^from=\d+&to=\d+$/ },
      open: async () => {
        await changes().nth(0).getByRole('checkbox').check();
        await changes().nth(1).getByRole('checkbox').check();
        await person.button('Compare').click();
      },
    },
    {
      ...{ dialog: 'New token or key', page: () => '/tokens', parameters: /^dialog=new$/ },
      isThere: () => person.page.getByRole('table').first(),
      open: () => person.button('New token or key').first().click(),
    },
    {
      ...{ dialog: 'New webhook', page: () => '/webhooks', parameters: /^dialog=new$/ },
      isThere: () => person.button('New webhook').first(),
      open: () => person.button('New webhook').first().click(),
    },
    {
      ...{ dialog: 'Delete zone', page: () => `/zones/${zone.name}/settings`, parameters: /^dialog=delete$/ },
      isThere: () => person.button('Delete zone'),
      open: () => person.button('Delete zone').click(),
    },
    {
      ...{ dialog: 'Revoke update key', page: () => '/tokens', parameters: /^dialog=revoke&key=[\da-f-]{36}$/ },
      isThere: () => person.button('Revoke router.example.'),
      open: () => person.button('Revoke router.example.').click(),
    },
    {
      ...{ dialog: 'Edit quotas', page: () => '/quotas', parameters: /^dialog=edit$/ },
      isThere: () => person.button('Edit quotas'),
      open: () => person.button('Edit quotas').click(),
    },
    {
      ...{ dialog: 'Revoke', page: () => '/tokens', parameters: /^dialog=revoke&token=[\da-f-]{36}$/ },
      isThere: () => person.page.getByRole('table').first(),
      open: () =>
        person
          .button(/^Revoke/)
          .first()
          .click(),
    },
  ];

  it('22.6 opens every dialog at its address, which Escape and Back leave', async () => {
    for (const { dialog: name, page, isThere, open, parameters, shows } of CASES) {
      const path = `/console${page()}`;
      await person.open(page());
      await isThere().waitFor();
      const dialog = person.page.getByRole('dialog', { name: new RegExp(`^${name}`) });
      const isShown = async (): Promise<void> => {
        await dialog.waitFor();
        if (shows !== undefined)
          await until(async () => {
            const inputs = await dialog
              .locator('input')
              .evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value));
            return `${inputs.join(' ')} ${await dialog.innerText()}`.includes(shows);
          });
      };
      const isClosed = async (): Promise<void> => {
        await dialog.waitFor({ state: 'hidden' });
        await until(() => here() === path);
        await isThere().waitFor();
      };

      await open();
      await isShown();
      const address = here();
      const [way, query = ''] = address.split('?');
      expect([name, way, query]).toEqual([name, path, expect.stringMatching(parameters)]);
      // Closed by Back, open again by Forward, closed by Escape: the history has no second entry of the page.
      await person.page.goBack();
      await isClosed();
      await person.page.goForward();
      await isShown();
      await person.page.keyboard.press('Escape');
      await isClosed();
      await person.page.goForward();
      await isShown();
      // The address alone leads to the dialog, in another tab too.
      await person.page.goto('about:blank');
      await person.page.goto(service.url + address);
      await isShown();
      await person.page.keyboard.press('Escape');
      await isClosed();
      await person.page.goBack();
      await until(() => person.page.url() === 'about:blank');
    }
  });

  it('22.6 closes the bulk edit with Back, and without its selection', async () => {
    await person.open(records.page());
    await person.page.getByRole('checkbox', { name: 'Select mail A' }).check();
    const dialog = person.page.getByRole('dialog');
    await person.button('Edit selected').click();
    await dialog.waitFor();
    await person.page.goBack();
    await dialog.waitFor({ state: 'hidden' });
    expect(here()).toBe(`/console${records.page()}`);
    await person.page.goForward();
    await dialog.waitFor();
    await person.page.reload();
    await row('192.0.2.2').waitFor();
    await until(() => !here().includes('dialog'));
    expect(await dialog.count()).toBe(0);
  });

  it('22.6 edits the record of the address, and says so if it is gone', async () => {
    await person.open(`/zones/${zone.name}/records?dialog=edit&record=${record}`);
    const form = person.dialog('Edit record');
    await form.getByLabel('TTL', { exact: true }).fill('10m');
    await form.getByRole('button', { name: 'Add to changes' }).click();
    await form.waitFor({ state: 'hidden' });
    await person.button('Review changes').waitFor();
    // A reload shows the pending change in the form, since it is a change of this record.
    await person.open(`/zones/${zone.name}/records?dialog=edit&record=${record}`);
    await form.getByLabel('TTL', { exact: true }).waitFor();
    expect(await form.getByLabel('TTL', { exact: true }).inputValue()).toBe('600');
    await person.page.keyboard.press('Escape');
    await person.button('Discard changes').click();
    await person.dialog('Discard changes').getByRole('button', { name: 'Discard' }).click();
    for (const id of ['nothing', '00000000-0000-4000-8000-000000000000']) {
      await person.open(`/zones/${zone.name}/records?dialog=edit&record=${id}`);
      await person.status.getByText('This record no longer exists.').waitFor();
      await until(() => !here().includes('dialog'));
    }
  });

  it('22.6 shows the filters, the order and the search of an address', async () => {
    await person.open(`/zones/${zone.name}/records?q=192&type=A&sort=-name`);
    await row('192.0.2.2').waitFor();
    expect(await person.page.getByRole('searchbox').inputValue()).toBe('192');
    expect(
      await person
        .button('Remove filter: Type A')
        .or(person.button(/Type.*A/))
        .count(),
    ).toBeGreaterThan(0);
    expect(await person.records.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe(
      'descending',
    );
    const names = await person.records.getByRole('row').filter({ hasText: '192.0.2.' }).allInnerTexts();
    expect(names.map((text) => /www|mail/.exec(text)?.[0])).toEqual(['www', 'mail']);
    await person.open(`/zones?q=${zone.name.slice(0, 8)}&sort=-updated`);
    await person.page.getByRole('link', { name: zone.name }).first().waitFor();
    expect(await person.page.getByRole('searchbox').first().inputValue()).toBe(zone.name.slice(0, 8));
  });
});
