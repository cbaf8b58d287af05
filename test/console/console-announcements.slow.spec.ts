import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { expectSaid } from './announcements.js';
import { Person } from './person.js';
import { expectQuietLeave } from './walks.js';

describeWithBrowser('the announcements of the console', () => {
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
    await newDomain(member);
    for (const n of [1, 2, 3]) await zone.newRecord({ name: zone.at(`h${n}`), data: `192.0.2.${n}` });
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });
  beforeEach(async () => {
    person = await Person.at(browser, service.url, 1280, { permissions: ['clipboard-read', 'clipboard-write'] });
  });
  afterEach(() => expectQuietLeave(person));

  const search = (text: string) => () => person.page.getByRole('searchbox').first().fill(text);
  const row = (data: string) => person.records.getByRole('row').filter({ hasText: data });

  it('22.6 says the number of results, also if it is the same again', async () => {
    await person.comeTo('/zones', member.token);
    await person.page.getByRole('link', { name: zone.name, exact: true }).waitFor();
    await expectSaid(person, search(zone.name), /^1 zone$/);
    await expectSaid(person, search(zone.name.slice(0, -1)), /^1 zone$/);
    await expectSaid(person, search('nothing-has-this'), /^0 zones$/);

    await person.open(`/zones/${zone.name}/records`);
    await row('192.0.2.3').waitFor();
    await expectSaid(person, search('h1'), /^1 record$/);
    await expectSaid(person, search('h2'), /^1 record$/);
    await expectSaid(person, search('h'), /^3 records$/);
    await expectSaid(person, search('nothing-has-this'), /^0 records$/);

    await person.open('/search');
    await expectSaid(person, search('192.0.2.'), /^3 records found/);
    await expectSaid(person, search('192.0.2.1'), /^1 record found/);
  });

  it('22.6 says the numbers of a plan, its result and its failure', async () => {
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    await row('192.0.2.3').waitFor();
    await person.addRecord('A', { Name: 'new', Address: '192.0.2.9' });
    // The dialog is there before the plan.
    await person.page.route(/dry_run/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.continue().catch(() => undefined);
    });
    await expectSaid(person, () => person.review(), /^1 to create/);
    await person.page.keyboard.press('Escape');
    await person.dialog('Plan').waitFor({ state: 'hidden' });
    await row('192.0.2.3').focus();
    await person.page.keyboard.press('Delete');
    await expectSaid(person, () => person.review(), /1 to create.*1 to delete/);

    await person.page.unroute(/dry_run/);
    const apply = () =>
      person
        .dialog('Plan')
        .getByRole('button', { name: /^(Apply|Try again|Retry)$/ })
        .click();
    const CHANGES = /\/v1\/domains\/[^/]+\/changes$/;
    await person.page.route(CHANGES, (route) =>
      route.fulfill({ status: 500, json: { code: 500, type: 'test_error', message: 'It is broken' } }),
    );
    await expectSaid(person, apply, /It is broken/);
    expect(await person.dialog('Plan').getByRole('alert').count()).toBe(1);
    await person.page.unroute(CHANGES);
    await expectSaid(person, apply, /applied/i);
  });

  it('22.6 says that something was copied, each time', async () => {
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    for (const name of ['h1', 'h2', 'h2'])
      await expectSaid(
        person,
        () =>
          person
            .button(new RegExp(`^Copy .*${name}`))
            .first()
            .click(),
        /^Copied/,
      );
    await person.open('/tokens?dialog=new&preset=read');
    await person.dialog('New token or key').getByRole('button', { name: 'Create' }).click();
    const copy = () => person.page.getByRole('dialog').getByRole('button', { name: /^Copy/ }).first().click();
    await person.page.getByRole('dialog').getByRole('button', { name: /^Copy/ }).first().waitFor();
    await expectSaid(person, copy, /^Copied/);
    await expectSaid(person, copy, /^Copied/);
  });

  it('22.6 says that the session has expired, and that the user is signed out', async () => {
    await person.comeTo('/zones', member.token);
    await person.page.getByRole('link', { name: zone.name, exact: true }).waitFor();
    await person.context.clearCookies();
    await expectSaid(person, search('expired'), /^Your session expired/);
    await person.signIn(member.token);
    await person.dialog('Sign in').waitFor({ state: 'hidden' });
    await person.button('Account').click();
    await expectSaid(person, () => person.page.getByRole('menuitem', { name: 'Sign out' }).click(), /^Signed out/);
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);
  });

  it('22.12 says and shows the error of the history once', async () => {
    const READS = /\/v1\/domains\/[^/]+\/(changes|history|publication|check)/;
    const alerts = person.page.getByRole('alert');
    const change = person.page.getByRole('list', { name: 'Changes' }).getByRole('listitem').first();
    const openHistory = () =>
      person.page.getByRole('navigation', { name: 'Zone' }).getByRole('link', { name: 'Changes' }).click();
    const fail = (status: number): Promise<unknown> =>
      person.page.route(READS, (route) =>
        route.fulfill({ status, json: { code: status, type: 'test_error', message: 'It is broken' } }),
      );
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    await row('192.0.2.1').waitFor();

    await fail(500);
    await expectSaid(person, openHistory, /It is broken/);
    await person.page.waitForLoadState('networkidle');
    expect(await alerts.count()).toBe(1);
    await person.page.unroute(READS);
    await alerts.getByRole('button', { name: 'Retry' }).click();
    await change.waitFor();
    expect(await alerts.count()).toBe(0);

    // A read that goes on by itself.
    await fail(503);
    await person.open(`/zones/${zone.name}/history`);
    await alerts.first().waitFor();
    await alerts
      .first()
      .getByText(/Retrying/)
      .waitFor();
    expect(await alerts.count()).toBe(1);
    await person.page.unroute(READS);
    await change.waitFor();
    expect(await alerts.count()).toBe(0);
  });
});
