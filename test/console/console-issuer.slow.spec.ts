import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { OidcIssuer } from '../support/oidc-issuer.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { Person } from './person.js';
import { chooseFor, recordsOf } from './walks.js';

describeWithBrowser('a sign-in at the issuer after the session has ended', () => {
  let issuer: OidcIssuer;
  let service: TokenService;
  let member: TokenClient;
  let browser: Browser;
  let person: Person;
  let zone: TestDomain;
  beforeAll(async () => {
    issuer = await OidcIssuer.start();
    service = await startTokenService({
      ...issuer.settings,
      SERVICE_API__AUTH_STRATEGY: 'token,jwt',
      ...(await issuer.register('http://127.0.0.1/')),
      CONSOLE__OIDC_NAME: 'Example Login',
    });
    await issuer.register(`${service.url}/console/oidc/callback`);
    member = await service.newToken({ tenantId: 'demo' });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
    await issuer.stop();
  });
  beforeEach(async () => {
    zone = await newDomain(member);
    person = await Person.at(browser, service.url);
  });
  afterEach(async () => {
    const { complaints, foreign } = person.noticed;
    await person.leave();
    expect(foreign.filter((url) => !url.startsWith(issuer.url))).toEqual([]);
    expect(complaints.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
  });

  const signIn = (): Promise<void> => person.button('Sign in with Example Login').click();
  const comeTo = async (path: string): Promise<void> => {
    await person.open(path);
    await signIn();
    await person.button('Account').waitFor();
  };
  /** The cookies of the issuer stay: it signs in without a question. */
  const endSession = (): Promise<void> => person.context.clearCookies({ name: 'zw_session' });
  const address = (): string => person.page.url().slice(`${service.url}/console`.length);
  const planned = (action: RegExp) => person.plan.getByRole('row').filter({ hasText: action });
  const applyButton = () => person.dialog('Plan').getByRole('button', { name: 'Apply', exact: true });

  it('22.1 has the page, the pending changes and the plan again', async () => {
    const path = `/zones/${zone.name}/records?q=kept&type=A&sort=-name`;
    await comeTo(path);
    expect(address()).toBe(path);
    await person.addRecord('A', { Name: 'kept', Address: '192.0.2.7' });

    // While the plan is tried.
    await endSession();
    await person.review();
    await person.dialog('Sign in').waitFor();
    await signIn();
    await planned(/^Create/).waitFor();
    expect(address()).toBe(path);

    // While it is applied: the service has refused that, so the user decides again.
    await person.dialog('Plan').getByLabel('Message').fill('New web server');
    await endSession();
    await applyButton().click();
    await person.dialog('Sign in').waitFor();
    await signIn();
    await planned(/^Create/).waitFor();
    expect(address()).toBe(path);
    expect(await recordsOf(member, zone.id)).toEqual([]);
    expect(await person.dialog('Plan').getByLabel('Message').inputValue()).toBe('New web server');
    await person.apply();
    expect(await recordsOf(member, zone.id)).toEqual([`${zone.at('kept')} - A 192.0.2.7`]);
    await person.page.getByRole('region', { name: 'Pending changes' }).waitFor({ state: 'hidden' });
    await person.page.reload();
    await person.records.getByRole('row').filter({ hasText: '192.0.2.7' }).waitFor();
    expect(await person.dialog('Plan').count()).toBe(0);
    expect(await person.page.evaluate<string>('Object.keys(sessionStorage).join()')).not.toContain('pending');
  });

  it('22.1 asks before it leaves changes that the tab has no room for', async () => {
    await comeTo(`/zones/${zone.name}/records`);
    await person.page.evaluate(`for (let size = 2 ** 22; size >= 1; size /= 2)
      for (let n = 0; n < 3; n += 1) try { sessionStorage.setItem(size + ' ' + n, 'x'.repeat(size)); } catch {}`);
    const text = 'x'.repeat(200);
    await person.addRecord('TXT', { Name: 'kept', Text: text });
    const tray = person.page.getByRole('region', { name: 'Pending changes' });
    await tray.getByText(/Too many changes/).waitFor();
    await endSession();
    await person.review();
    await person.dialog('Sign in').waitFor();
    const asked = person.page.waitForEvent('dialog');
    const leaving = signIn();
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    await leaving;
    await tray.getByText(/Too many changes/).waitFor();
    await person.page.getByLabel('Token').fill(member.token);
    await person.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await planned(/^Create/).waitFor();
    await person.apply();
    expect(await recordsOf(member, zone.id)).toEqual([`${zone.at('kept')} - TXT "${text}"`]);
  });

  it('22.1 has the plans of an undo and an import, and the form of a record again', async () => {
    await zone.newRecord({ name: zone.at('www'), data: '192.0.2.1' });
    await comeTo(`/zones/${zone.name}/history`);
    const change = person.page.getByRole('list', { name: 'Changes' }).getByRole('listitem').first();
    await change.waitFor();
    await endSession();
    await chooseFor(change, 'Undo this change');
    await person.dialog('Sign in').waitFor();
    await signIn();
    await planned(/^Delete/).waitFor();
    await person.page.keyboard.press('Escape');
    await person.dialog('Plan').waitFor({ state: 'hidden' });
    expect(address()).toBe(`/zones/${zone.name}/history`);

    await person.open(`/zones/${zone.name}/records`);
    const form = await person.fillRecord('TXT', { Name: 'typed', Text: 'not lost' });
    await endSession();
    await form.getByRole('button', { name: 'Add to changes' }).click();
    await person.dialog('Sign in').waitFor();
    await signIn();
    await form.getByLabel('Text', { exact: true }).waitFor();
    expect(await form.getByLabel('Text', { exact: true }).inputValue()).toBe('not lost');
    expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('typed');
    await form.getByRole('button', { name: 'Add to changes' }).click();
    await form.waitFor({ state: 'hidden' });
    await person.review();
    await person.apply();
    expect(await recordsOf(member, zone.id)).toContain(`${zone.at('typed')} - TXT "not lost"`);
    const text = person.page.getByLabel('Or paste zone file text');
    await person.open(`/zones/${zone.name}/import`);
    await text.fill('ftp 300 A 192.0.2.21\n');
    await endSession();
    await person.button('Review import').click();
    await person.dialog('Sign in').waitFor();
    await signIn();
    // The plan of the import opens again by itself, and once.
    await planned(/^Create/)
      .filter({ hasText: '192.0.2.21' })
      .waitFor();
    await person.page.keyboard.press('Escape');
    await person.dialog('Plan').waitFor({ state: 'hidden' });
    expect(await text.inputValue()).toBe('ftp 300 A 192.0.2.21\n');
    await endSession();
    await person.button('Review import').click();
    await person.dialog('Sign in').waitFor();
    await signIn();
    await planned(/^Create/).waitFor();
    await person.apply();
    expect(await recordsOf(member, zone.id)).toContain(`${zone.at('ftp')} 300 A 192.0.2.21`);

    // The next form is empty.
    await person.open(`/zones/${zone.name}/records`);
    await person.button('Add record').click();
    expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('');
  });
});
