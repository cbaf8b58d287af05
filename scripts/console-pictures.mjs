#!/usr/bin/env node
/**
 * `npm run docs:console` takes the pictures of docs/console/: a walk through the console with a small zone, which BIND (named)
 * answers for, in light, and its central screens in dark and on a phone too.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { takeTour } from './console-tour.mjs';
import { prepare, root } from './prepare.mjs';

const TOKEN = 'a-token-for-pictures-alone';
const [API, PRIMARY, SECONDARY] = [9187, 9188, 9189].map((port) => `127.0.0.1:${port}`);
const SECRET = randomBytes(32).toString('base64');

await prepare({ dev: true });
const folder = mkdtempSync(path.join(tmpdir(), 'zonewright-pictures-'));
const processes = [startService(), startNameServer()];
try {
  await listening();
  await takePictures();
} finally {
  for (const child of processes) child.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}

function startService() {
  const settings = {
    SERVICE_API__LISTEN: API,
    SERVICE_API__AUTH_STRATEGY: 'token',
    AUTH__ADMIN_TOKEN: TOKEN,
    SERVICE_CENTRAL__NAME_SERVERS: 'ns1.example.net.',
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: PRIMARY,
    SERVICE_MDNS__TSIG_KEYS: `transfer:hmac-sha256:${SECRET}`,
    SERVICE_MDNS__SECONDARIES: `${SECONDARY}@transfer`,
    SERVICE_MDNS__CATALOG_ZONE: 'catalog.example.',
    SERVICE_DNSSEC__ENABLED: 'True',
    SERVICE_DNSSEC__KEY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
  };
  const env = Object.entries(settings).map(([name, value]) => [`ZONEWRIGHT_${name}`, value]);
  return spawn(process.execPath, [path.join(root, 'dist/src/main.js')], {
    cwd: folder,
    env: { ...process.env, ...Object.fromEntries(env) },
    stdio: 'ignore',
  });
}

/** As docs/publishing.md has it for BIND. */
function startNameServer() {
  const [address, port] = SECONDARY.split(':');
  const [primary, primaryPort] = PRIMARY.split(':');
  const file = path.join(folder, 'named.conf');
  const configuration = `
    key "transfer" { algorithm hmac-sha256; secret "${SECRET}"; };
    primaries "zonewright" { ${primary} port ${primaryPort} key "transfer"; };
    controls {};
    options {
      directory "${folder}"; pid-file none; session-keyfile "${folder}/session.key";
      listen-on port ${port} { ${address}; }; listen-on-v6 { none; };
      recursion no; notify no; allow-notify { key "transfer"; };
      catalog-zones {
        zone "catalog.example" default-primaries { zonewright; } in-memory no zone-directory "${folder}" min-update-interval 0;
      };
    };
    zone "catalog.example" { type secondary; file "catalog.example"; primaries { zonewright; }; };
  `;
  writeFileSync(file, configuration);
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
  return spawn('named', ['-f', '-c', file], { env, stdio: 'ignore' });
}

async function listening() {
  for (let n = 0; n < 120; n += 1) {
    if (await fetch(`http://${API}/healthz`).catch(() => null)) return;
    await delay(500);
  }
  throw new Error('the service does not listen');
}

async function takePictures() {
  const pictures = path.join(root, 'docs/console');
  rmSync(pictures, { recursive: true, force: true });
  mkdirSync(pictures, { recursive: true });
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    await takeTour({ browser, pictures, url: `http://${API}`, call });
  } finally {
    await browser.close();
  }
}

/** Asks the API as the tenant of the pictures, with the token of the admin or another one. */
async function call(method, where, body, token = TOKEN) {
  const headers = {
    'X-Auth-Token': token,
    ...(token === TOKEN && { 'X-Auth-Sudo-Tenant-ID': 'acme' }),
    'Content-Type': 'application/json',
  };
  const answer = await fetch(`http://${API}${where}`, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}
