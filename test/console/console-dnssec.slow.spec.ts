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
  it('22.11 leads a zone to a confirmed DS, rolls its key, and leads it back, in steps', async () => {
    const service = await startTokenService(SIGNING);
    const browser = await openBrowser();
    try {
      const member = await service.newToken();
      // Caches expire after one second.
      const zone = await newDomain(member, freshName(), { ttl: 1 });
      const person = await Person.at(browser, service.url);
      await person.context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const { page } = person;
      const faults: string[] = [];
      const heading = (state: string) => page.getByRole('heading', { level: 2, name: `DNSSEC ${state}` }).waitFor();
      const step = (title: string) =>
        page.getByRole('listitem').and(page.locator('[aria-current=step]')).filter({ hasText: title }).waitFor();
      const copies = async (button: string, text: string): Promise<void> => {
        await page.getByRole('button', { name: button, exact: true }).click();
        await expect(page.evaluate('navigator.clipboard.readText()')).resolves.toBe(text);
      };
      await person.comeTo(`/zones/${zone.name}/dnssec`, member.token);
      await heading('Not signed');
      await step('Sign the zone');
      faults.push(...(await person.seriousFaultsInBothThemes()));
      await page.getByLabel('Algorithm').selectOption('ED25519');
      await person.button('Sign this zone').click();
      await heading('Ready for DS');
      await step('Add the DS at your registrar');

      const { body } = await answerOf(member.call('get', `/v1/domains/${zone.id}/dnssec`));
      const { ds: all, keys } = body as { ds: string[]; keys: { dnskey: string }[] };
      const [ds = ''] = all;
      const [tag = '', , , digest = ''] = ds.split(' ');
      const signer = `DS of key ${tag} with SHA-256`;
      await page.getByRole('heading', { name: signer }).waitFor();
      await page.getByText('15 – ED25519').first().waitFor();
      await page.getByText('2 – SHA-256').waitFor();
      await copies(`Copy Key tag of ${signer}`, tag);
      await copies(`Copy Algorithm of ${signer}`, '15');
      await copies(`Copy Digest type of ${signer}`, '2');
      await copies(`Copy Digest of ${signer}`, digest);
      await copies(`Copy Record of ${signer}`, `${zone.name} IN DS ${ds}`);
      await page.getByText('Some registrars ask for the key instead of the DS:').click();
      const [{ dnskey } = { dnskey: '' }] = keys;
      await copies(`Copy Public key of DNSKEY of key ${tag}`, dnskey.split(' ')[3] ?? '');
      await copies(`Copy Record of DNSKEY of key ${tag}`, `${zone.name} IN DNSKEY ${dnskey}`);
      await page.getByText(/^CDS and CDNSKEY records ask for this DS/).waitFor();
      faults.push(...(await person.seriousFaultsInBothThemes()));
      await page.setViewportSize({ width: 320, height: 720 });
      const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate<number>(overflow)).toBe(0);
      await page.setViewportSize({ width: 1280, height: 900 });
      await person.button('I have added the DS').click();
      await heading('Secure');
      await page.getByRole('listitem').filter({ hasText: 'Confirmed: the zone is secure Done' }).waitFor();

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
      await steps.getByText(/^Replace the DS of the old key/).waitFor();
      faults.push(...(await person.seriousFaultsInBothThemes()));
      await page.setViewportSize({ width: 320, height: 720 });
      expect(await page.evaluate<number>(overflow)).toBe(0);
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.getByLabel('TTL of the DS').fill('1');
      await person.button('I have replaced the DS').click();
      await steps.waitFor({ state: 'hidden' });
      await page.getByText(signer, { exact: true }).waitFor({ state: 'hidden' });

      await person.button('Stop signing').click();
      await person.dialog('Stop signing').getByRole('button', { name: 'Stop signing' }).click();
      await heading('Removing signatures');
      await step('Remove the DS at your registrar');
      faults.push(...(await person.seriousFaultsInBothThemes()));
      await page.getByLabel('TTL of the DS').fill('8');
      await person.button('I have removed the DS').click();
      await step('Wait for caches');
      await page.getByText('The zone stays signed until caches have dropped the DS').waitFor();
      await heading('Not signed');
      expect(faults).toEqual([]);
    } finally {
      await browser.close();
      await service.stop();
    }
  }, 180_000);

  it('22.11, 23.14 tells the local time until which caches may have answers without signatures', async () => {
    const service = await startTokenService(SIGNING);
    const browser = await openBrowser();
    try {
      const member = await service.newToken();
      const zone = await newDomain(member, freshName(), { ttl: 7200 });
      const person = await Person.at(browser, service.url);
      const { page } = person;
      await person.comeTo(`/zones/${zone.name}/dnssec`, member.token);
      await person.button('Sign this zone').click();
      await page.getByText('Do not add the DS yet. Unsigned answers may be cached until').waitFor();
      const { waits_until: until } = await bodyOf<{ waits_until: string }>(
        member.call('get', `/v1/domains/${zone.id}/dnssec`),
      );
      const time = page.getByRole('listitem').getByRole('time');
      expect(await time.getAttribute('datetime')).toBe(new Date(`${until.slice(0, 23)}Z`).toISOString());
      const local = `new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date('${until}Z'))`;
      expect(await time.innerText()).toBe(await page.evaluate<string>(local));
      expect(await page.locator('main').innerText()).not.toMatch(/\d:\d\d\.\d{6}/);
      expect(await person.seriousFaultsInBothThemes()).toEqual([]);
    } finally {
      await browser.close();
      await service.stop();
    }
  }, 120_000);

  it('22.13, 23.15 shows the delegation at the parent, and that it differs from the zone', async () => {
    const service = await startTokenService({
      ...SIGNING,
      SERVICE_CENTRAL__NAME_SERVERS: 'ns1.example.net.,ns2.example.net.',
    });
    const browser = await openBrowser();
    try {
      const member = await service.newToken();
      const parent = await newDomain(member, freshName(), { ttl: 1 });
      const zone = await newDomain(member, `child.${parent.name}`, { ttl: 1 });
      await parent.newRecord({ name: zone.name, type: 'NS', data: 'ns1.example.net.' });
      const person = await Person.at(browser, service.url);
      const { page } = person;
      await person.comeTo(`/zones/${zone.name}/publication`, member.token);
      await page.getByText('Zonewright sees the delegation of signed zones').waitFor();
      await answerOf(member.call('put', `/v1/domains/${zone.id}/dnssec`, { enabled: true }));
      await until(
        async () =>
          (await bodyOf<{ state: string }>(member.call('get', `/v1/domains/${zone.id}/dnssec`))).state === 'secure',
        60_000,
      );
      await page.reload();
      const delegation = page.getByRole('table', { name: 'Delegation at the parent' });
      const row = delegation.getByRole('row').filter({ hasText: 'this service' });
      await row.getByText('Differs from the zone').waitFor();
      expect(await row.innerText()).toContain('ns1.example.net.');
      await page.getByText(`NS records of this zone on the name servers of ${parent.name}`).waitFor();
      expect(await person.seriousFaultsInBothThemes()).toEqual([]);
    } finally {
      await browser.close();
      await service.stop();
    }
  }, 120_000);

  it('22.11, 23.3 deletes a zone whose parent may have a DS after a second confirmation', async () => {
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

  it('22.11 reports that signing is disabled', async () => {
    const service = await startTokenService();
    const browser = await openBrowser();
    try {
      const member = await service.newToken();
      const zone = await newDomain(member);
      const person = await Person.at(browser, service.url);
      await person.comeTo(`/zones/${zone.name}/dnssec`, member.token);
      await person.page.getByText('[service:dnssec] enabled = True to enable it').waitFor();
    } finally {
      await browser.close();
      await service.stop();
    }
  });
});
