#!/usr/bin/env node
/** `npm run docs:console` takes the pictures of docs/console/: the console with a small zone, in light, dark and on a phone. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { prepare, root } from './prepare.mjs';

const TOKEN = 'a-token-for-pictures-alone';
const PORT = 9187;
const URL_OF_SERVICE = `http://127.0.0.1:${PORT}`;
const ZONE = 'example.org.';
const RECORDS = [
  ['@', 'MX', 'mail.example.org.', 10],
  ['@', 'TXT', '"v=spf1 mx -all"', null],
  ['mail', 'A', '192.0.2.25', null],
  ['mail', 'AAAA', '2001:db8::25', null],
  ['www', 'A', '192.0.2.80', null],
  ['www', 'AAAA', '2001:db8::80', null],
  ['_sip._tcp', 'SRV', '5 5060 sip.example.org.', 10],
  ['sip', 'A', '192.0.2.60', null],
];

await prepare({ dev: true });
const folder = mkdtempSync(path.join(tmpdir(), 'zonewright-pictures-'));
const service = spawn(process.execPath, [path.join(root, 'dist/src/main.js')], {
  cwd: folder,
  env: {
    ...process.env,
    ZONEWRIGHT_SERVICE_API__LISTEN: `127.0.0.1:${PORT}`,
    ZONEWRIGHT_SERVICE_API__AUTH_STRATEGY: 'token',
    ZONEWRIGHT_AUTH__ADMIN_TOKEN: TOKEN,
  },
  stdio: 'ignore',
});
try {
  await listening();
  await fill();
  await takePictures();
} finally {
  service.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}

async function listening() {
  for (let n = 0; n < 120; n += 1) {
    if (await fetch(`${URL_OF_SERVICE}/healthz`).catch(() => null)) return;
    await delay(500);
  }
  throw new Error('the service does not listen');
}

async function call(method, where, body) {
  const headers = { 'X-Auth-Token': TOKEN, 'X-Auth-Sudo-Tenant-ID': 'acme', 'Content-Type': 'application/json' };
  const answer = await fetch(`${URL_OF_SERVICE}${where}`, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

async function fill() {
  const { id } = await call('POST', '/v1/domains', { name: ZONE, email: 'hostmaster@example.org' });
  for (const [label, type, data, priority] of RECORDS) {
    const name = label === '@' ? ZONE : `${label}.${ZONE}`;
    await call('POST', `/v1/domains/${id}/records`, { name, type, data, priority });
  }
}

async function takePictures() {
  const { token } = await call('POST', '/v1/tokens', { description: 'for pictures' });
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  mkdirSync(path.join(root, 'docs/console'), { recursive: true });
  try {
    for (const [look, colorScheme, viewport] of [
      ['light', 'light', { width: 1100, height: 620 }],
      ['dark', 'dark', { width: 1100, height: 620 }],
      ['phone', 'light', { width: 360, height: 760 }],
    ])
      await takeLook(browser, token, look, { colorScheme, viewport });
  } finally {
    await browser.close();
  }
}

async function takeLook(browser, token, look, options) {
  const page = await browser.newPage(options);
  const picture = (name) => page.screenshot({ path: path.join(root, 'docs/console', `${name}-${look}.png`) });
  await page.goto(`${URL_OF_SERVICE}/console/zones/${ZONE}/records`);
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Delete sip A' }).click();
  await page.getByRole('button', { name: 'Edit mail A', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Edit record' });
  await form.getByLabel('TTL').fill('300');
  await form.getByRole('button', { name: 'Add to changes' }).click();
  await form.waitFor({ state: 'hidden' });
  await picture('records');
  await page.getByRole('button', { name: 'Review changes' }).click();
  await page.getByRole('table', { name: 'Changes' }).waitFor();
  await picture('plan');
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByRole('button', { name: 'Show changes' }).first().click();
  await picture('history');
  await page.close();
}
