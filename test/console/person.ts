import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { notice, type Noticed } from '../support/browser.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Somebody in front of the console, who knows it by roles and names alone. */
export class Person {
  private constructor(
    private readonly url: string,
    readonly context: BrowserContext,
    readonly page: Page,
    readonly noticed: Noticed,
  ) {}

  static async at(browser: Browser, url: string, width = 1280): Promise<Person> {
    const context = await browser.newContext({ viewport: { width, height: 900 } });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    return new Person(url, context, page, notice(page, url));
  }

  async open(path: string): Promise<void> {
    await this.page.goto(`${this.url}/console${path}`);
  }

  async signIn(token: string): Promise<void> {
    await this.page.getByLabel('Token').fill(token);
    await this.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  /** Opens a page as somebody who has signed in. */
  async comeTo(path: string, token: string): Promise<void> {
    await this.open(path);
    await this.signIn(token);
    await this.button('Account').waitFor();
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name });
  }

  dialog(name: string): Locator {
    return this.page.getByRole('dialog', { name });
  }

  get records(): Locator {
    return this.page.getByRole('grid', { name: 'Records' });
  }

  get plan(): Locator {
    return this.dialog('Plan').getByRole('table', { name: 'Changes' });
  }

  get status(): Locator {
    return this.page.getByRole('status');
  }

  /** Fills in the form for a new record, by the labels of its controls. */
  async fillRecord(type: string, values: Readonly<Record<string, string>>): Promise<Locator> {
    await this.button('Add record').first().click();
    const form = this.dialog('Add record');
    await form.getByLabel('Type', { exact: true }).selectOption(type);
    for (const [label, value] of Object.entries(values)) await form.getByLabel(label, { exact: true }).fill(value);
    return form;
  }

  /** Puts a new record to the pending changes. */
  async addRecord(type: string, values: Readonly<Record<string, string>>): Promise<void> {
    const form = await this.fillRecord(type, values);
    await form.getByRole('button', { name: 'Add to changes' }).click();
    await form.waitFor({ state: 'hidden' });
  }

  async review(): Promise<void> {
    await this.button(/^Review changes/).click();
    await this.dialog('Plan').waitFor();
  }

  async apply(): Promise<void> {
    await this.dialog('Plan').getByRole('button', { name: 'Apply', exact: true }).click();
    await this.dialog('Plan').waitFor({ state: 'hidden' });
    await this.status.filter({ hasText: /applied/i }).waitFor();
  }

  /** What axe finds that is serious, in what is shown; each as its rule and the first place. */
  async seriousFaults(): Promise<string[]> {
    await this.page.evaluate(AXE);
    const found = await this.page.evaluate<
      string[]
    >(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 200) + ' ' + nodes[0].failureSummary))`);
    return found;
  }

  /** The same in the light and in the dark theme. */
  async seriousFaultsInBothThemes(): Promise<string[]> {
    const faults: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await this.page.emulateMedia({ colorScheme });
      faults.push(...(await this.seriousFaults()).map((fault) => `${colorScheme} ${fault}`));
    }
    await this.page.emulateMedia({ colorScheme: 'light' });
    return faults;
  }

  leave(): Promise<void> {
    return this.context.close();
  }
}
