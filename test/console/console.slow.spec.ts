import { afterAll, beforeAll, beforeEach, afterEach, expect, it } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { bodyOf } from '../support/answers.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { until } from '../support/until.js';
import { Person } from './person.js';
import { chooseFor, expectQuietLeave, recordsOf } from './walks.js';

/** Values that must never run, style or link, in any field. */
const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '"><svg/onload=alert(1)>',
  '</script><script>alert(1)</script>',
  "{{constructor.constructor('alert(1)')()}}",
  'javascript:alert(1)',
  '<style>*{display:none}</style>',
  '<base href=//evil.example>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '__proto__',
  '&lt;b&gt;',
  "=cmd|'/c calc'!A0",
  'a\u202eb\u200bc',
];

describeWithBrowser('the console in a browser', () => {
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

  it('22.1 signs in, and explains failures', async () => {
    await person.open('/zones');
    await person.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await person.signIn('zw_wrong');
    await person.page.getByRole('alert').filter({ hasText: /token/i }).waitFor();
    expect(await person.page.getByLabel('Token').inputValue()).toBe('zw_wrong');
    await person.signIn(member.token);
    await person.page.getByRole('heading', { level: 1, name: 'Zones' }).waitFor();
    expect(await person.page.title()).toBe('Zones – Zonewright');
    const kept =
      'JSON.stringify({ ...localStorage, ...sessionStorage }) + document.documentElement.outerHTML + location';
    expect(await person.page.evaluate<string>(kept)).not.toContain(member.token);
  });

  it('22.1 leads after the sign-in to where one wanted to go, and nowhere else', async () => {
    await person.comeTo(`/zones/${zone.name}/history`, member.token);
    await person.page.getByRole('heading', { name: 'Changes' }).waitFor();
    await person.button('Account').click();
    await person.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await person.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await person.comeTo(`/sign-in?return=//evil.example/`, member.token);
    await person.page.getByRole('heading', { level: 1, name: 'Zones' }).waitFor();
    expect(new URL(person.page.url()).pathname).toBe('/console/zones');
  });

  it('22.3 creates a zone, collects records, shows the plan, applies it once and undoes it', async () => {
    await person.comeTo('/zones', member.token);
    const name = `walk-${zone.name}`;
    await person.button('New zone').click();
    const dialog = person.dialog('New zone');
    await dialog.getByLabel('Name').fill(name.slice(0, -1));
    await dialog.getByLabel('Email').fill('hostmaster@example.org');
    await dialog.getByRole('button', { name: 'Create zone' }).click();
    await person.page.getByRole('heading', { level: 1, name }).waitFor();

    const faulty = await person.fillRecord('A', { Name: 'www', Address: '192.0.2.256' });
    await faulty.getByRole('button', { name: 'Add to changes' }).click();
    const address = faulty.getByLabel('Address');
    await expectSoon(() => address.getAttribute('aria-invalid'), 'true');
    await address.fill('192.0.2.1');
    await faulty.getByRole('button', { name: 'Add to changes' }).click();
    await faulty.waitFor({ state: 'hidden' });
    await person.addRecord('MX', { Name: '@', Exchange: `www.${name}`, Preference: '10' });
    await person.addRecord('TXT', { Name: '@', Text: 'say "hello"; \\ and more', TTL: '300' });
    await person.records.getByRole('row').filter({ hasText: 'New' }).nth(2).waitFor();
    expect(await bodyOf(member.call('get', `/v1/domains?name=${name}&details=true`))).toMatchObject({
      domains: [{ record_count: 0 }],
    });

    await person.page.reload();
    await person.review();
    const planned = person.plan.getByRole('row').filter({ hasText: /^Create/ });
    await planned.first().waitFor();
    expect(await planned.count()).toBe(3);
    await person.apply();
    await person.records.getByRole('row').filter({ hasText: 'say' }).waitFor();
    await person.page.getByRole('region', { name: 'Pending changes' }).waitFor({ state: 'hidden' });

    await person.button('Undo').click();
    await person.plan
      .getByRole('row')
      .filter({ hasText: /^Delete/ })
      .nth(2)
      .waitFor();
    await person
      .dialog('Plan')
      .getByLabel(/to confirm$/)
      .fill(name);
    await person.apply();
    await person.page.getByText('This zone has no records yet').waitFor();
  });

  it('22.3 shows the message of a change, and undoes that change alone, with the earlier ids', async () => {
    const { id } = await zone.newRecord();
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    await person.button('Delete www A').click();
    await person.review();
    const plan = person.dialog('Plan');
    await plan.getByText(/0 of [\d,]+ records after/).waitFor();
    await plan.getByLabel('Message').fill('Not needed any more');
    await person.apply();
    await zone.newRecord({ name: zone.at('later'), data: '192.0.2.8' });
    await person.button('Undo').click();
    await person.plan
      .getByRole('row')
      .filter({ hasText: /^Create/ })
      .waitFor();
    await person.apply();
    expect(await stored()).toEqual([`${zone.at('later')} - A 192.0.2.8`, `${zone.at('www')} - A 192.0.2.3`]);
    expect(await bodyOf(member.call('get', `/v1/domains/${zone.id}/records/${id}`))).toMatchObject({ id });
    await person.open(`/zones/${zone.name}/history`);
    const changes = person.page.getByRole('list', { name: 'Changes' }).getByRole('listitem');
    await changes.filter({ hasText: 'Not needed any more' }).waitFor();

    await chooseFor(changes.filter({ hasText: 'Not needed any more' }), 'Undo this change');
    await plan.getByRole('alert').filter({ hasText: 'changed since' }).waitFor();
    expect(await plan.getByRole('button', { name: 'Apply', exact: true }).isDisabled()).toBe(true);
  });

  it('22.3 changes and deletes records in place, and drops changes that cancel out', async () => {
    await zone.newRecord();
    await zone.newRecord({ name: zone.at('mail'), data: '192.0.2.9', ttl: 600 });
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    await person.button('Edit www A').click();
    const form = person.dialog('Edit record');
    await form.getByLabel('TTL').fill('60');
    await form.getByRole('button', { name: 'Add to changes' }).click();
    await person.button('Delete mail A').click();
    await person.button('Undo delete of mail A').click();
    await person.button('Delete mail A').click();
    const pending = person.page.getByRole('region', { name: 'Pending changes' });
    await pending.getByText('2 changes').waitFor();
    await person.button('Edit www A').click();
    await form.getByLabel('TTL').fill('');
    await form.getByRole('button', { name: 'Add to changes' }).click();
    await pending.getByText('1 change').waitFor();
    await person.review();
    await person.apply();
    expect(await stored()).toEqual([`${zone.at('www')} - A 192.0.2.3`]);
  });

  it('22.4 shows changes by others, plans again, and overwrites nothing', async () => {
    const { id } = await zone.newRecord();
    const other = await zone.newRecord({ name: zone.at('old'), data: '192.0.2.4' });
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    await person.button('Edit www A').click();
    await person.dialog('Edit record').getByLabel('Address').fill('192.0.2.77');
    await person.dialog('Edit record').getByRole('button', { name: 'Add to changes' }).click();
    await person.button('Edit old A').click();
    await person.dialog('Edit record').getByLabel('TTL').fill('77');
    await person.dialog('Edit record').getByRole('button', { name: 'Add to changes' }).click();
    await bodyOf(member.call('put', `/v1/domains/${zone.id}/records/${id}`, { ttl: 1234 }));
    await member.call('delete', `/v1/domains/${zone.id}/records/${other.id}`);

    await person.review();
    const plan = person.dialog('Plan');
    await plan.getByRole('alert').filter({ hasText: 'changed' }).waitFor();
    await plan.getByRole('button', { name: 'Refresh plan' }).click();
    const gone = person.plan.getByRole('row').filter({ hasText: 'old' });
    await gone.getByText('Someone else deleted this record').waitFor();
    expect(await plan.getByRole('button', { name: 'Apply', exact: true }).isDisabled()).toBe(true);
    await gone.getByRole('button', { name: 'Recreate' }).click();
    await person.plan
      .getByRole('row')
      .filter({ hasText: /^Create/ })
      .waitFor();
    await person.apply();
    expect(await stored()).toEqual([`${zone.at('old')} 77 A 192.0.2.4`, `${zone.at('www')} 1234 A 192.0.2.77`]);
  });

  it('22.3 has the errors of the service at their rows, from where they are removed', async () => {
    await zone.newRecord();
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    await person.addRecord('CNAME', { Name: 'www', Target: 'web.example.net.' });
    await person.addRecord('A', { Name: 'fine', Address: '192.0.2.5' });
    await person.review();
    const row = person.plan.getByRole('row').filter({ hasText: 'CNAME' });
    await row.locator('.error').waitFor();
    const plan = person.dialog('Plan');
    expect(await plan.getByRole('button', { name: 'Apply', exact: true }).isDisabled()).toBe(true);
    await row.getByRole('button', { name: /^Remove/ }).click();
    await person.apply();
    expect(await stored()).toEqual([`${zone.at('fine')} - A 192.0.2.5`, `${zone.at('www')} - A 192.0.2.3`]);
  });

  it('22.12 shows refusals in console words, or else in those of the service', async () => {
    await zone.newRecord();
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    const form = await person.fillRecord('A', { Name: 'low', Address: '192.0.2.5', TTL: '0' });
    await form.getByRole('button', { name: 'Add to changes' }).click();
    await form.getByText('The TTL has to be 1 or more.').waitFor();
    await form.getByLabel('TTL').fill('60');
    await form.getByLabel('Address').fill('192.0.2.300');
    await form.getByRole('button', { name: 'Add to changes' }).click();
    await until(async () => (await form.getByLabel('Address').getAttribute('aria-invalid')) === 'true');
    await form.getByLabel('Address').fill('192.0.2.5');
    await form.getByRole('button', { name: 'Add to changes' }).click();
    await person.addRecord('CNAME', { Name: 'www', Target: 'web.example.net.' });
    await person.review();
    const row = person.plan.getByRole('row').filter({ hasText: 'web.example.net.' });
    await row.getByText(`${zone.at('www')} already has an A record, so it cannot also be a CNAME.`).waitFor();
    await person.dialog('Plan').getByRole('button', { name: 'Back' }).click();

    await person.page.route('**/changes?dry_run=true*', (route) => {
      const said = { reason: 'of_tomorrow', params: { name: '<b>' }, message: 'Not <b>today</b>.' };
      return route.fulfill({ status: 400, json: { code: 400, type: 'bad_request', request_id: '', ...said } });
    });
    await person.review();
    await person.dialog('Plan').getByRole('alert').filter({ hasText: 'Not <b>today</b>.' }).waitFor();
  });

  it('22.3 sends the same request until it is answered, and it is carried out once', async () => {
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    await person.addRecord('A', { Name: 'once', Address: '192.0.2.6' });
    await person.review();
    const keys: string[] = [];
    await person.page.route('**/changes', async (route) => {
      keys.push((await route.request().headerValue('Idempotency-Key')) ?? '');
      if (keys.length > 1) return route.continue();
      await route.fetch();
      return route.abort('connectionreset');
    });
    await person.dialog('Plan').getByRole('button', { name: 'Apply', exact: true }).click();
    await person.button('Retrying…').waitFor();
    await person.status.filter({ hasText: /applied/i }).waitFor();
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(await stored()).toEqual([`${zone.at('once')} - A 192.0.2.6`]);
  });

  it('22.1 loses no word when the session ends in the middle', async () => {
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    await person.addRecord('A', { Name: 'kept', Address: '192.0.2.7' });
    const form = await person.fillRecord('TXT', { Name: 'typed', Text: 'not lost' });
    await person.context.clearCookies();
    await form.getByRole('button', { name: 'Add to changes' }).click();
    await person.dialog('Sign in').waitFor();
    await person.signIn(member.token);
    await person.dialog('Sign in').waitFor({ state: 'hidden' });
    expect(await form.getByLabel('Text').inputValue()).toBe('not lost');
    await form.getByRole('button', { name: 'Add to changes' }).click();
    await person.review();
    await person.apply();
    expect(await stored()).toEqual([`${zone.at('kept')} - A 192.0.2.7`, `${zone.at('typed')} - TXT "not lost"`]);
  });

  it('22.5 shows the author of each change, and undoes one change', async () => {
    await zone.newRecord();
    await zone.newRecord({ name: zone.at('second'), data: '192.0.2.8' });
    await person.comeTo(`/zones/${zone.name}/history`, member.token);
    const changes = person.page.getByRole('list', { name: 'Changes' }).getByRole('listitem');
    await changes.nth(2).waitFor();
    expect(await changes.count()).toBe(3);
    const first = changes.filter({ hasText: '1 record' }).nth(1);
    await first.getByRole('button', { name: /^Show serial/ }).click();
    await first.getByRole('row').filter({ hasText: '192.0.2.3' }).waitFor();
    await chooseFor(first, 'Undo this change');
    await person.plan
      .getByRole('row')
      .filter({ hasText: /^Delete/ })
      .waitFor();
    await person.apply();
    expect(await stored()).toEqual([`${zone.at('second')} - A 192.0.2.8`]);

    await changes.nth(3).waitFor();
    await chooseFor(changes.nth(1), 'Restore this state');
    await person.plan
      .getByRole('row')
      .filter({ hasText: /^Create/ })
      .waitFor();
    await person.apply();
    expect(await stored()).toEqual([`${zone.at('second')} - A 192.0.2.8`, `${zone.at('www')} - A 192.0.2.3`]);
  });

  it('22.2 shows zone data of any kind as text', async () => {
    for (const [index, text] of HOSTILE.entries())
      await zone.newRecord({
        name: zone.at(`t${index}`),
        type: 'TXT',
        data: `"${text.replace(/["\\]/g, '\\$&').replace(/[^ -~]/gu, '?')}"`,
        description: text,
      });
    const dialogs: string[] = [];
    person.page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    await person.records.getByRole('row').filter({ hasText: 'U+202E' }).waitFor();
    await person.button('Edit t0 TXT').click();
    await person.dialog('Edit record').getByLabel('Comment').fill(HOSTILE.slice(0, 3).join(''));
    await person.dialog('Edit record').getByRole('button', { name: 'Add to changes' }).click();
    await person.review();
    await person.plan
      .getByRole('row')
      .filter({ hasText: /^Update/ })
      .waitFor();
    await person.apply();
    await person.open(`/zones/${zone.name}/history`);
    await person
      .button(/^Show serial/)
      .first()
      .click();
    await person.page.getByRole('row').filter({ hasText: 'onerror' }).first().waitFor();
    for (const text of HOSTILE) {
      await person.open(`/zones?q=${encodeURIComponent(text)}#${encodeURIComponent(text)}`);
      await person.page.getByText('No results for').waitFor();
      await person.open(`/zones/${encodeURIComponent(text)}/records`);
      await person.page.getByText('does not exist, or you do not have access to it').waitFor();
    }
    for (const page of ['constructor', '__proto__', 'records/constructor/x']) {
      await person.open(`/zones/${zone.name}/${page}`);
      await person.page.getByText('Page not found').waitFor();
    }
    await person.open(`/zones/${zone.name}/records?sort=constructor`);
    await person.records.getByRole('row').nth(1).waitFor();
    expect(dialogs).toEqual([]);
    expect(await person.page.evaluate('Object.prototype.polluted')).toBeUndefined();
  });

  it('22.6 has nothing serious for axe on any screen, in both themes', async () => {
    await zone.newRecord();
    await zone.newRecord({
      name: zone.at('mx'),
      type: 'MX',
      data: 'mail.example.net.',
      priority: 5,
      description: 'note',
    });
    await person.open('/sign-in');
    await person.page.getByLabel('Token').waitFor();
    const faults = { signIn: await person.seriousFaultsInBothThemes() } as Record<string, string[]>;
    await person.signIn(member.token);
    await person.page.getByRole('table', { name: 'Zones' }).waitFor();
    faults.zones = await person.seriousFaultsInBothThemes();
    await person.open(`/zones/${zone.name}/records`);
    await person.records.getByRole('row').nth(2).waitFor();
    await person.fillRecord('SSHFP', { Name: 'host' });
    faults.form = await person.seriousFaultsInBothThemes();
    await person.page.keyboard.press('Escape');
    await person.addRecord('A', { Name: 'new', Address: '192.0.2.1' });
    await person.button('Delete www A').click();
    faults.records = await person.seriousFaultsInBothThemes();
    await person.review();
    await person.plan.waitFor();
    faults.plan = await person.seriousFaultsInBothThemes();
    await person.page.keyboard.press('Escape');
    for (const page of ['changes', 'health', 'settings']) {
      await person.page
        .getByRole('navigation', { name: 'Zone' })
        .getByRole('link', { name: page, exact: false })
        .click();
      await person.page.getByRole('heading', { level: 2 }).waitFor();
      faults[page] = await person.seriousFaultsInBothThemes();
    }
    await person.open(`/zones/${zone.name}/import`);
    await person.page.getByRole('heading', { level: 2, name: 'Import' }).waitFor();
    faults.import = await person.seriousFaultsInBothThemes();
    expect(faults).toEqual(Object.fromEntries(Object.keys(faults).map((screen) => [screen, []])));
  });

  it('22.6 fits a narrow screen, and is usable by the keyboard alone', async () => {
    for (const label of ['a', 'b', 'c']) await zone.newRecord({ name: zone.at(label) });
    await person.leave();
    person = await Person.at(browser, service.url, 320);
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    await person.records.getByRole('row').nth(2).waitFor();
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await person.page.evaluate<number>(overflow)).toBe(0);
    await person.page.setViewportSize({ width: 1280, height: 900 });
    await person.records.getByRole('row').nth(1).focus();
    await person.page.keyboard.press('ArrowDown');
    await person.page.keyboard.press('Enter');
    const form = person.dialog('Edit record');
    await form.waitFor();
    expect(await form.getByLabel('Name').inputValue()).toBe('b');
    await person.page.keyboard.press('Escape');
    await form.waitFor({ state: 'hidden' });
    await person.page.keyboard.press('Delete');
    await person.page.keyboard.press('r');
    await person.plan
      .getByRole('row')
      .filter({ hasText: /^Delete/ })
      .waitFor();
    await person.page.keyboard.press('Escape');
    await person.plan.waitFor({ state: 'hidden' });
    await person.page.keyboard.press('r');
    await person.dialog('Plan').getByRole('button', { name: 'Apply', exact: true, disabled: false }).waitFor();
    await person.page.keyboard.press('Control+Enter');
    await person.status.filter({ hasText: /applied/i }).waitFor();
    expect(await stored()).toHaveLength(2);
    await person.page.keyboard.press('?');
    await person.dialog('Keyboard shortcuts').waitFor();
  });

  it('22.6 shows focus, selection, states and faults where the system forces its colours', async () => {
    for (const label of ['a', 'b', 'c', 'd']) await zone.newRecord({ name: zone.at(label) });
    const { page } = person;
    await page.emulateMedia({ forcedColors: 'active' });
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    const row = (name: string) => person.records.getByRole('row').filter({ hasText: new RegExp(`^${name}A`) });
    const look = (found: Locator): Promise<Look> => found.evaluate(lookOf);
    await page.getByRole('checkbox', { name: 'Select b A' }).check();
    const plain = await look(row('a'));
    const chosen = await look(row('b'));
    expect(chosen.edge).not.toBe(plain.edge);
    expect(plain.edge).toBe(plain.ground);
    await row('c').focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    const focused = await look(row('c'));
    expect(focused).toMatchObject({ outline: '3px solid' });
    expect(focused.outlineColor).not.toBe(focused.ground);
    await person.button('Delete d A').click();
    const badge = await look(row('d').locator('.badge'));
    expect(badge.edge).not.toBe(badge.ground);
    expect(badge.edgeWidth).toBe('1px');
    const tab = (name: string) => page.getByRole('navigation', { name: 'Zone' }).getByRole('link', { name });
    expect((await look(tab('Records'))).foot).not.toBe((await look(tab('Health'))).foot);

    await page.getByRole('button', { name: /^Account/ }).press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.locator('[role^=menuitem][data-focused]').waitFor();
    const items = await page.locator('[role^=menuitem]').all();
    const grounds = await Promise.all(items.map(async (item) => (await look(item)).ground));
    expect(new Set(grounds).size).toBe(2);
    await page.keyboard.press('Escape');
    expect(await person.seriousFaults()).toEqual([]);
  });

  it('22.2 shows a large zone at the scroll position, and finds a record in it', async () => {
    const lines = Array.from({ length: 3000 }, (_, n) => `h${String(n).padStart(5, '0')} IN A 192.0.2.${n % 250}`);
    const file = `$ORIGIN ${zone.name}\n$TTL 300\n${lines.join('\n')}\n`;
    await bodyOf(
      service
        .plain('post', `/v1/domains/${zone.id}/import`)
        .set('X-Auth-Token', member.token)
        .set('Content-Type', 'text/dns')
        .send(file),
    );
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    await person.records.getByRole('row').filter({ hasText: 'h00000' }).waitFor();
    expect(await person.records.getAttribute('aria-rowcount')).toBe('3001');
    await person.records.getByRole('row').nth(1).focus();
    await person.page.keyboard.press('End');
    await person.records.getByRole('row').filter({ hasText: 'h02999' }).waitFor();
    expect(await person.page.evaluate<number>('document.querySelectorAll("*").length')).toBeLessThan(5000);
    await person.page.getByRole('searchbox', { name: 'Search records' }).fill('h01234');
    await person.records.getByRole('row').filter({ hasText: 'h01234' }).waitFor();
    await expectSoon(() => person.records.getAttribute('aria-rowcount'), '2');
    await person.page.reload();
    await person.records.getByRole('row').filter({ hasText: 'h01234' }).waitFor();
  });
});

interface Look {
  readonly ground: string;
  readonly edge: string;
  readonly edgeWidth: string;
  readonly foot: string;
  readonly outline: string;
  readonly outlineColor: string;
}

/** Globals of the page; the tests have no types for them. */
interface InPage {
  readonly document: { readonly documentElement: unknown };
  getComputedStyle(element: unknown): Readonly<Record<string, string>>;
}

/**
 * Runs in the page: the visible appearance of an element without its text. A transparent background inherits that of
 * the page.
 */
function lookOf(element: unknown): Look {
  const { document, getComputedStyle: styleOf } = globalThis as unknown as InPage;
  const style = styleOf(element);
  const own = style.backgroundColor ?? '';
  return {
    ground: own.endsWith(', 0)') ? (styleOf(document.documentElement).backgroundColor ?? '') : own,
    edge: style.borderInlineStartColor ?? '',
    edgeWidth: style.borderInlineStartWidth ?? '',
    foot: style.borderBlockEndColor ?? '',
    outline: `${style.outlineWidth ?? ''} ${style.outlineStyle ?? ''}`,
    outlineColor: style.outlineColor ?? '',
  };
}

async function expectSoon<T>(read: () => Promise<T>, expected: T): Promise<void> {
  await until(async () => (await read()) === expected);
}
