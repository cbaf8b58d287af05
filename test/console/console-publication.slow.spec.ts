import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { bodyOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { Secondary } from '../support/secondary.js';
import { startTokenService, type TokenService } from '../support/token-service.js';
import { until } from '../support/until.js';
import { Person } from './person.js';

describeWithBrowser('12.7 the publication of a zone in the console', () => {
  let secondary: Secondary;
  let service: TokenService;
  let browser: Browser;
  beforeAll(async () => {
    secondary = await Secondary.start();
    service = await startTokenService({
      SERVICE_MDNS__ENABLED: 'True',
      SERVICE_MDNS__LISTEN: '127.0.0.1:0',
      SERVICE_MDNS__SECONDARIES: secondary.address,
    });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
    await secondary.stop();
  });

  it('12.7 reports that the answers of a server differ, with the record set', async () => {
    const member = await service.newToken({ roles: ['member'] });
    const zone = await newDomain(member);
    secondary.records = () => [];
    await zone.newRecord({ name: zone.at('www') });
    secondary.serials.set(zone.name, (await zone.now()).serial);
    const person = await Person.at(browser, service.url);
    // The service signs no zones, which the page knows of an unsigned zone without a question.
    const missing: string[] = [];
    person.page.on('response', (response) => {
      if (response.status() === 404) missing.push(response.url());
    });
    await person.comeTo(`/zones/${zone.name}/publication`, member.token);
    await person.page.getByRole('link', { name: 'DNSSEC off' }).waitFor();
    await person.page.getByRole('heading', { level: 2, name: 'Health' }).waitFor();
    expect(new URL(person.page.url()).pathname).toBe(`/console/zones/${zone.name}/health`);
    const { page } = person;
    const card = page.getByRole('listitem', { name: secondary.address });
    await card.waitFor();
    const differs = card.getByText('Answers differ', { exact: true });
    for (let looks = 0; looks < 20 && (await differs.count()) === 0; looks += 1) {
      await page.getByRole('button', { name: 'Check again' }).click();
      await differs.waitFor({ timeout: 1000 }).catch(() => undefined);
    }
    expect(await card.innerText()).toContain(`www.${zone.name} A: no data instead of 1 record`);
    await page.getByText('0 of 1 name servers have the current serial').waitFor();
    expect(missing).toEqual([]);
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);
  });

  it('12.9, 22.13 leads an operator from a lagging zone to the name server that lacks it, and back', async () => {
    const member = await service.newToken({ tenantId: 'operator' });
    const [late, current] = [await newDomain(member), await newDomain(member)];
    secondary.records = () => null;
    secondary.serials.set(current.name, (await current.now()).serial);
    const { serial } = await late.now();
    await late.newRecord({ name: late.at('first') });
    await late.newRecord({ name: late.at('second') });
    secondary.serials.set(late.name, serial);
    const stateOf = async ({ id }: TestDomain): Promise<string> =>
      (await bodyOf<{ servers: { state: string }[] }>(member.call('get', `/v1/domains/${id}/publication`))).servers[0]!
        .state;
    await until(async () => (await stateOf(late)) === 'behind' && (await stateOf(current)) === 'current');

    const person = await Person.at(browser, service.url);
    const { page } = person;
    const faults: string[] = [];
    await person.comeTo('/zones', member.token);
    const zones = page.getByRole('table', { name: 'Zones' });
    await zones.getByRole('link', { name: `Published: publication of ${current.name}` }).waitFor();
    // Quiet rows: links show their line with the pointer or the focus, and color is for exceptions.
    const name = zones.getByRole('link', { name: current.name, exact: true });
    await page.mouse.move(0, 0);
    expect(await lineOf(name)).toBe('none');
    await name.hover();
    expect(await lineOf(name)).toBe('underline');
    await page.mouse.move(0, 0);
    await page.getByRole('button', { name: 'Refused', exact: true }).focus();
    for (let presses = 0; presses < 10 && (await lineOf(name)) === 'none'; presses += 1)
      await page.keyboard.press('Tab');
    expect(await lineOf(name)).toBe('underline');
    const rows = zones.getByRole('row');
    const colors = await Promise.all(
      [current, late].map((zone) => colorOf(rows.filter({ hasText: zone.name }).getByRole('link').nth(1))),
    );
    expect(colors).toEqual(['rgb(91, 102, 114)', 'rgb(122, 77, 0)']);
    await page.setViewportSize({ width: 390, height: 844 });
    for (const zone of [current, late])
      expect((await rows.filter({ hasText: zone.name }).boundingBox())?.height).toBeLessThanOrEqual(88);
    faults.push(...(await person.seriousFaultsInBothThemes()));
    await page.setViewportSize({ width: 1280, height: 900 });

    await page.getByRole('button', { name: 'Behind', exact: true }).click();
    await zones.getByRole('link', { name: current.name, exact: true }).waitFor({ state: 'hidden' });
    expect(new URL(page.url()).search).toBe('?publication=pending');
    faults.push(...(await person.seriousFaultsInBothThemes()));
    await zones.getByRole('link', { name: `Behind: publication of ${late.name}` }).click();

    const onZone = page.getByRole('listitem', { name: secondary.address });
    await onZone.getByRole('heading', { name: `${secondary.address} Behind` }).waitFor();
    await onZone.getByText('2 changes', { exact: true }).waitFor();
    expect(await onZone.innerText()).toMatch(new RegExp(`Serial\\s+${serial}\\s`));
    expect(await onZone.innerText()).toMatch(/Behind since\s+(just now|\d)/);
    faults.push(...(await person.seriousFaultsInBothThemes()));
    await page.getByRole('main').getByRole('link', { name: 'Name servers' }).click();

    await page.getByRole('heading', { level: 1, name: 'Name servers' }).waitFor();
    const card = page.getByRole('listitem', { name: secondary.address });
    await card.getByRole('heading', { name: `${secondary.address} Behind` }).waitFor();
    await card.getByText('Behind since', { exact: true }).waitFor();
    expect(await card.innerText()).toMatch(/Last answer\s+(just now|\d)/);
    await card.getByRole('link', { name: late.name }).waitFor();
    faults.push(...(await person.seriousFaultsInBothThemes()));
    await page.setViewportSize({ width: 320, height: 720 });
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate<number>(overflow)).toBe(0);
    await page.setViewportSize({ width: 1280, height: 900 });

    secondary.manners = () => 'drop';
    await late.newRecord();
    await card.getByRole('heading', { name: `${secondary.address} Unreachable` }).waitFor();
    await card.getByText('no answer').waitFor();
    secondary.manners = () => 'answer';
    await card.getByRole('link', { name: '1 of your zones' }).click();
    await page.getByRole('button', { name: `Behind on ${secondary.address}` }).waitFor();
    await zones.getByRole('link', { name: late.name, exact: true }).waitFor();
    secondary.serials.set(late.name, (await late.now()).serial);
    await page.getByText('No zones match this filter. Clear it to see all zones.').waitFor();
    await page.getByRole('button', { name: `Behind on ${secondary.address}` }).click();
    await zones.getByRole('link', { name: `Published: publication of ${late.name}` }).waitFor();
    await page
      .getByRole('group', { name: 'Filter by publication' })
      .getByRole('link', { name: 'Name servers' })
      .click();
    await card.getByRole('heading', { name: `${secondary.address} Up to date` }).waitFor();
    await card.getByText('None of your zones').waitFor();
    expect(faults).toEqual([]);
  }, 180_000);
});

/** Globals of the page; the tests have no types for them. */
interface InPage {
  getComputedStyle(element: unknown): { readonly textDecorationLine: string; readonly color: string };
}

const styleOf = (link: Locator, property: 'textDecorationLine' | 'color'): Promise<string> =>
  link.evaluate((one, key) => (globalThis as unknown as InPage).getComputedStyle(one)[key], property);
const lineOf = (link: Locator): Promise<string> => styleOf(link, 'textDecorationLine');
const colorOf = (link: Locator): Promise<string> => styleOf(link, 'color');
