import type { Browser, BrowserContextOptions, Route } from 'playwright-core';
import { Person } from './person.js';
import { liveComparison, parentLook } from './other-servers.js';
import { NOW, type Scene } from './scene.js';

/** Windows of the tests of all views. Zoom of 200 % leaves half of the width and height. */
export const WINDOWS = {
  desktop: { viewport: { width: 1280, height: 800 } },
  zoom: { viewport: { width: 640, height: 400 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} as const satisfies Readonly<Record<string, BrowserContextOptions>>;

/** Only the date stands still: the clock of Playwright also replaces idle callbacks, which the console loads its pages in. */
const FIXED_DATE = `{
  const [Real, now] = [Date, Date.parse('${NOW}')];
  globalThis.Date = class extends Real {
    constructor(...parts) { if (parts.length === 0) super(now); else super(...parts); }
    static now() { return now; }
  };
}`;

/** Anna in the scene, signed in. Time, places and generated values are the same in each run. */
export async function visitorOf(scene: Scene, browser: Browser, window: keyof typeof WINDOWS): Promise<Person> {
  const settings = { timezoneId: 'UTC', locale: 'en-GB', colorScheme: 'light', reducedMotion: 'reduce' } as const;
  const person = await Person.at(browser, scene.url, 0, { ...settings, ...WINDOWS[window] });
  person.page.setDefaultTimeout(30_000);
  await person.context.addInitScript(FIXED_DATE);
  await person.context.route('**/v1/**', (route) => answerSteadily(route, scene));
  await person.comeTo('/zones', scene.anna.token);
  return person;
}

async function answerSteadily(route: Route, scene: Scene): Promise<void> {
  try {
    const json = answerOfOthers(new URL(route.request().url()), scene);
    if (json !== null) {
      await route.fulfill({ json });
      return;
    }
    // The service takes the cookie of requests of its own page alone (rule 3.8).
    const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' };
    const response = await route.fetch({ headers, url: own(route.request().url(), scene) });
    const isJson = (response.headers()['content-type'] ?? '').includes('json');
    await route.fulfill(isJson ? { response, body: steady(await response.text(), scene) } : { response });
  } catch {
    // The page was left meanwhile.
    await route.abort().catch(() => undefined);
  }
}

/** Questions to name servers outside of the scene. Their answers would depend on the network of the machine. */
function answerOfOthers({ pathname }: URL, { zones }: Scene): object | null {
  const [, zoneId, asked] = /\/v1\/domains\/([^/]+)\/(live-comparison|dnssec\/parent)$/.exec(pathname) ?? [];
  const zone = zones.find(({ id }) => id === zoneId);
  if (zone === undefined) return null;
  return asked === 'live-comparison' ? liveComparison() : parentLook(zone.name);
}

/** Values that each run has anew: identifiers, times, and keys, which show letters that repeat. */
const GENERATED: readonly (readonly [RegExp, string])[] = [
  [/(?<="(?:made_by|token_id)":")[0-9a-f-]{36}/g, '01998a2c-7f00-7000-8000-000000000001'],
  [/(?<="event_id":"test:)[0-9a-f-]{36}/g, '01998a2c-7f00-7000-8000-000000000002'],
  [/(?<="(?:key_)?tag":)\d+/g, '31337'],
  [/(?<="last_answer":")[^"]+/g, '2026-11-28T09:29:58.000000'],
  [/(?<="last_used_at":")[^"]+/g, '2026-11-28T09:26:00.000000'],
  [/(?<="next_renewal":")[^"]+/g, '2026-12-04T10:06:00.000000'],
  [/(?<=")\d{1,5}(?= \d+ [24] [0-9A-F]{64,96}")/gi, '31337'],
  [/\b[0-9A-F]{64}\b/gi, 'a1b2c3d4'.repeat(8)],
  [/(?<=\b25[67] 3 \d+ )[A-Za-z0-9+/=]{20,}/g, `${'Zx8k'.repeat(10)}Zw=`],
  [/\bzw_\w+/g, `zw_${'k3Jq'.repeat(8)}`],
  [/\bwhsec_[\w+/=]+/g, `whsec_${'k3Jq'.repeat(8)}`],
  [/(?<="secret":")[A-Za-z0-9+/=]{20,}/g, `${'k3Jq'.repeat(10)}kw=`],
];

/** The address of a request, with the texts of this run in place of those that the page shows. */
const own = (url: string, scene: Scene): string =>
  scene.texts
    .map(([text, shown]) => [encodeURIComponent(text), encodeURIComponent(shown)] as const)
    .reduce((before, [text, shown]) => before.replaceAll(`=${shown}`, `=${text}`), url);

function steady(body: string, scene: Scene): string {
  const placed = scene.texts.reduce((before, [text, shown]) => before.replaceAll(text, shown), body);
  return GENERATED.reduce((before, [pattern, shown]) => before.replace(pattern, shown), placed);
}
