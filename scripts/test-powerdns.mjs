#!/usr/bin/env node
/**
 * `npm run test:powerdns -- DIRECTORY [--python /usr/bin/python3] [-- -k NAME]`: PowerDNS's own tests of its API against this
 * service. They are not part of this repository: DIRECTORY is `regression-tests.api` of a checkout of github:PowerDNS/pdns at
 * the tag auth-4.7.3 or auth-5.1.4. Python needs pytest and requests (Debian: python3-pytest, python3-requests). Tests that look
 * into PowerDNS's database fail; docs/powerdns.md has the counts.
 */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { clearTimeout } from 'node:timers';
import { parseArgs } from 'node:util';
import { prepare, root } from './prepare.mjs';

const FILES = ['test_Basics.py', 'test_Discovery.py', 'test_Servers.py', 'test_Zones.py'];
/** Drivers of databases that the tests import and need not have. */
const DRIVERS = ['mysql/__init__.py', 'mysql/connector.py', 'psycopg2.py'];
/** A minimal substitute for the package of that name: a method for each list of arguments. */
const PARAMETERIZED = `
import sys

class parameterized:
    @staticmethod
    def expand(cases):
        def decorate(method):
            names = sys._getframe(1).f_locals
            for at, case in enumerate(cases):
                values = tuple(case) if isinstance(case, (list, tuple)) else (case,)
                names["%s_%d" % (method.__name__, at)] = lambda self, values=values: method(self, *values)
        return decorate
`;
/** Zone contents that the tests expect PowerDNS to have loaded from files. */
const LOADED = [
  { name: 'example.com.', rrsets: [rrset('host-18000.example.com.', 'A', 120, '192.168.1.80')] },
  {
    name: 'powerdnssec.org.',
    rrsets: [
      rrset('localhost.powerdnssec.org.', 'A', 3600, '127.0.0.1'),
      rrset('localhost.powerdnssec.org.', 'AAAA', 3600, '::1'),
    ],
  },
];
const KEY = 'key-of-the-tests-of-powerdns';
const START_MS = 300_000;

const { values, positionals } = parseArgs({
  options: { python: { type: 'string', default: '/usr/bin/python3' }, program: { type: 'string' } },
  allowPositionals: true,
});
const [directory, ...filter] = positionals;
if (directory === undefined) {
  console.error(
    'Name the folder regression-tests.api of a checkout of github:PowerDNS/pdns at auth-4.7.3 or auth-5.1.4.',
  );
  process.exit(2);
}
if (values.program === undefined) await prepare({ dev: true, built: true });
const place = mkdtempSync(path.join(os.tmpdir(), 'zonewright-powerdns-'));
const service = spawn(process.execPath, [values.program ?? path.join(root, 'dist/src/main.js')], {
  cwd: place,
  stdio: ['ignore', 'pipe', 'inherit'],
  env: {
    ...process.env,
    ZONEWRIGHT_DATABASE__URL: 'sqlite:powerdns.sqlite',
    ZONEWRIGHT_SERVICE_API__LISTEN: '127.0.0.1:0',
    ZONEWRIGHT_AUTH__ADMIN_TOKEN: KEY,
    ZONEWRIGHT_SERVICE_MDNS__ENABLED: 'True',
    ZONEWRIGHT_SERVICE_MDNS__LISTEN: '127.0.0.1:0',
    // The tests name masters that never get a query.
    ZONEWRIGHT_SERVICE_MDNS__ALLOW_MASTERS: '127.0.0.0/8, 192.0.2.0/24',
    ZONEWRIGHT_SERVICE_POWERDNS__ENABLED: 'True',
    ZONEWRIGHT_SERVICE_DNSSEC__ENABLED: 'True',
    ZONEWRIGHT_SERVICE_DNSSEC__KEY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    ZONEWRIGHT_LOG__FORMAT: 'json',
    ZONEWRIGHT_DEFAULT__QUOTA_ZONES: '100000',
  },
});
try {
  const { origin, port } = new URL(await urlOf(service));
  for (const zone of LOADED)
    await fetch(`${origin}/api/v1/servers/localhost/zones`, {
      method: 'POST',
      headers: { 'X-API-Key': KEY },
      body: JSON.stringify({ kind: 'Native', nameservers: ['ns1.example.org.', 'ns2.example.org.'], ...zone }),
    });
  process.exitCode = runTests(port);
} finally {
  service.kill();
  rmSync(place, { recursive: true, force: true });
}

function rrset(name, type, ttl, content) {
  return { name, type, ttl, records: [{ content }] };
}

/** The start says it in a line of JSON. */
function urlOf({ stdout }) {
  return new Promise((resolve, reject) => {
    let text = '';
    const timer = setTimeout(() => reject(new Error(`the service did not start: ${text}`)), START_MS);
    stdout.on('data', (octets) => {
      text += octets;
      const [, url] = /"url":"(http[^"]+)"/.exec(text) ?? [];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    });
    service.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${text}`)));
  });
}

function runTests(port) {
  const stubs = path.join(place, 'stubs');
  for (const file of DRIVERS) {
    mkdirSync(path.dirname(path.join(stubs, file)), { recursive: true });
    writeFileSync(path.join(stubs, file), '');
  }
  writeFileSync(path.join(stubs, 'parameterized.py'), PARAMETERIZED);
  const env = {
    ...process.env,
    PYTHONPATH: [stubs, process.env.PYTHONPATH].filter(Boolean).join(':'),
    PYTHONDONTWRITEBYTECODE: '1',
    WEBPORT: port,
    APIKEY: KEY,
  };
  const pytest = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '--tb=line', '-rfs', ...FILES, ...filter];
  return spawnSync(values.python, pytest, { cwd: directory, env, stdio: 'inherit' }).status ?? 1;
}
