import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { bodyOf } from '../support/answers.js';
import type { DomainBody } from '../support/bodies.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { DNSSEC_ON } from '../support/dnssec-on.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { TAKES_UPDATES } from '../support/updates.js';
import { Person } from './person.js';
import { expectQuietLeave, recordsOf } from './walks.js';

const PATIENCE = 240_000;
/** No page has as many controls before the one that is wanted. */
const MOST_TABS = 80;
const ZONE = 'keys.example.';
const FILE = `@ 300 IN MX 10 mail
mail 300 IN A 192.0.2.25
cdn IN CNAME d111.cloudfront.net
`;

describeWithBrowser('journeys without a mouse', () => {
  let service: TokenService;
  let member: TokenClient;
  let browser: Browser;
  let person: Person;
  beforeAll(async () => {
    service = await startTokenService({ ...TAKES_UPDATES, ...DNSSEC_ON });
    member = await service.newToken({ description: 'Anna' });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  const press = (key: string): Promise<void> => person.page.keyboard.press(key);
  const type = (text: string): Promise<void> => person.page.keyboard.type(text);
  const link = (name: string): Locator => person.page.getByRole('link', { name, exact: true });
  const tab = (name: string): Locator =>
    person.page.getByRole('navigation', { name: 'Zone' }).getByRole('link', { name });
  const stored = async (): Promise<string[]> => {
    const { domains } = await bodyOf<{ domains: DomainBody[] }>(member.call('get', `/v1/domains?name=${ZONE}`));
    return recordsOf(member, domains[0]!.id);
  };

  /** Presses a key until the control has the focus. */
  async function reach(control: Locator, key = 'Tab'): Promise<void> {
    await control.waitFor();
    for (let presses = 0; presses < MOST_TABS; presses += 1) {
      if (
        await control.evaluate(
          (element: unknown) => element === (globalThis as unknown as InPage).document.activeElement,
        )
      )
        return;
      await press(key);
    }
    throw new Error(`${key} does not lead to ${String(control)}`);
  }

  async function activate(control: Locator): Promise<void> {
    await reach(control);
    await press('Enter');
  }

  async function write(control: Locator, text: string): Promise<void> {
    await reach(control);
    await press('Control+a');
    await type(text);
  }

  async function command(text: string): Promise<void> {
    await press('Control+k');
    await person.dialog('Go to').getByLabel('Zone, page or action').waitFor();
    await type(text);
    await press('Enter');
    await person.dialog('Go to').waitFor({ state: 'hidden' });
  }

  async function chooseItem(button: Locator, name: string): Promise<void> {
    await activate(button);
    await reach(person.page.getByRole('menuitem', { name }), 'ArrowDown');
    await press('Enter');
  }

  async function applyPlan(): Promise<void> {
    await person.dialog('Plan').getByRole('button', { name: 'Apply', exact: true, disabled: false }).waitFor();
    await press('Control+Enter');
    await person.dialog('Plan').waitFor({ state: 'hidden' });
    await person.status.filter({ hasText: /applied/i }).waitFor();
  }

  it(
    '22.6 lead from the sign-in to a signed zone, a key, an undone change and the sign-out',
    async () => {
      person = await Person.at(browser, service.url);
      await person.open('/sign-in');
      await write(person.page.getByLabel('Token'), member.token);
      await press('Enter');

      // A zone.
      await activate(person.button('New zone').first());
      const form = person.dialog('New zone');
      await write(form.getByLabel('Name', { exact: true }), ZONE);
      await write(form.getByLabel('Email'), 'hostmaster@example.org');
      await activate(form.getByRole('button', { name: 'Create zone' }));
      await person.page.getByRole('heading', { level: 1, name: ZONE }).waitFor();

      // An import, of which one finding is corrected.
      await chooseItem(person.button('More actions'), 'Import zone file');
      await write(person.page.getByLabel('Or paste zone file text'), FILE);
      await activate(person.button('Review import'));
      await activate(person.dialog('Plan').getByRole('button', { name: /^Add final dot/ }));
      await person.dialog('Plan').getByRole('group', { name: 'No findings left' }).waitFor();
      await applyPlan();
      expect(await stored()).toContain(`cdn.${ZONE} 300 CNAME d111.cloudfront.net.`);

      // A record.
      await activate(tab('Records'));
      await person.records.getByRole('row').filter({ hasText: '192.0.2.25' }).waitFor();
      await press('a');
      const record = person.dialog('Add record');
      await write(record.getByLabel('Name', { exact: true }), 'www');
      await write(record.getByLabel('Address', { exact: true }), '192.0.2.80');
      await press('Enter');
      await record.waitFor({ state: 'hidden' });
      await press('r');
      await applyPlan();
      expect(await stored()).toContain(`www.${ZONE} - A 192.0.2.80`);

      // Its undoing.
      await activate(tab('Changes'));
      const changes = person.page.getByRole('list', { name: 'Changes' }).getByRole('listitem');
      await chooseItem(changes.first().getByRole('button', { name: /^Actions for serial/ }), 'Undo this change');
      await applyPlan();
      expect(await stored()).not.toContain(`www.${ZONE} - A 192.0.2.80`);

      // Signatures.
      await activate(tab('DNSSEC'));
      await activate(person.button('Sign this zone'));
      await person.page.getByRole('heading', { level: 2, name: /^DNSSEC (?!Not signed)/ }).waitFor();

      // A search over all zones.
      await command('192.0.2.25');
      await activate(person.page.getByRole('main').getByRole('link', { name: /mail/ }).first());
      await person.page.getByRole('heading', { level: 1, name: ZONE }).waitFor();

      // A key of a client.
      await command('new token or key');
      const key = person.dialog('New token or key');
      const client = key.getByRole('radio', { name: 'nsupdate', exact: true });
      await reach(key.getByRole('radio').first());
      await reach(client, 'ArrowDown');
      await press('Space');
      await write(key.getByLabel('Zones or names'), ZONE);
      await activate(key.getByRole('button', { name: 'Create update key' }));
      await person.dialog('Update key created').waitFor();
      await activate(person.dialog('Update key created').getByRole('button', { name: 'Done' }));

      await activate(link('Zones').first());
      await command('sign out');
      await person.page.getByLabel('Token').waitFor();
      await expectQuietLeave(person);
    },
    PATIENCE,
  );
});

/** Globals of the page; the tests have no types for them. */
interface InPage {
  readonly document: { readonly activeElement: unknown };
}
