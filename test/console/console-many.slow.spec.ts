import { expect, it } from '@jest/globals';
import { bodyOf } from '../support/answers.js';
import type { RecordBody } from '../support/bodies.js';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { newDomain } from '../support/domain.js';
import { startTokenService } from '../support/token-service.js';
import { Person } from './person.js';

describeWithBrowser('many records in the console', () => {
  it('22.3 applies more changes than fit in a change set as one change', async () => {
    const service = await startTokenService({ SERVICE_API__MAX_CHANGES: '3' });
    const browser = await openBrowser();
    try {
      const member = await service.newToken();
      const zone = await newDomain(member);
      await zone.import(
        'a A 192.0.2.1\nb A 192.0.2.2\nc A 192.0.2.3\nd A 192.0.2.4\nmail 600 MX 10 a\ntext TXT "a b" c\n',
      );
      const stored = async (): Promise<string[]> => {
        const { records } = await bodyOf<{ records: RecordBody[] }>(
          member.call('get', `/v1/domains/${zone.id}/records`),
        );
        return records.map(({ id, name, type, data, ttl }) => `${id} ${name} ${ttl ?? '-'} ${type} ${data}`).sort();
      };
      const before = await stored();
      const person = await Person.at(browser, service.url);
      const plan = person.dialog('Plan');
      const selectAll = async (count: number): Promise<void> => {
        await person.page.getByRole('checkbox', { name: /^Select a A/ }).check();
        await person.button(`Select all ${count} that match`).click();
        await person.page.getByRole('group', { name: `${count} records selected` }).waitFor();
      };
      const editAll = async (count: number, label: string, value: string): Promise<void> => {
        await selectAll(count);
        await person.button('Edit selected').click();
        const form = person.page.getByRole('dialog');
        await form.getByLabel(label, { exact: true }).fill(value);
        await form.getByRole('button', { name: 'Add to changes' }).click();
        await form.waitFor({ state: 'hidden' });
        await person.review();
      };
      await person.comeTo(`/zones/${zone.name}/records?sort=name`, member.token);

      await editAll(6, 'Comment', 'why');
      await plan.getByText(/neither comments nor expiry, and 6 changes of these/).waitFor();
      expect(await plan.getByRole('button', { name: 'Apply', exact: true }).isDisabled()).toBe(true);
      await plan.getByRole('button', { name: 'Back' }).click();
      await person.button('Discard changes').click();
      await person.dialog('Discard changes').getByRole('button', { name: 'Discard', exact: true }).click();

      await editAll(6, 'TTL', '60');
      await plan.getByText(/they are applied as an import/).waitFor();
      await person.apply();
      const changed = before.map((line) => line.replace(/ (-|600) /, ' 60 '));
      expect(await stored()).toEqual(changed);

      await person.page.getByRole('searchbox', { name: 'Search records' }).fill('192.0.2.');
      await selectAll(4);
      await person.button('Delete selected').click();
      await person.review();
      await person.plan
        .getByRole('row', { name: /^Delete/ })
        .nth(3)
        .waitFor();
      expect(await person.plan.getByRole('row', { name: /^Delete/ }).count()).toBe(4);
      expect(await person.plan.getByRole('rowheader').allInnerTexts()).toEqual(['a', 'b', 'c', 'd']);
      await person.apply();
      expect(await stored()).toEqual(changed.filter((line) => !line.includes(' A ')));

      await person.button('Undo').click();
      await plan.getByRole('button', { name: 'Apply', exact: true }).waitFor();
      await person.apply();
      expect(await stored()).toEqual(changed);
    } finally {
      await browser.close();
      await service.stop();
    }
  }, 120_000);
});
