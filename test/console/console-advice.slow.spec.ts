import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { answerOf, bodyOf } from '../support/answers.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { until } from '../support/until.js';
import { Person } from './person.js';
import { expectQuietLeave, recordsOf } from './walks.js';

describeWithBrowser('advance warnings of the console', () => {
  let service: TokenService;
  let member: TokenClient;
  let browser: Browser;
  let person: Person;
  let zone: TestDomain;
  beforeAll(async () => {
    service = await startTokenService();
    member = await service.newToken({ description: 'Anna' });
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

  it('22.3 lists the later check findings with a plan without blocking it', async () => {
    await zone.newRecord({ name: zone.name, type: 'MX', data: zone.at('mail'), priority: 10 });
    await zone.newRecord({ name: zone.at('mail'), data: '192.0.2.9' });
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    await person.button('Delete mail A').click();
    await person.review();
    const found = person.dialog('Plan').getByRole('region', { name: 'New check findings' });
    await found.getByRole('listitem').filter({ hasText: '@ MX' }).waitFor();
    await person.apply();
  });

  it('26.6 lists the PTR records that follow a plan', async () => {
    const reverse = await newDomain(member, '113.0.203.in-addr.arpa.');
    await reverse.newRecord({ name: reverse.at('10'), type: 'PTR', data: 'other.example.net.' });
    await answerOf(member.call('put', `/v1/domains/${zone.id}`, { labels: { reverse: 'true' } }));
    const { name } = await zone.newRecord({ data: '203.0.113.9' });
    await zone.newRecord({ name: zone.at('b'), data: '203.0.113.11' });
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    await person.button('Delete www A').click();
    await person.addRecord('A', { Name: 'c', Address: '203.0.113.10' });
    await person.review();
    const steps = person.dialog('Plan').getByRole('region', { name: 'PTR records that follow' }).getByRole('listitem');
    await steps.filter({ hasText: `9.${reverse.name}: no longer ${name}` }).waitFor();
    await steps.filter({ hasText: `10.${reverse.name} is other.example.net. already.` }).waitFor();
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);
    await person.apply();
  });

  it('22.16 corrects the findings of a plan, and marks the characters that change', async () => {
    const { id } = await zone.newRecord({ name: zone.at('web'), data: '192.0.2.3' });
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    await person.button('Edit web A').click();
    await person.dialog('Edit record').getByLabel('Address').fill('192.0.2.77');
    await person.dialog('Edit record').getByRole('button', { name: 'Add to changes' }).click();
    await person.addRecord('MX', { Name: '@', Exchange: 'mail', Preference: '10' });
    await person.review();
    const plan = person.dialog('Plan');
    expect(await person.plan.getByRole('rowheader').allInnerTexts()).toEqual(['@', 'web']);
    const update = person.plan.getByRole('row').filter({ hasText: /^Update/ });
    expect(await update.locator('mark').allInnerTexts()).toEqual(['3', '77']);
    await plan.getByText('1 to create', { exact: true }).waitFor();
    await plan.getByText('1 to update', { exact: true }).waitFor();
    const findings = plan.getByRole('region', { name: 'New check findings' });
    await findings.getByText(`mail.${zone.name} is in this zone but has no A or AAAA record.`).waitFor();
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);

    await findings.getByRole('button', { name: 'Add an address for mail' }).click();
    const form = person.dialog('Add record');
    await form.getByLabel('Address').fill('192.0.2.25');
    await form.getByRole('button', { name: 'Add to changes' }).click();
    await plan.getByText('2 to create', { exact: true }).waitFor();
    await findings.waitFor({ state: 'hidden' });
    const hasFocus = 'document.activeElement !== document.body';
    expect(await person.page.evaluate<boolean>(hasFocus)).toBe(true);
    await person.page.setViewportSize({ width: 320, height: 720 });
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await person.page.evaluate<number>(overflow)).toBe(0);
    const box = await plan.getByRole('button', { name: 'Apply', exact: true }).boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(720);
    await person.page.setViewportSize({ width: 1280, height: 900 });
    await person.apply();
    await until(() => person.page.evaluate<boolean>(hasFocus));
    expect(await recordsOf(member, zone.id)).toEqual(
      [
        `${zone.name} - MX mail.${zone.name}`,
        `${zone.at('mail')} - A 192.0.2.25`,
        `${zone.at('web')} - A 192.0.2.77`,
      ].sort(),
    );
    expect(await bodyOf(member.call('get', `/v1/domains/${zone.id}/records/${id}`))).toMatchObject({ id });
  });

  it('22.3 shows the TTL of publication for a record whose set has other TTLs', async () => {
    await zone.newRecord({ ttl: 300 });
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    const form = await person.fillRecord('A', { Name: 'www', Address: '192.0.2.4', TTL: '7200' });
    await form.getByText('share one TTL: 5 min, the lowest.').waitFor();
    await form.getByLabel('TTL').fill('60');
    await form.getByText('share one TTL: 1 min, the lowest.').waitFor();
    await form.getByLabel('TTL').fill('300');
    await form.getByText('share one TTL').waitFor({ state: 'hidden' });
  });

  it('22.4 names the authors of zone changes since the edit began', async () => {
    const other = await service.newToken({ description: '<b>deploy</b>' });
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    await person.addRecord('A', { Name: 'mine', Address: '192.0.2.6' });
    await other.call('post', `/v1/domains/${zone.id}/records`, { name: zone.at('a'), type: 'A', data: '192.0.2.5' });
    const news = person.page.getByText('<b>deploy</b> made 1 change since you started editing.');
    await news.waitFor();
    await person.button('Show').click();
    await person.records.getByRole('row').filter({ hasText: '192.0.2.5' }).waitFor();
    await news.waitFor({ state: 'hidden' });
  });

  it('22.7 waits for a file that is still being read', async () => {
    await person.comeTo(`/zones/${zone.name}/import`, member.token);
    const lines = Array.from({ length: 400 }, (_, n) => `h${n} A 192.0.2.${n % 250}\n`);
    const buffer = Buffer.from(lines.join(''));
    await person.page.evaluate(readSlowly);
    await person.page
      .getByLabel('Zone file', { exact: true })
      .setInputFiles({ name: 'zone.txt', mimeType: 'text/plain', buffer });
    await person.button('Review import').click();
    await person.plan.getByRole('row').filter({ hasText: '192.0.2.249' }).first().waitFor();
  });
});

/** Runs in the page: files take their time there, as from a network drive. */
function readSlowly(): void {
  const page = globalThis as unknown as { readonly Blob: { readonly prototype: { text: () => Promise<string> } } };
  const { prototype } = page.Blob;
  const read = prototype.text;
  prototype.text = async function readLater(this: unknown) {
    await new Promise((resume) => setTimeout(resume, 500));
    return read.call(this);
  };
}
