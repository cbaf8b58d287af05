import type { Locator } from 'playwright-core';
import { until } from '../support/until.js';
import { OLD } from './other-servers.js';
import type { Person } from './person.js';
import { MOVING, NOW, type Scene } from './scene.js';

/** A move in progress, as the console keeps it in the browser. */
interface Move {
  readonly domain: string;
  readonly email: string;
  readonly source: 'file' | 'transfer' | 'queries';
  readonly servers: readonly string[];
  readonly isSigned: boolean;
  readonly dsUntil: string | null;
  readonly step: MoveStep;
  readonly done: readonly MoveStep[];
  readonly text: string;
  readonly at: string;
}

type MoveStep = 'source' | 'records' | 'compare' | 'name-servers' | 'delegation' | 'dnssec';

/** A page or a dialog of the console, in the scene. Add one line for each new page and dialog. */
export interface View {
  /** Also the name of its pictures. */
  readonly name: string;
  readonly path: string;
  /** Complete once this is visible. */
  readonly shows: (person: Person) => Locator;
  /** The control that opens the dialog. It has the focus again once Escape has closed the dialog. */
  readonly opener?: (person: Person) => Locator;
  /** Leads from the page, or from the open dialog, to the state. */
  readonly act?: (person: Person, scene: Scene) => Promise<unknown>;
  /** A move in progress in the browser. */
  readonly move?: Partial<Move>;
  /** `false`: before the sign-in. */
  readonly isSignedIn?: false;
  /** Its control is missing on phones. */
  readonly isDesktop?: true;
  /** Shown as a picture, in light only, on no phone: the documentation needs no more. */
  readonly isMinor?: true;
}

const ORG = '/zones/example.org.';
const heading = (name: string | RegExp) => (person: Person) => person.page.getByRole('heading', { name });
const text = (shown: string | RegExp) => (person: Person) => person.page.getByText(shown).first();
const row = (shown: string) => (person: Person) =>
  person.page.getByRole('row').filter({ hasText: shown }).filter({ visible: true }).first();
const button = (name: string | RegExp) => (person: Person) => person.button(name).first();
const dialog = (name: string) => (person: Person) => person.dialog(name);

/** Presses a key in a row, as the buttons of phones are in a menu. */
async function press(person: Person, data: string, key: string): Promise<void> {
  await person.records.getByRole('row').filter({ hasText: data }).focus();
  await person.page.keyboard.press(key);
}

/** Two pending changes: a record deleted, and one with another TTL. */
async function pend(person: Person): Promise<void> {
  await press(person, '192.0.2.25', 'Delete');
  await press(person, '2001:db8::80', 'e');
  const form = person.dialog('Edit record');
  await form.getByLabel('TTL', { exact: true }).fill('15m');
  await form.getByRole('button', { name: 'Add to changes' }).click();
  await form.waitFor({ state: 'hidden' });
}

async function review(person: Person): Promise<void> {
  await pend(person);
  await person.review();
  await person.plan.getByRole('row').filter({ hasText: 'mail' }).first().waitFor();
}

const PAGES: readonly View[] = [
  { name: 'sign-in', path: '/zones', isSignedIn: false, shows: heading('Sign in') },
  {
    name: 'sign-in-error',
    path: '/zones',
    isSignedIn: false,
    shows: heading('Sign in'),
    act: async (person) => {
      await person.signIn('zw_expired');
      await person.page.getByRole('alert').waitFor();
    },
  },
  { name: 'zones', path: '/zones', shows: text('Behind') },
  { name: 'records', path: `${ORG}/records`, shows: row('192.0.2.80') },
  { name: 'records-pending', path: `${ORG}/records`, shows: row('192.0.2.80'), act: pend },
  { name: 'records-empty', path: '/zones/empty.example./records', shows: text('This zone has no records yet') },
  { name: 'secondary', path: '/zones/partner.example./records', shows: row('192.0.2.90') },
  { name: 'import', path: `${ORG}/import`, shows: heading('Import') },
  { name: 'history', path: `${ORG}/history`, shows: text('First records') },
  { name: 'health', path: `${ORG}/health`, shows: text('192.0.2.53:53') },
  { name: 'health-behind', path: '/zones/shop.example./health', shows: text('Behind'), isMinor: true },
  { name: 'dnssec-unsigned', path: `${ORG}/dnssec`, shows: button('Sign this zone') },
  { name: 'dnssec', path: '/zones/signed.example./dnssec', shows: row('ED25519') },
  { name: 'settings', path: `${ORG}/settings`, shows: button('Save settings') },
  {
    name: 'record',
    path: `${ORG}/records`,
    shows: row('192.0.2.80'),
    act: async (person) => {
      await person.records.getByRole('row').filter({ hasText: '2001:db8::80' }).getByRole('link').click();
      await person.page.getByRole('heading', { level: 2, name: 'www AAAA' }).waitFor();
      await person.page.getByRole('list', { name: 'Versions' }).getByRole('listitem').nth(1).waitFor();
    },
  },
  { name: 'zone-missing', path: '/zones/missing.example./records', shows: text('missing.example. does not exist') },
  { name: 'changes', path: '/changes', shows: text('First records') },
  { name: 'templates', path: '/templates', shows: row('fastmail') },
  { name: 'deleted-zones', path: '/deleted-zones', shows: row('former.example.') },
  { name: 'search', path: '/search?q=203.0.113', shows: row('203.0.113.10') },
  { name: 'name-servers', path: '/name-servers', shows: heading(/192\.0\.2\.53:53/) },
  { name: 'tokens', path: '/tokens', shows: row('certbot.example.org.') },
  { name: 'webhooks', path: '/webhooks', shows: row('hooks.example.org') },
  {
    name: 'webhook',
    path: '/webhooks',
    shows: row('hooks.example.org'),
    act: async (person) => {
      await person.page.getByRole('link', { name: /hooks\.example\.org/ }).click();
      await person.page.getByRole('table', { name: 'Deliveries' }).getByText('Delivered').waitFor();
    },
  },
  { name: 'usage', path: '/quotas', shows: row('Zones') },
  { name: 'audit', path: '/audit', shows: row('signed.example.') },
  { name: 'not-found', path: '/nowhere', shows: heading('Page not found') },
];

/** A step of the move, with the old name servers of `OLD`. */
const step = (name: MoveStep, shows: View['shows'], move: Partial<Move> = {}): View => ({
  ...{ name: `move-in-${name}`, path: `/move-in/${MOVING}/${name}`, shows },
  move: { step: name, ...move },
});

const OLD_FILE = `$TTL 3600
@ IN NS ns1.old-provider.example.
@ 300 IN A 203.0.113.80
@ IN MX 10 mail
@ IN TXT v=spf1 mx ~all
mail IN A no-address
www IN CNAME moving.example
`;

const MOVES: readonly View[] = [
  { name: 'move-in', path: '/move-in', move: {}, shows: heading('Domain and source') },
  {
    name: 'move-in-transfer',
    path: '/move-in',
    shows: heading('Domain and source'),
    act: async ({ page }) => {
      await page.getByLabel('Domain', { exact: true }).fill('example.net');
      await page.getByRole('radio', { name: /^Transfer/ }).check();
      await page.getByRole('checkbox', { name: 'Sign the transfer with a TSIG key' }).check();
      await page.getByRole('button', { name: 'Continue', exact: true }).click();
      await page.getByText('Enter the name and the secret of the key.').waitFor();
    },
    isMinor: true,
  },
  step('source', heading('Domain and source')),
  step('records', button(/^Show line/), { source: 'file', done: ['source'], text: OLD_FILE }),
  step('compare', text('4 record sets compared: 2 differences.')),
  step('name-servers', button('Copy Name server 1 of Name servers'), { done: ['source', 'records', 'compare'] }),
  step('delegation', text('b.nic.example.'), { done: ['source', 'records', 'compare', 'name-servers'] }),
  step('dnssec', button('Sign this zone'), { done: ['source', 'records', 'compare', 'name-servers', 'delegation'] }),
  {
    name: 'move-in-forget',
    path: '/move-in',
    move: {},
    shows: heading('Domain and source'),
    opener: button('Remove the move of moving.example.'),
    isMinor: true,
  },
];

const DIALOGS: readonly View[] = [
  {
    name: 'new-zone',
    path: '/zones',
    shows: text('Behind'),
    opener: button('New zone'),
    act: async (person) => {
      await person.dialog('New zone').getByLabel('Name', { exact: true }).fill('example.net');
      await person.dialog('New zone').getByLabel('Email', { exact: true }).fill('hostmaster@example.net');
    },
  },
  {
    name: 'form',
    path: `${ORG}/records`,
    shows: row('192.0.2.80'),
    opener: button('Add record'),
    act: async (person) => {
      const form = person.dialog('Add record');
      await form.getByLabel('Type', { exact: true }).selectOption('MX');
      await form.getByLabel('Name', { exact: true }).fill('@');
      await form.getByLabel('Exchange', { exact: true }).fill('mail');
      await form.getByLabel('Preference', { exact: true }).fill('100000');
      await form.getByRole('button', { name: 'Add to changes' }).click();
      await form.locator('[aria-invalid]:focus').waitFor();
    },
  },
  {
    name: 'template',
    path: `${ORG}/records`,
    shows: row('192.0.2.80'),
    opener: button('More actions'),
    act: async (person) => {
      await person.page.getByRole('menuitem', { name: 'Add from template' }).click();
      const templates = person.dialog('Add from template');
      await templates.getByRole('radio', { name: 'Google Workspace' }).check();
      await templates.getByLabel('Verification text').fill('google-site-verification=4d2b9c');
      await templates.getByRole('group', { name: '@ MX' }).waitFor();
    },
  },
  {
    name: 'bulk-edit',
    path: `${ORG}/records`,
    shows: row('192.0.2.80'),
    opener: button('Edit selected'),
    isMinor: true,
  },
  { name: 'plan', path: `${ORG}/records`, shows: row('192.0.2.80'), act: review },
  {
    name: 'undo',
    path: `${ORG}/history`,
    shows: text('First records'),
    act: async (person) => {
      await person.page
        .getByRole('button', { name: /^Actions for serial/ })
        .first()
        .click();
      await person.page.getByRole('menuitem', { name: 'Undo this change' }).click();
      await person.plan.getByRole('row').filter({ hasText: '192.0.2.66' }).first().waitFor();
    },
    isMinor: true,
  },
  {
    name: 'compare-changes',
    path: `${ORG}/history`,
    shows: text('First records'),
    act: async (person) => {
      const ticks = person.page.getByRole('checkbox', { name: /^Compare/ });
      await ticks.nth(0).check();
      await ticks.nth(1).check();
      await person.button('Compare').click();
      await person.page.getByRole('dialog').getByRole('row').filter({ hasText: '192.0.2.66' }).first().waitFor();
    },
  },
  {
    name: 'row-menu',
    path: `${ORG}/records`,
    shows: row('192.0.2.80'),
    opener: button('Actions for @ CAA'),
  },
  {
    name: 'import-errors',
    path: `${ORG}/import`,
    shows: heading('Import'),
    act: async (person) => {
      const file = 'ftp 300 A 192.0.2.21\nbackup A 192.0.2.300\n@ MX mail\n';
      await person.page.getByLabel('Or paste zone file text').fill(file);
      await person.button('Review import').click();
      await person.page.getByRole('table', { name: 'Errors in the file' }).waitFor();
    },
    isMinor: true,
  },
  {
    name: 'new-access',
    path: '/tokens',
    shows: row('certbot.example.org.'),
    opener: button('New token or key'),
    act: (person) => person.dialog('New token or key').getByRole('radio', { name: 'certbot' }).check(),
  },
  {
    name: 'revoke',
    path: '/tokens',
    shows: row('certbot.example.org.'),
    opener: button('Revoke Monitoring'),
    isMinor: true,
  },
  { name: 'new-webhook', path: '/webhooks', shows: row('hooks.example.org'), opener: button('New webhook') },
  { name: 'new-template', path: '/templates', shows: row('fastmail'), opener: button('New template'), isMinor: true },
  { name: 'edit-quotas', path: '/quotas', shows: row('Zones'), opener: button('Edit quotas'), isMinor: true },
  {
    name: 'delete-zone',
    path: `${ORG}/settings`,
    shows: button('Save settings'),
    opener: button('Delete zone'),
    isMinor: true,
  },
  {
    name: 'edit-labels',
    path: `${ORG}/records`,
    shows: row('192.0.2.80'),
    act: async (person) => {
      await person.records.getByRole('row').filter({ hasText: '2001:db8::80' }).getByRole('link').click();
      await person.button('Edit labels').click();
      await person.dialog('Edit labels').waitFor();
    },
    isMinor: true,
  },
  { name: 'accept-zone', path: '/zones?dialog=accept', shows: button('Accept'), isMinor: true },
  {
    name: 'save-filter',
    path: '/zones?label=team%3Dweb',
    shows: text('No zone has these labels'),
    opener: button('Save filter'),
    isMinor: true,
  },
  {
    name: 'restore-zone',
    path: '/deleted-zones',
    shows: row('former.example.'),
    opener: button('Restore former.example.'),
    isMinor: true,
  },
  {
    name: 'commands',
    path: '/zones',
    shows: text('Behind'),
    opener: button('Search or jump to…'),
    isDesktop: true,
    act: (person) => person.dialog('Go to').getByRole('button', { name: 'Webhooks' }).waitFor(),
  },
  { name: 'account', path: '/zones', shows: text('Behind'), opener: button('Account'), isMinor: true },
  { name: 'help', path: '/zones', shows: text('Behind'), opener: button('Help'), isMinor: true },
  {
    name: 'shortcuts',
    path: '/zones',
    shows: text('Behind'),
    act: async (person) => {
      await person.button('Account').click();
      await person.page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
      await dialog('Keyboard shortcuts')(person).waitFor();
    },
    isMinor: true,
  },
  {
    name: 'switch-tenant',
    path: '/zones',
    shows: text('Behind'),
    act: async (person) => {
      await person.button('Account').click();
      await person.page.getByRole('menuitem', { name: 'Switch tenant' }).click();
      await dialog('Switch tenant')(person).getByRole('button', { name: 'acme' }).waitFor();
    },
    isMinor: true,
  },
];

/** These change the zone, so they come last, and once. */
export const CHANGES: readonly View[] = [
  {
    name: 'applied',
    path: `${ORG}/records`,
    shows: row('192.0.2.80'),
    act: async (person) => {
      await review(person);
      await person.apply();
      await person.page.getByText(/live everywhere/).waitFor();
    },
    ...{ isMinor: true, isDesktop: true },
  },
  {
    name: 'conflict',
    path: `${ORG}/records`,
    shows: row('192.0.2.80'),
    act: async (person, scene) => {
      await press(person, '192.0.2.80', 'Delete');
      await scene.meddle();
      await person.button(/^Review changes/).click();
      await person.dialog('Plan').getByRole('table', { name: 'Changes by others' }).waitFor();
    },
    ...{ isMinor: true, isDesktop: true },
  },
];

export const VIEWS: readonly View[] = [...PAGES, ...MOVES, ...DIALOGS, ...CHANGES];

/** A move in progress, as a browser keeps it. */
const moveOf = (move: Partial<Move>): Move => ({
  ...{ domain: MOVING, email: '', source: 'transfer', servers: OLD, isSigned: false, dsUntil: null },
  ...{ step: 'compare', done: ['source', 'records'], text: '', at: NOW },
  ...move,
});

/** Opens a view in a tab without pending changes. The visitor is signed in, and is again after a view of the sign-in. */
export async function show(view: View, person: Person, scene: Scene): Promise<void> {
  const { page } = person;
  const kept = JSON.stringify(view.move === undefined ? [] : [moveOf(view.move)]);
  await page.evaluate(`sessionStorage.clear(); localStorage.clear();
    for (const move of ${kept}) localStorage.setItem('zonewright.move-in.acme/' + move.domain, JSON.stringify(move))`);
  if (view.isSignedIn === false) await person.context.clearCookies();
  await person.open(view.path);
  await view.shows(person).waitFor();
  if (view.name === 'bulk-edit') await page.getByRole('checkbox', { name: 'Select www AAAA' }).check();
  if (view.opener !== undefined) {
    await view.opener(person).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').or(page.getByRole('menu')).first().waitFor();
  }
  await view.act?.(person, scene);
}

/** Closes the dialog of a view. Returns whether its opener has the focus again. */
export async function givesFocusBack(view: View, person: Person): Promise<boolean> {
  const opener = view.opener?.(person);
  if (opener === undefined) return true;
  await person.page.keyboard.press('Escape');
  await person.page.getByRole('dialog').or(person.page.getByRole('menu')).waitFor({ state: 'hidden' });
  const has = (): Promise<boolean> => opener.evaluate((one) => one === one.ownerDocument.activeElement);
  await until(has, 2000).catch(() => undefined);
  return has();
}
