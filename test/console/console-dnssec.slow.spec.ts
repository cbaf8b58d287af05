import { expect, it } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { freshName, newDomain } from '../support/domain.js';
import { startTokenService } from '../support/token-service.js';
import { until } from '../support/until.js';
import { Person } from './person.js';

const SIGNING = {
  SERVICE_CENTRAL__SOA_MINIMUM: '1',
  SERVICE_MDNS__ENABLED: 'True',
  SERVICE_MDNS__LISTEN: '127.0.0.1:0',
  SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
  ...DNSSEC_ON,
};

describeWithBrowser('DNSSEC in the console', () => {
  it('22.11 has a zone signed, says when the DS may be set, rolls its key, and ends it', async () => {
    const service = await startTokenService(SIGNING);
    const browser = await openBrowser();
    try {
      const member = await service.newToken();
      // Caches have forgotten what they had after a second.
      const zone = await newDomain(member, freshName(), { ttl: 1 });
      const person = await Person.at(browser, service.url);
      const { page } = person;
      const faults: string[] = [];
      const heading = (state: string) => page.getByRole('heading', { level: 2, name: `DNSSEC ${state}` }).waitFor();
      const sayOfParent = async (button: string): Promise<void> => {
        await page.getByLabel('TTL of the DS').fill('1');
        await person.button(button).click();
      };
      await person.comeTo(`/zones/${zone.name}/dnssec`, member.token);
      await heading('Not signed');
      faults.push(...(await person.seriousFaultsInBothThemes()));
      await page.getByLabel('Algorithm').selectOption('ED25519');
      await person.button('Sign this zone').click();
      await heading('Ready for the DS');

      const { body } = await answerOf(member.call('get', `/v1/domains/${zone.id}/dnssec`));
      const [ds = ''] = (body as { ds: string[] }).ds;
      const [tag = '', , , digest = ''] = ds.split(' ');
      const signers = page.getByRole('table', { name: 'DS records for the parent zone' });
      await signers.getByRole('row', { name: `${tag} 15 – ED25519 2 – SHA-256 ${digest}` }).waitFor();
      const line = page.getByLabel(`DS record of key ${tag} with SHA-256`);
      expect(await line.inputValue()).toBe(`${zone.name} IN DS ${ds}`);
      await page.getByText(/^CDS and CDNSKEY records ask for this DS/).waitFor();
      faults.push(...(await person.seriousFaultsInBothThemes()));
      await sayOfParent('The DS is in the parent zone');
      await heading('Secure');

      await person.button('Change to NSEC3').click();
      await page.getByText('Answers become larger').waitFor();
      faults.push(...(await person.seriousFaultsInBothThemes()));
      await person.dialog('Change to NSEC3').getByRole('button', { name: 'Change', exact: true }).click();
      await person.button('Change to NSEC').waitFor();
      expect((await answerOf(member.call('get', `/v1/domains/${zone.id}/dnssec`))).body).toMatchObject({
        denial: 'nsec3',
        state: 'secure',
      });

      await person.button('Roll CSK').click();
      await person.dialog('Roll CSK').getByRole('button', { name: 'Roll', exact: true }).click();
      const steps = page.getByRole('list', { name: 'Rollover of the CSK' });
      await steps.getByText(/^Waiting: the DS of the new key has to take the place/).waitFor();
      faults.push(...(await person.seriousFaultsInBothThemes()));
      await page.setViewportSize({ width: 320, height: 720 });
      const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate<number>(overflow)).toBe(0);
      await page.setViewportSize({ width: 1280, height: 900 });
      await sayOfParent('The DS is in the parent zone');
      await steps.waitFor({ state: 'hidden' });
      await signers.getByText(tag, { exact: true }).waitFor({ state: 'hidden' });

      await person.button('Stop signing').click();
      await person.dialog('Stop signing').getByRole('button', { name: 'Stop signing' }).click();
      await heading('Signing ends');
      await sayOfParent('The parent zone has no DS');
      await heading('Not signed');
      expect(faults).toEqual([]);
    } finally {
      await browser.close();
      await service.stop();
    }
  }, 180_000);

  it('22.11, 23.3 deletes a zone whose parent may have a DS when that was said once more', async () => {
    const service = await startTokenService(SIGNING);
    const browser = await openBrowser();
    try {
      const member = await service.newToken();
      const zone = await newDomain(member, freshName(), { ttl: 1 });
      const dnssec = async (): Promise<{ state: string }> =>
        bodyOf<{ state: string }>(member.call('get', `/v1/domains/${zone.id}/dnssec`));
      await answerOf(member.call('put', `/v1/domains/${zone.id}/dnssec`, { enabled: true }));
      await until(async () => (await dnssec()).state === 'ready');
      await answerOf(member.call('post', `/v1/domains/${zone.id}/dnssec/parent`, { ds: 'published' }));
      const person = await Person.at(browser, service.url);
      await person.comeTo(`/zones/${zone.name}/settings`, member.token);
      await person.button('Delete zone').click();
      const dialog = person.dialog('Delete zone');
      await dialog.getByLabel(/to confirm$/).fill(zone.name);
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await dialog.getByLabel('Delete it even though the parent zone may have a DS').check();
      expect(await person.seriousFaultsInBothThemes()).toEqual([]);
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await person.page.getByRole('heading', { level: 1, name: 'Zones' }).waitFor();
      await answerOf(member.call('get', `/v1/domains/${zone.id}`), 404);
    } finally {
      await browser.close();
      await service.stop();
    }
  }, 120_000);

  it('22.11 says that signing is off', async () => {
    const service = await startTokenService();
    const browser = await openBrowser();
    try {
      const member = await service.newToken();
      const zone = await newDomain(member);
      const person = await Person.at(browser, service.url);
      await person.comeTo(`/zones/${zone.name}/dnssec`, member.token);
      await person.page.getByText('[service:dnssec] enabled = True turns it on').waitFor();
    } finally {
      await browser.close();
      await service.stop();
    }
  });
});
