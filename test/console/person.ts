import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { notice, type Noticed } from '../support/browser.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly html: string;
  readonly summary: string;
}

const lineOf = ({ id, html, summary }: Violation): string => `${id}: ${html} ${summary}`;

/** A console user, who finds elements by role and name alone. */
export class Person {
  private constructor(
    private readonly url: string,
    readonly context: BrowserContext,
    readonly page: Page,
    readonly noticed: Noticed,
  ) {}

  static async at(browser: Browser, url: string, width = 1280, options: BrowserContextOptions = {}): Promise<Person> {
    const context = await browser.newContext({ viewport: { width, height: 900 }, ...options });
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

  /** Opens a page as a signed-in user. */
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

  /** Serious axe violations in the visible page, each as rule and first element. */
  async seriousFaults(): Promise<string[]> {
    const found = await this.violations();
    return found.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(lineOf);
  }

  /** All axe violations, best practices included. */
  async faults(): Promise<string[]> {
    return (await this.violations()).map(lineOf);
  }

  /** The contrasts of the dark theme; everything else is as in the light theme. */
  async darkFaults(): Promise<string[]> {
    await this.page.emulateMedia({ colorScheme: 'dark' });
    const found = await this.violations('color-contrast');
    await this.page.emulateMedia({ colorScheme: 'light' });
    return found.map((one) => `dark ${lineOf(one)}`);
  }

  private async violations(rule?: string): Promise<Violation[]> {
    if (!(await this.page.evaluate<boolean>('"axe" in window'))) await this.page.evaluate(AXE);
    const only = rule === undefined ? '' : `, runOnly: '${rule}'`;
    // Behind an open dialog or menu, the page is inert.
    const isCovered = (await this.page.getByRole('dialog').or(this.page.getByRole('menu')).count()) > 0;
    const rules = isCovered
      ? ["'page-has-heading-one'", "'landmark-one-main'"].map((id) => `${id}: { enabled: false }`)
      : [];
    return this.page.evaluate<
      Violation[]
    >(`axe.run(document, { resultTypes: ['violations'], rules: { ${rules.join()} }${only} })
      .then(({ violations }) => violations.map(({ id, impact, nodes }) =>
        ({ id, impact, html: nodes[0].html.slice(0, 200), summary: nodes[0].failureSummary })))`);
  }

  /** The same in the light and in the dark theme. */
  async seriousFaultsInBothThemes(): Promise<string[]> {
    const faults: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      // Without transitions, the colors are final.
      await this.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      faults.push(...(await this.seriousFaults()).map((fault) => `${colorScheme} ${fault}`));
    }
    // Buttons would fade from dark to light otherwise, also while the next check runs.
    await this.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await this.page.emulateMedia({ reducedMotion: null });
    return faults;
  }

  leave(): Promise<void> {
    return this.context.close();
  }
}
