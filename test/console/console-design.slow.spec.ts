import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import { spawnTied } from '../support/children.js';
import { Person } from './person.js';

const PATIENCE = 120_000;

/** The development server of `npm run dev:console`, on a free port. */
const SERVER = `
  import { createServer } from 'vite';
  const server = await createServer({
    configFile: 'console/vite.config.js',
    cacheDir: process.argv[1],
    server: { host: '127.0.0.1', port: 0 },
  });
  await server.listen();
  console.log(server.resolvedUrls.local[0]);
`;

const PARTS = ['Colors', 'Type', 'Spacing and sizes', 'Icons', 'Buttons', 'Fields', 'Chips', 'Tags and badges']
  .concat(['Dialogs', 'Sheets', 'Menus', 'Notices', 'Empty', 'Loading', 'Errors'])
  .concat(['Tables', 'Diff', 'Feed', 'Progress chip', 'Cards']);

describeWithBrowser('the design page of the console in development', () => {
  let cache: string;
  let url: string;
  let browser: Browser;
  beforeAll(async () => {
    cache = await mkdtemp(join(tmpdir(), 'zonewright-vite-'));
    const server = spawnTied(process.execPath, ['--input-type=module', '--eval', SERVER, cache], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
    url = new URL(line).origin;
    browser = await openBrowser();
  }, PATIENCE);
  afterAll(async () => {
    await browser.close();
    await rm(cache, { recursive: true, force: true });
  });

  it('22.6 shows every part without an error, and axe finds nothing in light, dark and on a phone', async () => {
    const person = await Person.at(browser, url, 1280, { reducedMotion: 'reduce' });
    const { page } = person;
    await person.open('/design');
    await page.getByRole('heading', { level: 1, name: 'Design system' }).waitFor();
    const headings = await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents();
    expect(headings).toEqual(PARTS);
    // A contrast below the limits is marked.
    await page.getByText('17.2 : 1 on canvas').first().waitFor();
    expect(await page.getByRole('table', { name: 'Colors' }).locator('.badge').count()).toBe(0);
    const faults: string[] = [];
    const look = async (): Promise<void> => {
      faults.push(...(await person.faults()), ...(await person.darkFaults()));
    };
    await look();
    for (const name of ['Dialog', 'Wide dialog', 'Side sheet', 'Wide sheet']) {
      await person.button(`Open: ${name}`).press('Enter');
      await page.getByRole('dialog').waitFor();
      await look();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    }
    await person.button('Account').press('Enter');
    await page.getByRole('menu').waitFor();
    await look();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'hidden' });
    await page.setViewportSize({ width: 390, height: 844 });
    await look();
    expect(
      await page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
    ).toBe(0);
    expect(faults).toEqual([]);
    expect(person.noticed.complaints).toEqual([]);
    await person.leave();
  });
});
