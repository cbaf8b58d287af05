import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeWithBrowser, openBrowser } from '../support/browser.js';
import type { Person } from './person.js';
import { Scene } from './scene.js';
import { givesFocusBack, show, type View, VIEWS } from './views.js';
import { visitorOf } from './visitor.js';

const PATIENCE = 300_000;

/** Targets below a size, each as its markup. Links within text are an exception of WCAG 2.5.8; a label is a part of its box. */
const smallTargets = (least: number): string => `
  [...document.querySelectorAll('button, select, input, textarea, summary, nav a, [role=tab], [role^=menuitem], [role=option]')]
    .filter((one) => one.checkVisibility({ opacityProperty: false }) && !one.closest('.visually-hidden, [inert], [aria-hidden=true], [style*="width: 1px"]'))
    .filter((one) => {
      const target = /^(checkbox|radio)$/.test(one.type) ? one.closest('label') ?? one.parentElement : one;
      const { width, height } = target.getBoundingClientRect();
      return width > 1 && (width < ${least} || height < ${least});
    })
    .map((one) => one.getBoundingClientRect().width.toFixed() + '×' + one.getBoundingClientRect().height.toFixed() + ' ' + one.outerHTML.slice(0, 140))`;

/** Roles that mean nothing to a screen reader without a name. */
const NAMED = new Set(
  ['button', 'link', 'textbox', 'searchbox', 'combobox', 'listbox', 'checkbox', 'radio', 'tab', 'menuitem'].concat([
    'dialog',
    'alertdialog',
    'grid',
    'table',
    'navigation',
    'region',
    'heading',
    'img',
    'progressbar',
    'spinbutton',
  ]),
);

interface AxNode {
  readonly ignored: boolean;
  readonly role?: { readonly value: string };
  readonly name?: { readonly value: string };
}

/** What the accessibility tree lacks: names, one heading of the page, its landmarks, a status. */
async function treeFaults(person: Person, view: View): Promise<string[]> {
  const session = await person.context.newCDPSession(person.page);
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as { nodes: AxNode[] };
  await session.detach();
  const shown = nodes.filter(({ ignored }) => !ignored);
  const count = (role: string): number => shown.filter((node) => node.role?.value === role).length;
  const nameless = shown
    .filter(({ role, name }) => NAMED.has(role?.value ?? '') && (name?.value ?? '').trim() === '')
    .map(({ role }) => `${role?.value} without a name`);
  if (count('dialog') > 0 || count('menu') > 0 || view.isSignedIn === false) return nameless;
  const headings = await person.page.getByRole('heading', { level: 1 }).count();
  return [
    ...nameless,
    ...(headings === 1 ? [] : [`${headings} headings of level 1`]),
    ...['main', 'banner', 'navigation', 'status'].filter((role) => count(role) === 0).map((role) => `no ${role}`),
  ];
}

describeWithBrowser('the accessibility of every page and dialog', () => {
  let scene: Scene;
  let browser: Browser;
  beforeAll(async () => {
    scene = await Scene.start();
    browser = await openBrowser();
  }, PATIENCE);
  afterAll(async () => {
    await browser.close();
    await scene.stop();
  });

  async function walk(window: 'desktop' | 'phone', check: (person: Person, view: View) => Promise<string[]>) {
    /** The same fault is on many pages, since they share their parts. */
    const faults = new Map<string, string>();
    const person = await visitorOf(scene, browser, window);
    const note = (view: View, found: readonly string[]): void => {
      for (const fault of found) {
        const kind = fault.replace(/react-aria\S+|_r_\w+_|href="[^"]*"|\d+(?=×)/g, '…');
        if (!faults.has(kind)) faults.set(kind, `${view.name}: ${fault}`);
      }
    };
    for (const view of VIEWS.filter(({ isDesktop }) => window === 'desktop' || isDesktop !== true)) {
      try {
        await show(view, person, scene);
        note(view, await check(person, view));
        if (!(await givesFocusBack(view, person))) note(view, ['the focus is lost after the dialog']);
      } catch (error) {
        note(view, [error instanceof Error ? error.message : String(error)]);
      }
      if (view.isSignedIn === false) await person.comeTo('/zones', scene.anna.token);
    }
    await person.leave();
    return [...faults.values()];
  }

  // The last views of the desktop change the zone.
  it(
    '22.6 is clean on a phone in light and dark, with targets of 44 px and nothing beyond the side',
    async () => {
      const faults = await walk('phone', async (person) => [
        ...(await person.faults()),
        ...(await person.darkFaults()),
        ...(await person.page.evaluate<string[]>(smallTargets(44))).map((target) => `below 44 px: ${target}`),
        ...(await person.page.evaluate<string[]>(
          'document.documentElement.scrollWidth > document.documentElement.clientWidth ? ["wider than the screen"] : []',
        )),
      ]);
      expect(faults).toEqual([]);
    },
    PATIENCE,
  );

  it(
    '22.6 is clean in light and dark, with targets of 24 px, names, and the focus back after each dialog',
    async () => {
      const faults = await walk('desktop', async (person, view) => [
        ...(await person.faults()),
        ...(await person.page.evaluate<string[]>(smallTargets(24))).map((target) => `below 24 px: ${target}`),
        ...(await treeFaults(person, view)),
        ...(await person.darkFaults()),
      ]);
      expect(faults).toEqual([]);
    },
    PATIENCE,
  );
});
