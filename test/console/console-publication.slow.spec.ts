import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { newDomain } from '../support/domain.js';
import { Secondary } from '../support/secondary.js';
import { startTokenService, type TokenService } from '../support/token-service.js';
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

  it('12.7 says that the answers of a server differ, and for which record set', async () => {
    const member = await service.newToken({ roles: ['member'] });
    const zone = await newDomain(member);
    secondary.records = () => [];
    await zone.newRecord({ name: zone.at('www') });
    secondary.serials.set(zone.name, (await zone.now()).serial);
    const person = await Person.at(browser, service.url);
    await person.comeTo(`/zones/${zone.name}/publication`, member.token);
    const { page } = person;
    const row = page.getByRole('row').filter({ hasText: secondary.address });
    await row.waitFor();
    const differs = row.getByText('Answers differ', { exact: true });
    for (let looks = 0; looks < 20 && (await differs.count()) === 0; looks += 1) {
      await page.getByRole('button', { name: 'Check again' }).click();
      await differs.waitFor({ timeout: 1000 }).catch(() => undefined);
    }
    expect(await row.innerText()).toContain(`www.${zone.name} A: no data instead of 1 record`);
    await page.getByText('0 of 1 name servers have the current serial').waitFor();
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);
  });
});
