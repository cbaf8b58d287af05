import { describe } from '@jest/globals';
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const CHROMIUM = '/usr/bin/chromium';
const isThere = existsSync(CHROMIUM);
if (!isThere && process.env.CI !== 'true')
  console.warn(
    `SKIPPED: pages are not tested in a browser, because ${CHROMIUM} is missing (Debian: apt install chromium)`,
  );

/** In CI a missing browser is a failure. */
export const describeWithBrowser = isThere || process.env.CI === 'true' ? describe : describe.skip;

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** Complaints and foreign requests of a page. */
export interface Noticed {
  readonly complaints: string[];
  readonly foreign: string[];
}

export function notice(page: Page, url: string): Noticed {
  const noticed: Noticed = { complaints: [], foreign: [] };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) noticed.complaints.push(message.text());
  });
  page.on('pageerror', (error) => noticed.complaints.push(error.message));
  page.on('request', (request) => {
    const asked = request.url();
    if (!asked.startsWith(`${url}/`) && !/^(data|blob):/.test(asked)) noticed.foreign.push(asked);
  });
  return noticed;
}
