import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { Rcode } from '../../src/dns/message/codes.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { newDomain } from '../support/domain.js';
import { LoopbackDns } from '../support/loopback-dns.js';
import { startTokenService, type TokenService } from '../support/token-service.js';
import { Person } from './person.js';

describeWithBrowser('27.11 the live check in the console', () => {
  let resolver: LoopbackDns;
  let service: TokenService;
  let browser: Browser;
  let isAnswering = false;
  beforeAll(async () => {
    resolver = await LoopbackDns.start({ address: '127.0.0.1', port: 0 }, (name) => {
      if (!isAnswering) return null;
      return { rcode: name.endsWith('herokudns.com.') ? Rcode.NXDOMAIN : Rcode.SERVFAIL };
    });
    service = await startTokenService({
      SERVICE_LIVE_CHECKS__RESOLVER: resolver.address,
      SERVICE_LIVE_CHECKS__TIME_LIMIT: '3',
    });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
    await resolver.stop();
  });

  it('27.11 asks only on demand, shows the progress, and groups the findings', async () => {
    const member = await service.newToken();
    const zone = await newDomain(member);
    await zone.newRecord({ name: zone.at('app'), type: 'CNAME', data: 'app.herokudns.com.' });
    const person = await Person.at(browser, service.url);
    const { page } = person;
    await person.comeTo(`/zones/${zone.name}/health`, member.token);
    const section = page.getByRole('region', { name: 'Live check' });
    const start = section.getByRole('button', { name: 'Check live' });
    await start.waitFor();
    expect(resolver.asked).toEqual([]);

    await start.click();
    await section.getByText('Checking the live DNS…').waitFor();
    await section.getByText('Not all of the domain was checked', { exact: false }).waitFor();

    isAnswering = true;
    await start.click();
    const errors = section.getByRole('table', { name: 'Live errors' });
    await errors.getByText('The target app.herokudns.com. does not exist', { exact: false }).waitFor();
    await section
      .getByRole('table', { name: 'Live notices' })
      .getByText('(Zonemaster: NAMESERVER06)')
      .first()
      .waitFor();
    expect(await section.getByRole('status').innerText()).toMatch(/^\d+ findings with \d+ queries\. Checked /);
    expect(await person.seriousFaultsInBothThemes()).toEqual([]);
    await errors.getByRole('link', { name: 'Show records app CNAME' }).click();
    await page.waitForURL(/\/records\?name=app/);

    // 27.12 A new visit shows the stored result, without a query.
    const asked = resolver.asked.length;
    await person.open(`/zones/${zone.name}/health`);
    await errors.getByText('The target app.herokudns.com. does not exist', { exact: false }).waitFor();
    expect(await section.getByRole('status').innerText()).toMatch(/^\d+ findings with \d+ queries\. Checked /);
    expect(resolver.asked).toHaveLength(asked);
  });

  it('27.11 says what to do without a resolver', async () => {
    const other = await startTokenService();
    try {
      const member = await other.newToken();
      const zone = await newDomain(member);
      const person = await Person.at(browser, other.url);
      await person.comeTo(`/zones/${zone.name}/health`, member.token);
      await person.page.getByRole('button', { name: 'Check live' }).click();
      await person.page.getByRole('alert').getByText('[service:live_checks]', { exact: false }).waitFor();
    } finally {
      await other.stop();
    }
  });
});
