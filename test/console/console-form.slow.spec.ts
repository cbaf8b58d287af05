import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { bodyOf } from '../support/answers.js';
import type { RecordBody } from '../support/bodies.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { until } from '../support/until.js';
import { Person } from './person.js';
import { expectQuietLeave, recordsOf } from './walks.js';

const DAY = 86_400_000;

describeWithBrowser('the record form of the console', () => {
  let service: TokenService;
  let member: TokenClient;
  let browser: Browser;
  let person: Person;
  let zone: TestDomain;
  beforeAll(async () => {
    service = await startTokenService({ SERVICE_API__EXPIRING_RECORDS: 'True' });
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

  const add = (form: Locator): Promise<void> => form.getByRole('button', { name: 'Add to changes' }).click();
  const valueOf = (form: Locator, label: string): Promise<string> =>
    form.getByLabel(label, { exact: true }).inputValue();

  it('22.6 draws the lists of selects itself, which the keyboard opens, and Escape closes without the form', async () => {
    const { page } = person;
    const { keyboard } = page;
    await zone.newRecord();
    await zone.newRecord({ name: zone.name, type: 'MX', data: zone.at('www'), priority: 10 });
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    const isOpen = (select: Locator): Promise<boolean> => select.evaluate((one) => one.matches(':open'));
    const filter = page.getByLabel('Filter by type', { exact: true });
    await filter.getByText('MX (1)').waitFor({ state: 'attached' });
    await filter.focus();
    await keyboard.press('Space');
    await until(() => isOpen(filter));
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);
    await keyboard.press('m');
    await keyboard.press('Enter');
    await person.button('Remove filter Type MX').waitFor();
    await person.button('Remove filter Type MX').click();

    await person.button('Add record').first().click();
    const form = person.dialog('Add record');
    const type = form.getByLabel('Type', { exact: true });
    await type.focus();
    await keyboard.press('Space');
    await until(() => isOpen(type));
    await keyboard.press('Escape');
    await until(async () => !(await isOpen(type)));
    expect(await form.isVisible()).toBe(true);
    expect(await type.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);
    await type.click();
    await type.getByRole('option', { name: /^CNAME/ }).click();
    await form.getByLabel('Target', { exact: true }).waitFor();
    await keyboard.press('Escape');
    await form.waitFor({ state: 'hidden' });
  });

  it('22.3 completes names and durations, and shows the record that they make', async () => {
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    const mx = await person.fillRecord('MX', { Name: '@', Exchange: 'mail', TTL: '5m' });
    expect(await valueOf(mx, 'Preference')).toBe('10');
    await mx.getByText(`= mail.${zone.name}`).waitFor();
    await mx.getByText('= 5 min').waitFor();
    await mx.getByText(`${zone.name} 300 IN MX 10 mail.${zone.name}`).waitFor();
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);
    await add(mx);
    await mx.waitFor({ state: 'hidden' });

    const alias = await person.fillRecord('CNAME', { Name: 'cdn', Target: 'd111.cdn.example', TTL: 'soon' });
    await alias.getByText('= d111.cdn.example.', { exact: true }).waitFor();
    await alias.getByRole('button', { name: `Use d111.cdn.example.${zone.name}` }).waitFor();
    await add(alias);
    await alias.getByText('Enter seconds, or a value like 5m or 1h.').last().waitFor();
    await alias.getByLabel('TTL').fill('1h 30m');
    await alias.getByLabel('Expires at').fill('1d');
    await add(alias);
    await alias.waitFor({ state: 'hidden' });
    await person.records.getByRole('row').filter({ hasText: '5 min' }).waitFor();

    await person.review();
    await person.apply();
    expect(await recordsOf(member, zone.id)).toEqual(
      [`${zone.at('cdn')} 5400 CNAME d111.cdn.example.`, `${zone.name} 300 MX mail.${zone.name}`].sort(),
    );
    const { records } = await bodyOf<{ records: (RecordBody & { expires_at: string | null })[] }>(
      member.call('get', `/v1/domains/${zone.id}/records?type=CNAME`),
    );
    const end = Date.parse(`${records[0]?.expires_at?.replace(/Z?$/, '')}Z`);
    expect(Math.abs(end - Date.now() - DAY)).toBeLessThan(DAY / 24);
  });

  it('22.3 offers choices and usual values, and counts the lookups of an SPF value', async () => {
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    const caa = await person.fillRecord('CAA', { Name: '@', Value: 'ca.example' });
    const tag = caa.getByLabel('Tag', { exact: true });
    expect([await valueOf(caa, 'Flags'), await tag.inputValue()]).toEqual(['0', 'issue']);
    await tag.selectOption('iodef');
    await tag.selectOption({ label: 'Another value…' });
    await tag.fill('contactemail');
    await add(caa);
    await caa.waitFor({ state: 'hidden' });

    for (const [type, usual] of Object.entries({
      SRV: { Priority: '10', Weight: '0' },
      TLSA: { Usage: '3', Selector: '1', 'Matching type': '1' },
      HTTPS: { Priority: '1', Target: '.' },
    })) {
      const form = await person.fillRecord(type, { Name: '_443._tcp' });
      for (const [label, value] of Object.entries(usual)) expect(await valueOf(form, label)).toBe(value);
      await form.getByRole('button', { name: 'Cancel' }).click();
    }

    const txt = await person.fillRecord('TXT', { Name: '@', Text: 'v=spf1 mx include:spf.example -all' });
    await txt.getByText('SPF: 2 of 10 DNS lookups.').waitFor();
    await txt.getByLabel('Text', { exact: true }).fill(`v=spf1 ${'include:spf.example '.repeat(11)}-all`);
    await txt.getByText('SPF: 11 DNS lookups. Receivers stop after 10').waitFor();
    await txt.getByLabel('Text', { exact: true }).fill('v=spf1 -all');
    await add(txt);
    await txt.waitFor({ state: 'hidden' });
    await person.review();
    await person.apply();
    await until(async () => (await recordsOf(member, zone.id)).length === 2);
    expect(await recordsOf(member, zone.id)).toEqual([
      expect.stringMatching(/ CAA 0 contactemail "ca\.example"$/),
      expect.stringMatching(/ TXT "v=spf1 -all"$/),
    ]);
  });

  it('22.3 fills in the fields of a pasted line', async () => {
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    await person.button('Add record').first().click();
    const form = person.dialog('Add record');
    await form.getByLabel('Name', { exact: true }).focus();
    await person.page.evaluate(`(() => {
      const data = new DataTransfer();
      data.setData('text', 'sub 1h IN MX 5 mail');
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    })()`);
    await form.getByText(`sub.${zone.name} 3600 IN MX 5 mail.${zone.name}`).waitFor();
    expect(await valueOf(form, 'Preference')).toBe('5');
    await form.getByRole('button', { name: 'Enter data as text' }).click();
    await until(async () => (await valueOf(form, 'Data as text')) === `mail.${zone.name}`);
  });
});
