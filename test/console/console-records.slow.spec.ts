import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { answerOf, bodyOf } from '../support/answers.js';
import type { ListedBody } from '../support/bodies.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { until } from '../support/until.js';
import { Person } from './person.js';
import { expectQuietLeave } from './walks.js';

const PHONE = 390;
const KEY = `"v=DKIM1; k=rsa; p=${'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A'.repeat(4)}"`;

describeWithBrowser('the records table of the console', () => {
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
    await person.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  afterEach(() => expectQuietLeave(person));

  const come = async (path = ''): Promise<void> => {
    await person.comeTo(`/zones/${zone.name}/records${path}`, member.token);
    await person.records.getByRole('row').nth(1).waitFor();
  };
  const row = (text: string): Locator => person.records.getByRole('row').filter({ hasText: text });
  const item = (name: string): Locator => person.page.getByRole('menuitem', { name, exact: true });
  const exportCsv = async (): Promise<void> => {
    await person.button('More actions').click();
    await item('Export CSV').click();
  };
  const chip = (name: string): Locator => person.button(`Remove filter ${name}`);
  const query = (): Record<string, string> => Object.fromEntries(new URL(person.page.url()).searchParams);
  const search = (): Locator => person.page.getByRole('searchbox', { name: 'Search records' });
  const copied = (): Promise<string> => person.page.evaluate<string>('navigator.clipboard.readText()');
  const focused = (): Promise<string> =>
    person.page.evaluate<string>(`(({ activeElement: one, body }) =>
      one === body ? 'nothing' : one.getAttribute('aria-rowindex') ?? one.getAttribute('aria-label') ?? one.textContent
    )(document)`);
  const expectFocus = async (wanted: string): Promise<void> => {
    await until(async () => (await focused()) === wanted, 10_000).catch(() => undefined);
    expect(await focused()).toBe(wanted);
  };
  /** The button that opened a dialog, if it is still there, or its row. */
  const expectFocusIn = async (index: string): Promise<void> => {
    const isIn = `document.activeElement.closest('[aria-rowindex="${index}"]') !== null`;
    await until(() => person.page.evaluate<boolean>(isIn), 10_000);
  };
  const opacity = (one: Locator): Promise<string> =>
    one.evaluate((element) => (globalThis as unknown as InPage).getComputedStyle(element).opacity);

  it('22.2 has quiet rows, grouped by name, whose actions are icons and a menu', async () => {
    await zone.import(
      `www 300 A 192.0.2.1\nwww 300 AAAA 2001:db8::1\nmail 3600 MX 10 www\nkey._domainkey TXT ${KEY}\n`,
    );
    await come();
    await person.page.mouse.move(0, 0);
    expect([await opacity(row('192.0.2.1').getByRole('link')), await row('192.0.2.1').innerText()]).toEqual([
      '1',
      expect.stringMatching(/www\s+A\s+5 min\s+192\.0\.2\.1/),
    ]);
    // A name stands once, in the first row of its group.
    const repeated = row('2001:db8::1').locator('.name');
    expect([await opacity(row('192.0.2.1').locator('.name')), await opacity(repeated)]).toEqual(['1', '0']);
    const edit = person.button('Edit www A').first();
    expect(await opacity(edit)).toBe('0');
    await row('2001:db8::1').hover();
    expect([await opacity(repeated), await opacity(person.button('Edit www AAAA'))]).toEqual(['1', '1']);
    expect((await row('192.0.2.1').boundingBox())?.height).toBe(40);

    await person.button('Copy data of www AAAA').click();
    expect(await copied()).toBe('2001:db8::1');
    await person.button('Actions for mail MX').click();
    await item('Copy as zone file line').click();
    await until(async () => (await copied()) === `${zone.at('mail')} 3600 IN MX 10 ${zone.at('www')}`);

    const key = row('v=DKIM1');
    const all = key.getByRole('button', { name: 'Show all data of key._domainkey TXT' });
    await all.click();
    expect(await all.getAttribute('aria-expanded')).toBe('true');
    await until(async () => ((await key.boundingBox())?.height ?? 0) > 60);
    const below = await row('192.0.2.1').boundingBox();
    const high = await key.boundingBox();
    expect(below?.y).toBeGreaterThanOrEqual((high?.y ?? 0) + (high?.height ?? 0) - 1);
    await all.click();
    await until(async () => (await key.boundingBox())?.height === 40);

    await person.button('Actions for www AAAA').click();
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);
    await item('Delete').click();
    await row('2001:db8::1').getByText('Deleted').waitFor();
    await person.button('Actions for www AAAA').click();
    await item('Undo delete').click();
    await row('2001:db8::1').getByText('Deleted').waitFor({ state: 'hidden' });
    await person.button('Actions for www AAAA').click();
    await item('Show earlier versions').click();
    await person.page.getByRole('heading', { level: 2, name: 'www AAAA' }).waitFor();
  });

  it('22.6 shows records as cards on a phone, with one menu for each', async () => {
    await zone.import(`www 300 A 192.0.2.1\nkey._domainkey TXT ${KEY}\n`);
    await person.leave();
    person = await Person.at(browser, service.url, PHONE);
    await come();
    const card = await row('192.0.2.1').boundingBox();
    expect(card?.height).toBeLessThanOrEqual(88);
    const more = person.button('Actions for www A');
    const target = await more.boundingBox();
    expect(Math.min(target?.width ?? 0, target?.height ?? 0)).toBeGreaterThanOrEqual(44);
    expect(await person.page.getByRole('button', { name: 'Edit www A' }).count()).toBe(0);
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await person.page.evaluate<number>(overflow)).toBe(0);
    await person.button('Actions for key._domainkey TXT').click();
    await item('Show all data').click();
    await until(async () => ((await row('v=DKIM1').boundingBox())?.height ?? 0) > 88);
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);
    await more.click();
    await item('Edit').click();
    await person.dialog('Edit record').waitFor();
    await person.page.keyboard.press('Escape');
    await expectFocusIn((await row('192.0.2.1').getAttribute('aria-rowindex')) ?? '');
    // The whole card leads to the record.
    await row('192.0.2.1').click({ position: { x: 150, y: 45 } });
    await person.page.getByRole('heading', { level: 2, name: 'www A' }).waitFor();
  });

  it('22.6 begins its records in the upper third of a phone, below one line of tools', async () => {
    await zone.import('www 300 A 192.0.2.1\nmail 3600 MX 10 www\n');
    await person.leave();
    const phone = { viewport: { width: PHONE, height: 844 }, hasTouch: true, isMobile: true };
    person = await Person.at(browser, service.url, 0, phone);
    await come();
    const fold = person.button('Managed records');
    await fold.waitFor();
    await person.page.getByText(/changed just now/).waitFor();
    const first = (await person.records.getByRole('row').first().boundingBox())?.y ?? Infinity;
    expect(first).toBeLessThanOrEqual(300);
    const tools = [search(), ...['Filter and sort', 'More actions', 'Add record'].map((name) => person.button(name))];
    const boxes = await Promise.all(tools.map((tool) => tool.boundingBox()));
    expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
    for (const box of boxes) expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);

    await fold.tap();
    const managed = person.page.getByRole('table', { name: 'Managed records' });
    await managed.getByRole('row').filter({ hasText: 'SOA' }).waitFor();
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);
    await fold.tap();
    await managed.waitFor({ state: 'hidden' });
    await person.button('Filter and sort').tap();
    await person.page.getByRole('menuitemradio', { name: 'MX (1)' }).tap();
    await row('192.0.2.1').waitFor({ state: 'hidden' });
    expect(query()).toEqual({ type: 'MX' });
    await chip('Type MX').tap();
    await row('192.0.2.1').waitFor();
    await person.button('Filter and sort').tap();
    await person.page.getByRole('menuitemradio', { name: 'Name (Z–A)' }).tap();
    await until(() => Promise.resolve(query().sort === '-name'));
  });

  it('22.2 shows its tools in one row, its head above all rows, and the number of the records below them', async () => {
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    const tools = [
      search(),
      person.page.getByLabel('Filter by type', { exact: true }),
      ...['Display', 'More actions', 'Add record'].map((name) => person.button(name)),
    ];
    for (const width of [1280, 900]) {
      await person.page.setViewportSize({ width, height: 900 });
      const tops = await Promise.all(tools.map(async (tool) => (await tool.boundingBox())?.y));
      expect(new Set(tops).size).toBe(1);
    }
    const managed = person.page.getByRole('table', { name: 'Managed records' });
    await managed.waitFor();
    const [head, rows] = await Promise.all([
      person.records.getByRole('row').first().boundingBox(),
      managed.boundingBox(),
    ]);
    expect((rows?.y ?? 0) - (head?.y ?? 0)).toBeCloseTo(37, 0);
    const total = (text: string): Promise<void> => person.page.getByText(text, { exact: true }).waitFor();
    await person.addRecord('A', { Name: 'new', Address: '192.0.2.9' });
    await total('1 new record');
    await zone.newRecord();
    await person.button('Show').click();
    await total('1 record and 1 new');
    await person.button('Display').click();
    await person.page.getByRole('menuitemradio', { name: 'Newest' }).click();
    await until(() => Promise.resolve(query().sort === '-created'));
  });

  it('22.6 has rows and targets of 44 px on a touch screen', async () => {
    await zone.newRecord();
    const touch = await browser.newContext({ viewport: { width: 1024, height: 768 }, hasTouch: true, isMobile: true });
    try {
      const page = await touch.newPage();
      await page.goto(`${service.url}/console/zones/${zone.name}/records`);
      await page.getByLabel('Token').fill(member.token);
      await page.getByRole('button', { name: 'Sign in', exact: true }).tap();
      const targets = [
        page.getByRole('button', { name: 'Actions for www A' }),
        page.getByRole('grid', { name: 'Records' }).getByRole('link', { name: 'www' }),
      ];
      for (const target of targets) {
        await target.waitFor();
        expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(44);
      }
      expect(await page.getByRole('button', { name: 'Edit www A' }).count()).toBe(0);
      await targets[0]?.tap();
      await page.getByRole('menuitem', { name: 'Duplicate' }).tap();
      await page.getByRole('dialog', { name: 'Add record' }).waitFor();
    } finally {
      await touch.close();
    }
  });

  it('22.2 makes chips of filters in the search text, and keeps them in the address', async () => {
    await zone.import('a 60 A 192.0.2.1\nb 3600 A 192.0.2.10\nneedle 60 MX 10 a\nd 7200 TXT "text"\n');
    await come();
    const names = async (): Promise<string> =>
      (await person.records.getByRole('row').locator('.name').allTextContents()).join();
    await search().pressSequentially('type:A,MX ttl<5m ');
    await until(async () => (await names()) === 'a,needle');
    expect([await search().inputValue(), query()]).toEqual(['', { type: 'A,MX', ttl_below: '300' }]);
    await search().fill('NEEDLE');
    await until(async () => (await names()) === 'needle');
    await person.page.reload();
    await until(async () => (await names()) === 'needle');
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);
    await chip('Type A, MX').click();
    await expectFocus('Search records');
    await search().fill('');
    await chip('TTL below 5 min').click();
    await until(async () => (await names()) === 'a,b,d,needle');

    // Without a blank behind it, a filter counts, but is not a chip yet.
    await search().fill('ttl>1h');
    await until(async () => (await names()) === 'd');
    expect(await chip('TTL above 1 h').count()).toBe(0);
    await person.page.keyboard.press('Enter');
    await chip('TTL above 1 h').waitFor();
    await search().fill('data:192.0.2.1 name:a changed:today ttl:60 ');
    await until(async () => (await names()) === 'a');
    for (const label of ['Data 192.0.2.1', 'Name a', 'Changed today', 'TTL 1 min']) await chip(label).waitFor();
    await person.page.getByRole('group', { name: 'Filters' }).getByRole('button', { name: 'Clear filters' }).click();
    await until(async () => (await names()) === 'a,b,d,needle');
    await search().fill('type:NONE ');
    await person.page.getByText('No matching records').waitFor();
    await person.open(`/zones/${zone.name}/records?type=NONE&ttl_below=x&ttl_above=-1&changed=__proto__`);
    await until(async () => (await names()) === 'a,b,d,needle');
  });

  it('22.2 finds new records by the same filters, with the TTL of the zone', async () => {
    await zone.import('a 60 A 192.0.2.1\n');
    await person.comeTo(`/zones/${zone.name}/records?ttl_above=1800&changed=7d`, member.token);
    await person.page.getByText('No matching records').waitFor();
    await person.addRecord('A', { Name: 'inherits', Address: '192.0.2.2' });
    await row('inherits').getByText('New').waitFor();
    await person.addRecord('A', { Name: 'short', Address: '192.0.2.3', TTL: '60' });
    expect(await row('short').count()).toBe(0);
    await chip('TTL above 30 min').click();
    await row('short').waitFor();
  });

  it('22.2 shows a new record where its name belongs', async () => {
    await zone.import(Array.from({ length: 120 }, (_, n) => `h${n} 300 A 192.0.2.${n}`).join('\n'));
    await come();
    await person.addRecord('A', { Name: 'h99x', Address: '192.0.2.200' });
    await row('h99x').getByText('New').waitFor();
    const at = Number(await row('h99x').getAttribute('aria-rowindex'));
    const next = person.records.locator(`[aria-rowindex="${at + 1}"] .name`);
    expect([at, await next.textContent()]).toEqual([102, 'h100']);
    const box = await row('h99x').boundingBox();
    expect(box !== null && box.y > 88 && box.y < 900).toBe(true);
  });

  it('22.2 exports the records that match as a CSV file without formulas', async () => {
    await zone.newRecord({ name: zone.at('a'), data: '192.0.2.1' });
    await zone.newRecord({ name: zone.at('b'), data: '192.0.2.2', ttl: 300 });
    await zone.newRecord({ name: zone.at('mail'), type: 'MX', data: zone.at('a'), priority: 10 });
    const { records } = await bodyOf<{ records: ListedBody[] }>(
      member.call('get', `/v1/domains/${zone.id}/records?name=${zone.at('a')}`),
    );
    const path = `/v1/domains/${zone.id}/records/${records[0]?.id}`;
    await answerOf(member.call('put', path, { description: '=HYPERLINK("x"), "y"' }));
    await come('?type=A');
    const download = person.page.waitForEvent('download');
    await exportCsv();
    const file = await download;
    expect(file.suggestedFilename()).toBe(`${zone.name.slice(0, -1)}.csv`);
    const lines = (await readFile(await file.path(), 'utf8')).split('\r\n');
    expect(lines).toEqual([
      'name,type,ttl,priority,data,description,expires_at,created_at,updated_at,id',
      expect.stringMatching(
        new RegExp(`^${zone.at('a')},A,,,192\\.0\\.2\\.1,"'=HYPERLINK\\(""x""\\), ""y""",,\\d.*,\\d.*,[0-9a-f-]{36}$`),
      ),
      expect.stringMatching(new RegExp(`^${zone.at('b')},A,300,,192\\.0\\.2\\.2,,,\\d.*,,[0-9a-f-]{36}$`)),
      '',
    ]);
    await person.status.filter({ hasText: 'with 2 records was saved' }).waitFor();
  });

  it('22.2 stops a CSV export, and says if the zone changed during it', async () => {
    await zone.import('a A 192.0.2.1\n');
    await come();
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await person.page.route('**/records?*limit=1000*', async (route) => {
      await held;
      await route.continue().catch(() => {});
    });
    await exportCsv();
    await person.button(/^Stop/).click();
    await person.status.filter({ hasText: 'The export was stopped' }).waitFor();
    const download = person.page.waitForEvent('download');
    await exportCsv();
    await zone.newRecord({ name: zone.at('b'), data: '192.0.2.2' });
    release();
    await download;
    await person.status.filter({ hasText: 'the zone changed during the export' }).waitFor();
  });

  it('22.2 keeps the chosen columns for the browser', async () => {
    await zone.newRecord({ ttl: 300, description: 'note' });
    await come();
    const heads = async (): Promise<string> =>
      (await person.records.getByRole('columnheader').allTextContents()).join().replace(' ▲', '');
    expect(await heads()).toBe('Select,Name,Type,TTL,Data,Comment,State,Actions');
    await person.button('Display').click();
    const column = (name: string) => person.page.getByRole('menuitemcheckbox', { name, exact: true });
    await column('TTL').click();
    await column('Changed').click();
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);
    await person.page.keyboard.press('Escape');
    await expectFocus('Display');
    const chosen = 'Select,Name,Type,Data,Comment,Changed,State,Actions';
    await until(async () => (await heads()) === chosen);
    expect(await row('192.0.2.3').getByRole('time').count()).toBe(1);
    await person.page.reload();
    await row('192.0.2.3').waitFor();
    expect(await heads()).toBe(chosen);
    await person.records.getByRole('button', { name: 'Changed' }).click();
    await until(() => Promise.resolve(query().sort === '-updated'));
    await person.page.evaluate('localStorage.setItem("zonewright.columns", "__proto__,ttl,[]")');
    await person.page.reload();
    await row('192.0.2.3').waitFor();
    expect(await heads()).toBe('Select,Name,TTL,Data,State,Actions');
  });

  it('22.6 never loses the focus in the table', async () => {
    await zone.import(Array.from({ length: 500 }, (_, n) => `h${n} 300 A 192.0.2.${n % 250}`).join('\n'));
    await come();
    const { keyboard } = person.page;
    // From a button in a row, not only from the row itself.
    await person.button('Edit h0 A').focus();
    await keyboard.press('PageDown');
    await until(async () => Number(await focused()) > 5);
    await keyboard.press('Control+End');
    await expectFocus('501');
    await row('h499').waitFor();
    await keyboard.press('Control+Home');
    await expectFocus('2');
    await keyboard.press('End');
    await expectFocus('501');

    // The row stays where it is while the page scrolls away, and the keys go on from it.
    await keyboard.press('Home');
    await expectFocus('2');
    await person.page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
    await row('h499').waitFor();
    await expectFocus('2');
    await keyboard.press('ArrowDown');
    await expectFocus('3');

    // Menus and dialogs give it back, and so does a button that disappears.
    await person.button('Actions for h1 A').press('Enter');
    await item('Copy data').waitFor();
    await keyboard.press('Escape');
    await expectFocus('Actions for h1 A');
    await person.button('Actions for h1 A').press('Enter');
    await item('Edit').press('Enter');
    await person.dialog('Edit record').waitFor();
    await keyboard.press('Escape');
    await expectFocusIn('3');
    await person.button('Delete h1 A').press('Enter');
    await expectFocus('3');
    await person.button('Undo delete of h1 A').press('Enter');
    await expectFocus('3');
    await person.page.getByRole('checkbox', { name: 'Select h2 A' }).check();
    await person.button('Delete selected').press('Enter');
    await expectFocus('4');
    await person.button('Discard changes').press('Enter');
    await person.dialog('Discard changes').getByRole('button', { name: 'Discard', exact: true }).press('Enter');
    await until(async () => (await focused()) !== 'nothing');
    expect(await focused()).toBe('4');
  });
});

/** Globals of the page; the tests have no types for them. */
interface InPage {
  getComputedStyle(element: unknown): { readonly opacity: string };
}
