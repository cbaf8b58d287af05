import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { bodyOf } from '../support/answers.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { Person } from './person.js';

type Role = Parameters<Page['getByRole']>[0];
type Scope = Page | Locator;

interface TypesBody {
  readonly record_types: readonly {
    readonly name: string;
    readonly priority: { readonly label: string } | null;
    readonly fields: readonly { readonly label: string }[];
  }[];
}

/** Assistive technology and scripts rely on these, so each is exact. */
describeWithBrowser('22.6 the roles and names of the console', () => {
  let service: TokenService;
  let member: TokenClient;
  let browser: Browser;
  let person: Person;
  let zone: TestDomain;
  beforeAll(async () => {
    service = await startTokenService({
      SERVICE_API__ENABLE_API_ADMIN: 'True',
      SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'audit',
      SERVICE_API__ENABLED_EXTENSIONS_V1: 'webhooks',
    });
    member = await service.newToken({ roles: ['admin'] });
    zone = await newDomain(member);
    await zone.newRecord();
    browser = await openBrowser();
    person = await Person.at(browser, service.url);
    await person.comeTo('/zones', member.token);
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  const found = (scope: Scope, role: Role, name: string): Locator => scope.getByRole(role, { name, exact: true });
  const labelled = (scope: Scope, label: string): Locator => scope.getByLabel(label, { exact: true });

  /** Each of them is there, and once. */
  async function expectEach(scope: Scope, role: Role, names: readonly string[]): Promise<void> {
    for (const name of names) {
      await found(scope, role, name).waitFor({ state: 'attached' });
      expect([name, await found(scope, role, name).count()]).toEqual([name, 1]);
    }
  }

  it('22.6 cover the navigation and the zones', async () => {
    const { page } = person;
    const areas = ['Zones', 'Changes', 'Name servers', 'Tokens and keys', 'Webhooks', 'Usage', 'Audit log'];
    await expectEach(found(page, 'navigation', 'Main'), 'link', areas);
    await page.getByRole('link', { name: /^Skip/ }).waitFor({ state: 'attached' });
    await expectEach(page, 'table', ['Zones']);
    await expectEach(page, 'searchbox', ['Search zones']);
    await found(page, 'button', 'New zone').click();
    const dialog = found(page, 'dialog', 'New zone');
    await labelled(dialog, 'Email').waitFor();
    await expectEach(dialog, 'button', ['Create zone']);
    await page.keyboard.press('Escape');
    for (const name of ['Changes', 'Tokens and keys', 'Webhooks', 'Usage', 'Audit log']) {
      await found(found(page, 'navigation', 'Main'), 'link', name).click();
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
      if (name === 'Changes') await expectEach(page, 'list', [name]);
      else if (name === 'Webhooks') await page.getByText('No webhooks yet').waitFor();
      else await expectEach(page, 'table', [name === 'Tokens and keys' ? 'Tokens' : name]);
    }
  });

  it('22.6 cover a zone and its records, also an empty search result', async () => {
    const { page } = person;
    await person.open(`/zones/${zone.name}`);
    for (const name of ['Changes', 'Health', 'DNSSEC', 'Settings', 'Records']) {
      await found(found(page, 'navigation', 'Zone'), 'link', name).click();
      await found(page, 'heading', name).waitFor();
    }
    await labelled(page, 'Filter by type').waitFor();
    await expectEach(page, 'combobox', ['Filter by type']);
    await expectEach(page, 'button', ['Add record', 'Display', 'More actions']);
    await person.records.getByRole('button', { name: /^Edit/ }).waitFor();
    expect(await person.records.getAttribute('aria-rowcount')).toBe('2');
    await found(page, 'searchbox', 'Search records').fill('nothing has this');
    await page.getByText('No matching records').waitFor();
    expect(await person.records.getAttribute('aria-rowcount')).toBe('1');
    await found(page, 'searchbox', 'Search records').fill('');
  });

  it('22.6 cover the form of each type, as the service describes it', async () => {
    const { record_types: types } = await bodyOf<TypesBody>(member.call('get', '/v1/record-types'));
    await found(person.page, 'button', 'Add record').click();
    const form = found(person.page, 'dialog', 'Add record');
    for (const label of ['Type', 'Name', 'TTL', 'Comment']) await labelled(form, label).waitFor();
    for (const { name, priority, fields } of types) {
      await labelled(form, 'Type').selectOption(name);
      for (const { label } of [...(priority === null ? [] : [priority]), ...fields]) {
        const control = labelled(found(form, 'group', 'Data'), label.charAt(0).toUpperCase() + label.slice(1));
        expect([name, label, await control.count()]).toEqual([name, label, 1]);
      }
    }
    await expectEach(form, 'button', ['Add to changes', 'Cancel']);
    await person.page.keyboard.press('Escape');
  });
});
