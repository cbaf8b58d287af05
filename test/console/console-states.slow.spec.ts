import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { bodyOf } from '../support/answers.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { Secondary } from '../support/secondary.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { Person } from './person.js';
import { expectQuietLeave } from './walks.js';

const PLACE = 'Asia/Tokyo';

interface ChangesBody {
  readonly changes: readonly { readonly at: string }[];
}

describeWithBrowser('states, times and failed reads in the console', () => {
  let secondary: Secondary;
  let service: TokenService;
  let member: TokenClient;
  let browser: Browser;
  let person: Person;
  let zone: TestDomain;
  beforeAll(async () => {
    secondary = await Secondary.start();
    service = await startTokenService({ ...DNSSEC_ON, SERVICE_MDNS__SECONDARIES: secondary.address });
    member = await service.newToken();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
    await secondary.stop();
  });
  beforeEach(async () => {
    zone = await newDomain(member);
    person = await Person.at(browser, service.url, 1280, { timezoneId: PLACE });
  });
  afterEach(() => expectQuietLeave(person));

  it('22.2 leads from each state of a zone to its cause', async () => {
    await zone.newRecord({ name: zone.name, type: 'MX', data: zone.at('missing'), priority: 10 });
    secondary.serials.set(zone.name, (await zone.now()).serial - 1);
    const { page } = person;
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    const states = page.getByRole('list', { name: 'Status' });
    const causes = [
      ['Live on 0/1', 'health'],
      [/^\d+ (warning|error)s?$/, 'health'],
      ['DNSSEC off', 'dnssec'],
    ] as const;
    for (const [state, cause] of causes) {
      await person.open(`/zones/${zone.name}/records`);
      const link = states.getByRole('link', { name: state });
      await link.focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/${cause}`);
      await page.getByRole('heading', { level: 2, name: cause === 'health' ? 'Health' : 'DNSSEC' }).waitFor();
    }
  });

  it('22.5 tells times from now, and the exact local time on hover and to screen readers', async () => {
    await person.comeTo(`/zones/${zone.name}/history`, member.token);
    const { changes } = await bodyOf<ChangesBody>(member.call('get', `/v1/domains/${zone.id}/changes?limit=1`));
    const instant = new Date(`${changes[0]?.at}Z`);
    const local = (form: Intl.DateTimeFormatOptions): string =>
      new Intl.DateTimeFormat('en-GB', { ...form, timeZone: PLACE }).format(instant);
    const time = person.page.getByRole('list', { name: 'Changes' }).getByRole('time').first();
    await time.waitFor();
    await time.hover();
    const shown = { title: await time.getAttribute('title'), text: await time.textContent() };
    expect(shown.text).toMatch(/^(just now|\d+ min ago)/);
    expect(shown.text).toContain(local({ timeStyle: 'short' }));
    expect(shown.title).toContain(local({ dateStyle: 'long' }));
    expect(shown.title).toContain(local({ timeStyle: 'medium' }));
    expect(new Date((await time.getAttribute('datetime')) ?? '').getTime()).toBe(Math.floor(instant.getTime()));
  });

  it('22.6 offers Retry after a failed read, and goes on once it succeeds', async () => {
    const failure = { code: 500, type: 'unknown', reason: 'unknown', message: 'Internal error', request_id: 'r-1' };
    const pages = [
      [`/zones/${zone.name}/history`, '**/v1/domains/*/changes?*', 'list', 'Changes'],
      ['/zones', '**/v1/domains?*', 'table', 'Zones'],
    ] as const;
    await person.comeTo('/quotas', member.token);
    for (const [path, request, role, name] of pages) {
      await person.page.route(request, (route) => route.fulfill({ status: 500, json: failure }));
      await person.open(path);
      const alert = person.page.getByRole('alert');
      await alert.getByText('ask your operator').waitFor();
      const retry = alert.getByRole('button', { name: 'Retry' });
      await retry.focus();
      expect(await person.seriousFaultsInBothThemes()).toEqual([]);
      await person.page.unroute(request);
      await person.page.keyboard.press('Enter');
      await person.page.getByRole(role, { name, exact: true }).waitFor();
      await alert.waitFor({ state: 'hidden' });
    }
  });
});
