import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, Locator, Route } from 'playwright-core';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { Person } from './person.js';
import { expectQuietLeave } from './walks.js';

const SCREEN = /\/console\/assets\/quotas-page-[^/]+\.js$/;
const PAGE = /\/console\/$/;

describeWithBrowser('the files of the console', () => {
  let service: TokenService;
  let member: TokenClient;
  let browser: Browser;
  let person: Person;
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
    person = await Person.at(browser, service.url);
    await person.comeTo('/zones', member.token);
    await person.page.getByText('No zones yet').waitFor();
  });
  afterEach(() => expectQuietLeave(person));

  const heading = (): Locator => person.page.getByRole('heading', { level: 1, name: 'Usage' });
  const openUsage = (): Promise<void> =>
    person.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Usage' }).click();

  it('22.6 loads a screen when it is opened, and offers Retry if that fails', async () => {
    await person.page.route(SCREEN, (route) => route.abort());
    await openUsage();
    const alert = person.page.getByRole('alert');
    await alert.getByText('This part of the page could not be loaded.').waitFor();
    const faults = await person.seriousFaultsInBothThemes();
    await person.page.unroute(SCREEN);
    await alert.getByRole('button', { name: 'Retry' }).click();
    await heading().waitFor();
    expect(faults).toEqual([]);
  });

  it('22.6 reloads once if the service has a newer version of the page', async () => {
    let loads = 0;
    person.page.on('load', () => (loads += 1));
    await person.page.route(SCREEN, (route) => route.fulfill({ status: 404 }));
    await person.page.route(PAGE, withOtherScript);
    await openUsage();
    const alert = person.page.getByRole('alert');
    await alert.getByText('Zonewright was updated. Reload the page to continue.').waitFor();
    expect(loads).toBe(1);
    await person.page.unroute(SCREEN);
    await person.page.unroute(PAGE);
    await alert.getByRole('button', { name: 'Reload page' }).click();
    await heading().waitFor();
    expect(loads).toBe(2);
  });
});

/** The page of a later version, whose script has another name. */
async function withOtherScript(route: Route): Promise<void> {
  const response = await route.fetch();
  const page = await response.text();
  await route.fulfill({ response, body: page.replace(/assets\/index-[^"]+\.js/, 'assets/index-later.js') });
}
