import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { until } from '../support/until.js';
import { Person } from './person.js';
import { expectQuietLeave } from './walks.js';

const PHONE = 390;

/** Visible targets below 24 px, each as its text. Links within text and boxes with a label are exceptions of WCAG 2.5.8. */
const SMALL_TARGETS = `[...document.querySelectorAll('button, select, nav a, input:not([type=checkbox], [type=radio])')]
  .filter((one) => one.checkVisibility() && !one.closest('.visually-hidden'))
  .filter((one) => { const { width, height } = one.getBoundingClientRect(); return width < 24 || height < 24; })
  .map((one) => one.outerHTML.slice(0, 120))`;

describeWithBrowser('the frame of the console', () => {
  let service: TokenService;
  let member: TokenClient;
  let browser: Browser;
  let person: Person;
  let zone: TestDomain;
  beforeAll(async () => {
    service = await startTokenService();
    member = await service.newToken();
    browser = await openBrowser();
    zone = await newDomain(member);
    for (let n = 10; n < 40; n += 1) await zone.newRecord({ name: zone.at(`h${n}`), data: `192.0.2.${n}` });
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });
  afterEach(() => expectQuietLeave(person));

  const nav = (name: string): Locator => person.page.getByRole('navigation', { name, exact: true });
  const heading = (name: string): Promise<void> => person.page.getByRole('heading', { level: 1, name }).waitFor();
  const sideways = (): Promise<number> =>
    person.page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

  it('22.6 leads along the rail, the breadcrumb and the search for zones and pages', async () => {
    person = await Person.at(browser, service.url);
    await person.comeTo(`/zones/${zone.name}/history`, member.token);
    await nav('Breadcrumb').getByText('Changes').waitFor();
    expect(await nav('Main').locator('[aria-current]').allTextContents()).toEqual(['Zones']);
    await nav('Breadcrumb').getByRole('link', { name: zone.name }).click();
    await person.records.getByRole('row').nth(1).waitFor();
    await nav('Main').getByRole('link', { name: 'Usage' }).click();
    await heading('Usage');
    await nav('Breadcrumb').getByText('Usage').waitFor();
    await person.button('Search or jump to…').click();
    await person.dialog('Go to').getByLabel('Zone, page or action').fill('webh');
    await person.page.keyboard.press('Enter');
    await heading('Webhooks');
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);
  });

  it('22.6 opens what was typed, however fast Enter follows, and runs actions by their name', async () => {
    person = await Person.at(browser, service.url);
    await person.comeTo('/usage-of-nobody', member.token);
    const goTo = person.dialog('Go to').getByLabel('Zone, page or action');
    const type = async (text: string): Promise<void> => {
      await person.page.keyboard.press('Control+k');
      await goTo.waitFor();
      await person.page.keyboard.type(text);
      await person.page.keyboard.press('Enter');
      await goTo.waitFor({ state: 'hidden' });
    };
    // The zones of the text are still on their way when Enter is pressed.
    await person.page.route(/\/v1\/domains\?/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      // The page cancels requests for earlier texts.
      await route.continue().catch(() => undefined);
    });
    await type(zone.name);
    await heading(zone.name);
    await person.page.unroute(/\/v1\/domains\?/);
    await type(`changes of ${zone.name}`);
    await person.page.getByRole('heading', { level: 2, name: 'Changes' }).waitFor();
    await type('theme: dark');
    expect(await person.page.evaluate<string>('document.documentElement.dataset.theme')).toBe('dark');
    await type('new zone');
    await person.dialog('New zone').waitFor();
    expect(person.page.url()).toContain('/zones?dialog=new');
    await person.page.reload();
    await person.dialog('New zone').waitFor();
    await person.page.keyboard.press('Escape');
    await person.dialog('New zone').waitFor({ state: 'hidden' });
    expect(person.page.url()).not.toContain('dialog');
  });

  it('22.6 shows the tenant in the rail, the person in the account menu, and the help of the service', async () => {
    person = await Person.at(browser, service.url);
    const anna = await service.newToken({ description: 'Anna' });
    await person.comeTo('/zones', anna.token);
    await nav('Main').getByText('acme', { exact: true }).waitFor();
    expect(await nav('Main').getByRole('button', { name: 'Switch tenant' }).count()).toBe(0);
    await person.button('Account Anna').click();
    await person.page.getByRole('menu').getByText('Tenant acme, member').waitFor();
    expect(await person.page.getByRole('menuitem', { name: 'Switch tenant' }).count()).toBe(0);
    const faults = await person.seriousFaultsInBothThemes();
    await person.page.keyboard.press('Escape');

    await person.button('Help').click();
    const [documents] = await Promise.all([
      person.context.waitForEvent('page'),
      person.page.getByRole('menuitem', { name: 'API documentation' }).click(),
    ]);
    await documents.getByText('/v1/whoami').first().waitFor();
    await documents.close();
    await person.button('Help').click();
    await person.page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
    await person.dialog('Keyboard shortcuts').waitFor();
    expect(faults).toEqual([]);
  });

  it('22.6 has no link to documents that the service does not have', async () => {
    const plain = await startTokenService({ SERVICE_API__DOCS: 'False' });
    person = await Person.at(browser, plain.url);
    await person.comeTo('/zones', (await plain.newToken()).token);
    await person.button('Help').click();
    await person.page.getByRole('menuitem').first().waitFor();
    expect(await person.page.getByRole('menuitem').allTextContents()).toEqual(['Keyboard shortcuts']);
    await plain.stop();
  });

  it('22.10 switches the tenant of an admin in the rail, also to all tenants', async () => {
    const admin = await service.newToken({ tenantId: 'operators', roles: ['admin'] });
    person = await Person.at(browser, service.url);
    await person.comeTo('/zones', admin.token);
    const switcher = nav('Main').getByRole('button', { name: 'Switch tenant' });
    const dialog = person.dialog('Switch tenant');
    expect(await switcher.textContent()).toBe('operators');
    await switcher.click();
    await dialog.getByRole('button', { name: 'acme', exact: true }).click();
    await switcher.filter({ hasText: 'acme' }).waitFor();
    await person.page.getByText('Acting as acme').waitFor();
    await switcher.click();
    await dialog.locator('[aria-current]').filter({ hasText: 'acme' }).waitFor();
    await dialog.getByRole('button', { name: 'All tenants' }).click();
    await switcher.filter({ hasText: 'All tenants' }).waitFor();
    await person.page.reload();
    await switcher.filter({ hasText: 'All tenants' }).waitFor();
    const faults = await person.seriousFaultsInBothThemes();
    await person.button('Exit').click();
    await switcher.filter({ hasText: 'operators' }).waitFor();
    expect(faults).toEqual([]);
  });

  const palette = (): Locator => person.dialog('Go to').getByRole('list', { name: 'Go to' }).getByRole('button');

  it('22.6 offers the zones opened last first, for each tenant, until the sign-out', async () => {
    const other = await newDomain(member);
    const admin = await service.newToken({ tenantId: 'operators', roles: ['admin'] });
    const shown = async (): Promise<string[]> => {
      await person.page.keyboard.press('Control+k');
      await palette().first().waitFor();
      const labels = await palette().locator('.shown-text').allTextContents();
      await person.page.keyboard.press('Escape');
      await person.dialog('Go to').waitFor({ state: 'hidden' });
      return labels.slice(0, 2);
    };
    /** The tabs stand there once the zone is read. */
    const isOpen = async ({ name }: TestDomain): Promise<void> => {
      await heading(name);
      await nav('Zone').waitFor();
    };
    person = await Person.at(browser, service.url);
    const { page } = person;
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    await isOpen(zone);
    await person.open(`/zones/${other.name}/health`);
    await isOpen(other);
    await nav('Main').getByRole('link', { name: 'Usage' }).click();
    await heading('Usage');
    expect(await shown()).toEqual([other.name, zone.name]);
    await page.keyboard.press('Control+k');
    await page.keyboard.type(zone.name.slice(0, -1));
    await page.keyboard.press('Enter');
    await isOpen(zone);
    expect((await shown())[0]).toBe(other.name);

    await person.open('/zones/gone.example./records');
    await page.getByText('does not exist').waitFor();
    await person.button('Account').click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    expect(await page.evaluate<string>('JSON.stringify(localStorage)')).not.toContain(zone.name);
    await person.comeTo('/zones', admin.token);
    expect(await shown()).toEqual(['Zones', 'Changes']);
    await nav('Main').getByRole('button', { name: 'Switch tenant' }).click();
    await person.dialog('Switch tenant').getByRole('button', { name: 'acme', exact: true }).click();
    await page.getByRole('table', { name: 'Zones' }).getByRole('link', { name: zone.name, exact: true }).click();
    await isOpen(zone);
    await nav('Main').getByRole('link', { name: 'Zones', exact: true }).click();
    await heading('Zones');
    expect(await shown()).toEqual([zone.name, 'Zones']);
    await person.button('Exit').click();
    await page.getByText('No zones yet').waitFor();
    expect(await shown()).toEqual(['Zones', 'Changes']);
  });

  it('22.6 opens the form of a zone and the plan of pending changes from the search', async () => {
    person = await Person.at(browser, service.url);
    const { page } = person;
    const target = await newDomain(member);
    await person.comeTo('/quotas', member.token);
    const type = async (text: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await person.dialog('Go to').getByLabel('Zone, page or action').waitFor();
      await page.keyboard.type(text);
    };
    await type(`Add record in ${target.name.slice(0, -1)}`);
    await palette().first().waitFor();
    await page.keyboard.press('Enter');
    const form = person.dialog('Add record');
    await form.getByLabel('Name', { exact: true }).fill('www');
    await form.getByLabel('Address', { exact: true }).fill('192.0.2.7');
    await form.getByRole('button', { name: 'Add to changes' }).click();
    await form.waitFor({ state: 'hidden' });
    expect(page.url()).not.toContain('dialog=');
    await nav('Main').getByRole('link', { name: 'Usage' }).click();
    await heading('Usage');
    await type('review');
    await palette().filter({ hasText: '1 change' }).waitFor();
    const faults = await person.seriousFaultsInBothThemes();
    await page.keyboard.press('Enter');
    await person.dialog('Plan').waitFor();
    await person.plan.getByText('192.0.2.7').waitFor();
    await person.apply();
    await page.keyboard.press('Control+k');
    await palette().first().waitFor();
    expect(await palette().filter({ hasText: 'Review changes' }).count()).toBe(0);
    expect(
      await palette()
        .filter({ hasText: `Add record in ${target.name}` })
        .count(),
    ).toBe(1);
    expect(faults).toEqual([]);
  });

  it('22.1 shows each way to sign in on one card, and the page that follows', async () => {
    person = await Person.at(browser, service.url);
    const { page } = person;
    await page.route('**/console/session', async (route) => {
      const response = await route.fetch();
      const ways = { token: true, keystone: true, oidc: { name: 'Example Login' } };
      await route.fulfill({ response, json: { ...((await response.json()) as object), ways } });
    });
    await person.open(`/zones/${zone.name}/records?q=h10`);
    const card = page.getByRole('main');
    await card.getByRole('heading', { level: 1, name: 'Sign in to Zonewright' }).waitFor();
    await card.getByText(`You continue at /zones/${zone.name}/records`, { exact: true }).waitFor();
    await card.getByText('Ask an admin of your tenant').waitFor();
    expect(await card.getByRole('button').allTextContents()).toEqual([
      'Sign in with Example Login',
      'Sign in',
      'Sign in',
    ]);
    expect(await card.locator('.primary').allTextContents()).toEqual(['Sign in with Example Login']);
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);
    await page.setViewportSize({ width: 320, height: 600 });
    expect(await sideways()).toBe(0);
    await page.unroute('**/console/session');
    await page.reload();
    await person.signIn(member.token);
    await person.records.waitFor();
    expect(page.url()).toContain(`/zones/${zone.name}/records?q=h10`);
  });

  it('22.12 says what to do next at an unknown address, without access and without zones', async () => {
    person = await Person.at(browser, service.url);
    const { page } = person;
    const fresh = { tenantId: 'fresh' };
    await person.comeTo('/nowhere', (await service.newToken(fresh)).token);
    await heading('Page not found');
    await page.getByText('/console/nowhere does not exist').waitFor();
    const faults = await person.seriousFaultsInBothThemes();
    await page.getByRole('link', { name: 'All zones', exact: true }).click();

    await page.getByRole('heading', { level: 2, name: 'No zones yet' }).waitFor();
    expect(await page.getByRole('searchbox').count()).toBe(0);
    faults.push(...(await person.seriousFaultsInBothThemes()));
    await page.getByRole('main').getByRole('button', { name: 'Create a zone' }).click();
    await person.dialog('New zone').waitFor();
    await page.keyboard.press('Escape');

    await nav('Main').getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('heading', { level: 2, name: 'No access' }).waitFor();
    faults.push(...(await person.seriousFaultsInBothThemes()));
    await person.button('Sign in with another token').click();
    await page.getByText('You continue at /audit').waitFor();
    await person.signIn((await service.newToken({ ...fresh, roles: ['reader'] })).token);
    await page.getByText('Only admins can view the audit log').waitFor();
    await nav('Main').getByRole('link', { name: 'Zones', exact: true }).click();
    await page.getByText('Your sign-in cannot create zones').waitFor();
    expect(await person.button('Create a zone').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('22.12 shows a page that the service refuses as one without access', async () => {
    person = await Person.at(browser, service.url);
    await person.page.route(/\/v1\/tokens/, (route) =>
      route.fulfill({
        status: 403,
        json: { error: { type: 'forbidden', message: 'a scoped token cannot list tokens' } },
      }),
    );
    await person.comeTo('/tokens', member.token);
    await person.page.getByRole('heading', { level: 2, name: 'No access' }).waitFor();
    expect(await person.button('Sign in with another token').count()).toBe(1);
    person.noticed.complaints.length = 0;
  });

  it('22.6 has text of 14 px and targets of 24 px', async () => {
    person = await Person.at(browser, service.url);
    await person.comeTo('/zones', member.token);
    await person.page.getByRole('table', { name: 'Zones' }).getByRole('link', { name: zone.name }).waitFor();
    const sizes = await person.page.evaluate<string[]>(
      '[document.documentElement, document.body].map((one) => getComputedStyle(one).fontSize)',
    );
    expect(sizes).toEqual(['16px', '14px']);
    for (const path of ['/zones', `/zones/${zone.name}/records`, `/zones/${zone.name}/history`, '/tokens', '/audit']) {
      await person.open(path);
      await person.button('Account').waitFor();
      expect([path, await person.page.evaluate<string[]>(SMALL_TARGETS)]).toEqual([path, []]);
    }
  });

  it('22.6 has a bar at the bottom of a phone, and a page that scrolls through cards', async () => {
    person = await Person.at(browser, service.url, PHONE);
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    const rows = person.records.getByRole('row');
    await rows.filter({ hasText: '192.0.2.10' }).waitFor();
    const card = await rows.filter({ hasText: '192.0.2.10' }).boundingBox();
    expect(card?.height).toBeLessThanOrEqual(88);
    const actions = await person.button('Actions for h10 A').boundingBox();
    expect(actions?.height).toBeGreaterThanOrEqual(44);
    expect(await sideways()).toBe(0);
    await person.page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
    await rows.filter({ hasText: '192.0.2.39' }).waitFor();
    expect(await person.page.evaluate<number>('window.scrollY')).toBeGreaterThan(1000);
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);

    await nav('Main').getByRole('link', { name: 'Search' }).click();
    await heading('Search');
    await nav('Main').getByRole('button', { name: 'More' }).click();
    await person.page.getByRole('menuitem', { name: 'Tokens and keys' }).click();
    await heading('Tokens and keys');
    expect(await sideways()).toBe(0);
  });

  it('22.6 keeps the focus in the records at their end, after a page down and below the bars', async () => {
    person = await Person.at(browser, service.url);
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    await person.records.getByRole('row').nth(1).focus();
    const focused = () => person.page.evaluate<string>('document.activeElement.getAttribute("aria-rowindex")');
    const keys = [
      ['PageDown', (at: number) => at > 5],
      ['End', (at: number) => at === 31],
      ['Home', (at: number) => at === 2],
    ] as const;
    for (const [key, isThere] of keys) {
      await person.page.keyboard.press(key);
      await until(async () => isThere(Number(await focused())));
    }
    const box = await person.records.getByRole('row').nth(1).boundingBox();
    expect(box?.y).toBeGreaterThan(48);
  });
});
