import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import type { Person } from './person.js';
import { Pictures } from './pictures.js';
import { Scene } from './scene.js';
import { CHANGES, show, type View, VIEWS } from './views.js';
import { visitorOf, WINDOWS } from './visitor.js';

const PATIENCE = 600_000;
/** A page may still be drawing: its picture is taken again after these times, in milliseconds. */
const AGAIN_AFTER = [0, 250, 750, 1500, 3000];

/** `PICTURES=update` takes the pictures of docs/console/ anew. */
const isUpdate = process.env.PICTURES === 'update';

describeWithBrowser('pictures of every page and dialog', () => {
  const pictures = new Pictures(join(process.cwd(), 'docs/console'), isUpdate);
  let scene: Scene;
  let browser: Browser;
  // For a repetition too: the views change the scene.
  beforeEach(async () => {
    scene = await Scene.start();
    browser = await openBrowser();
  }, PATIENCE);
  afterEach(async () => {
    await browser.close();
    await scene.stop();
  });

  it(
    '22.6 looks the same as in the documentation: in light, in dark, at 200 % zoom and on a phone',
    async () => {
      const faults: string[] = [];
      const onDesktop = async ({ page }: Person, { name, isMinor }: View): Promise<void> => {
        faults.push(...(await picture(page, `${name}-light`)));
        if (isMinor === true) return;
        await page.emulateMedia({ colorScheme: 'dark' });
        faults.push(...(await picture(page, `${name}-dark`)));
        await page.emulateMedia({ colorScheme: 'light' });
        await page.setViewportSize(WINDOWS.zoom.viewport);
        faults.push(...(await picture(page, `${name}-zoom`)));
        await page.setViewportSize(WINDOWS.desktop.viewport);
      };
      const onPhone = async ({ page }: Person, { name }: View): Promise<void> =>
        void faults.push(...(await picture(page, `${name}-phone`)));
      const desktop = await visitorOf(scene, browser, 'desktop');
      const fonts = await fontsOf(desktop.page);
      const hindrance = pictures.hindranceWith(fonts);
      if (hindrance !== null) {
        // Other fonts draw other letters.
        if (process.env.CI === 'true') throw new Error(hindrance);
        console.warn(`SKIPPED: ${hindrance}`);
        return;
      }
      const phone = await visitorOf(scene, browser, 'phone');
      const onPhones = VIEWS.filter(({ isMinor, isDesktop }) => isMinor !== true && isDesktop !== true);
      const calm = VIEWS.filter((view) => !CHANGES.includes(view));
      const lost = await Promise.all([walk(phone, onPhones, onPhone), walk(desktop, calm, onDesktop)]);
      faults.push(...lost.flat(), ...(await walk(desktop, CHANGES, onDesktop)));
      expect([...faults, ...pictures.finish(fonts)]).toEqual([]);
    },
    PATIENCE,
  );

  /** @returns views that could not be reached */
  async function walk(
    person: Person,
    views: readonly View[],
    look: (person: Person, view: View) => Promise<void>,
  ): Promise<string[]> {
    const faults: string[] = [];
    for (const view of views) {
      try {
        await show(view, person, scene);
        await look(person, view);
      } catch (error) {
        faults.push(`${view.name}: ${error instanceof Error ? error.message : String(error)}`);
      }
      if (view.isSignedIn === false) await person.comeTo('/zones', scene.anna.token);
    }
    return faults;
  }

  async function picture(page: Page, name: string): Promise<string[]> {
    await page.mouse.move(0, 0);
    let fault: string | null = null;
    let before: Buffer = Buffer.alloc(0);
    for (const wait of AGAIN_AFTER) {
      await delay(wait);
      const taken = await page.screenshot({ animations: 'disabled' });
      // Stored is a picture that has stopped changing.
      if (pictures.isUpdate && !taken.equals(before)) {
        before = taken;
        continue;
      }
      fault = pictures.take(name, taken);
      if (fault === null) return [];
    }
    if (pictures.isUpdate) return [`${name}: changes all the time`];
    return fault === null ? [] : [fault];
  }

  /** The width of a text in the fonts of the page. */
  const fontsOf = (page: Page): Promise<string> =>
    page.evaluate<string>(`['sans-serif', 'system-ui', 'ui-monospace, monospace'].map((family) => {
      const context = document.createElement('canvas').getContext('2d');
      context.font = '100px ' + family;
      return Math.round(context.measureText('Zonewright 0123456789').width);
    }).join('/')`);
});
