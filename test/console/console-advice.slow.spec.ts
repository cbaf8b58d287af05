import { afterAll, afterEach, beforeAll, beforeEach, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { Person } from './person.js';
import { expectQuietLeave } from './walks.js';

describeWithBrowser('what the console says before anything goes wrong', () => {
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

  it('22.3 lists with a plan what the check would find then, and holds nothing back for it', async () => {
    await zone.newRecord({ name: zone.name, type: 'MX', data: zone.at('mail'), priority: 10 });
    await zone.newRecord({ name: zone.at('mail'), data: '192.0.2.9' });
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    await person.button('Delete mail A').click();
    await person.review();
    const found = person.dialog('Plan').getByRole('region', { name: 'What the check would find' });
    await found.getByRole('listitem').filter({ hasText: '@ MX' }).waitFor();
    await person.apply();
  });

  it('22.3 says of a record whose set has other TTLs what it would be published with', async () => {
    await zone.newRecord({ ttl: 300 });
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    const form = await person.fillRecord('A', { Name: 'www', Address: '192.0.2.4', TTL: '7200' });
    await form.getByText('with one TTL, the lowest of theirs: 300.').waitFor();
    await form.getByLabel('TTL').fill('60');
    await form.getByText('with one TTL, the lowest of theirs: 60.').waitFor();
    await form.getByLabel('TTL').fill('300');
    await form.getByText('with one TTL').waitFor({ state: 'hidden' });
  });

  it('22.4 says who has changed the zone since changes were begun', async () => {
    const other = await service.newToken({ description: '<b>deploy</b>' });
    await person.comeTo(`/zones/${zone.name}/records`, member.token);
    await person.addRecord('A', { Name: 'mine', Address: '192.0.2.6' });
    await other.call('post', `/v1/domains/${zone.id}/records`, { name: zone.at('a'), type: 'A', data: '192.0.2.5' });
    const news = person.page.getByText('1 change by acme <b>deploy</b> since you began.');
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
    await person.page.getByLabel('Zone file').setInputFiles({ name: 'zone.txt', mimeType: 'text/plain', buffer });
    await person.button('Plan').click();
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
