import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { answerOf, bodyOf } from '../support/answers.js';
import type { DomainBody } from '../support/bodies.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { freshName, newDomain } from '../support/domain.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { Person } from './person.js';
import { expectQuietLeave, recordsOf } from './walks.js';

describeWithBrowser('the stored templates in the console', () => {
  let service: TokenService;
  let member: TokenClient;
  let browser: Browser;
  let person: Person;
  beforeAll(async () => {
    service = await startTokenService();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });
  beforeEach(async () => {
    member = await service.newToken({ tenantId: freshName() });
    person = await Person.at(browser, service.url);
  });
  afterEach(() => expectQuietLeave(person));

  const newTemplate = (name: string, ...records: object[]) =>
    answerOf(member.call('post', '/v1/templates', { name, records }));

  it('28.6 create, copy, change and delete templates on their page', async () => {
    await person.comeTo('/zones', member.token);
    await person.page.getByRole('link', { name: 'Zone templates' }).click();
    const table = person.page.getByRole('table', { name: 'Zone templates' });
    await table.getByRole('row').filter({ hasText: 'fastmail' }).waitFor();
    await person.button('New template').click();
    const dialog = person.dialog('New template');
    await dialog.getByLabel('Name', { exact: true }).fill('acme-web');
    await dialog.getByLabel('Records', { exact: true }).fill('@ A\n');
    await dialog.getByRole('button', { name: 'Save template' }).click();
    await dialog.getByText('Line 1: enter name, type and data.').waitFor();
    const lines = '@ 300 A 192.0.2.1\n\n@ MX 10 mail.{zone}\nwww CNAME {zone}.';
    await dialog.getByLabel('Records', { exact: true }).fill(lines);
    await dialog.getByRole('button', { name: 'Save template' }).click();
    await dialog.getByText(/Line 3: data: /).waitFor();
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);
    await dialog.getByLabel('Records', { exact: true }).fill(lines.replace('mail.{zone}', 'mail.{zone}.'));
    await dialog.getByRole('button', { name: 'Save template' }).click();
    await person.status.filter({ hasText: 'The template acme-web was saved.' }).waitFor();
    const row = table.getByRole('row').filter({ hasText: 'acme-web' });
    await row.getByRole('button', { name: 'Edit acme-web' }).click();
    const edit = person.dialog('Edit acme-web');
    await edit.getByLabel('Description', { exact: true }).fill('Our web server');
    await edit.getByRole('button', { name: 'Save template' }).click();
    await row.getByText('Our web server').waitFor();
    await table.getByRole('button', { name: 'Copy parked' }).click();
    await person.dialog('New template').getByRole('button', { name: 'Save template' }).click();
    await table.getByRole('button', { name: 'Edit parked' }).waitFor();
    expect(await table.getByRole('button', { name: 'Delete fastmail' }).count()).toBe(0);
    await table.getByRole('button', { name: 'Delete acme-web' }).click();
    await person.dialog('Delete template').getByRole('button', { name: 'Delete', exact: true }).click();
    await row.waitFor({ state: 'detached' });
    const { templates } = await bodyOf<{ templates: { name: string; tenant_id: string | null }[] }>(
      member.call('get', '/v1/templates'),
    );
    expect(templates.filter(({ tenant_id }) => tenant_id !== null).map(({ name }) => name)).toEqual(['parked']);
  });

  it('28.4 creates a zone with a template, and shows its records before', async () => {
    await newTemplate('acme-web', { name: 'www', type: 'CNAME', data: '{zone}.' });
    const name = freshName();
    await person.comeTo('/zones?dialog=new', member.token);
    const dialog = person.dialog('New zone');
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    await dialog.getByLabel('Email', { exact: true }).fill('hostmaster@example.org');
    await dialog.getByLabel('Template', { exact: true }).selectOption('acme-web');
    await dialog.getByRole('list', { name: 'Records of the template' }).getByText(`www CNAME ${name}`).waitFor();
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);
    await dialog.getByRole('button', { name: 'Create zone' }).click();
    await person.records.getByRole('row').filter({ hasText: 'CNAME' }).waitFor();
    const { domains } = await bodyOf<{ domains: DomainBody[] }>(member.call('get', `/v1/domains?name=${name}`));
    expect(await recordsOf(member, domains[0]!.id)).toEqual([`www.${name} - CNAME ${name}`]);
  });

  it('28.6 applies a template of the tenant to a zone, after its plan', async () => {
    const zone = await newDomain(member);
    await newTemplate(
      'acme-web',
      { name: '@', type: 'A', data: '192.0.2.1', ttl: 300 },
      { name: 'www', type: 'CNAME', data: '{zone}.' },
    );
    await zone.newRecord({ name: zone.name, type: 'A', data: '192.0.2.9' });
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    await person.button('More actions').click();
    await person.page.getByRole('menuitem', { name: 'Add from template' }).click();
    const dialog = person.dialog('Add from template');
    await dialog.getByRole('radio', { name: 'acme-web', exact: true }).check();
    await dialog.getByRole('group', { name: '@ A' }).getByText('A 192.0.2.9').waitFor();
    await dialog.getByRole('button', { name: 'Add to changes' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await person.review();
    await person.apply();
    expect(await recordsOf(member, zone.id)).toEqual(
      [`${zone.name} 300 A 192.0.2.1`, `${zone.at('www')} - CNAME ${zone.name}`].sort(),
    );
  });

  it('28.6 offers no change of templates to a reader', async () => {
    const reader = await service.newToken({ roles: ['reader'] });
    await person.comeTo('/templates', reader.token);
    await person.page.getByRole('row').filter({ hasText: 'parked' }).waitFor();
    for (const name of ['New template', 'Copy parked']) expect(await person.button(name).count()).toBe(0);
  });
});
