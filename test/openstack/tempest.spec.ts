import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import {
  DOCUMENTED_KEY,
  freePort,
  nameServer,
  NEEDS,
  serviceConfiguration,
} from '../support/name-servers/name-servers.js';
import { together } from '../support/openstack/debian.js';
import { Keystone, KEYSTONE } from '../support/openstack/keystone.js';
import { Tempest, TEMPEST } from '../support/openstack/tempest.js';
import { readFailures, readResults, type Results, summaryByClass } from '../support/openstack/tempest-results.js';
import { isInstalled, itWith } from '../support/run-program.js';
import { removeTestData, type Settings, startTestService, type TestService } from '../support/service.js';
import { NOT_PASSING } from './tempest/not-passing.js';

/** `npm run test:all` runs these classes; `npm run test:tempest` runs all of them, and writes a summary. */
const SHORT_FORM = [
  'api.v2.test_recordset.RootRecordsetsTests',
  'api.v2.test_zones.ZonesTest',
  'scenario.v2.test_zones.ZonesTest',
];
const { ZONEWRIGHT_TEMPEST: LONG_FORM, ZONEWRIGHT_TEMPEST_SUMMARY: SUMMARY } = process.env;
const NAMES = LONG_FORM ?? `tests\\.(${SHORT_FORM.map((name) => name.replaceAll('.', '\\.')).join('|')})\\.`;
const PATIENCE = LONG_FORM === undefined ? 240_000 : 5_400_000;

const NEEDED = together('tempest', TEMPEST, KEYSTONE, { name: 'BIND', needs: NEEDS.BIND });

const SUMMARY_HEAD = `# Tempest

OpenStack's acceptance tests of the DNS service, unmodified, against Zonewright with Keystone, and BIND as its name
server: the packages \`designate-tempest-plugin\` 0.14.0, with the data files that it lacks, \`tempest\` 33.0.0, and
\`keystone\` 22.0.2 of Debian 12. Beside it is what Designate 15.0.2 with BIND reached with them.
\`npm run test:tempest -- --write\` writes this page anew.`;

/** The quotas of the original, which some tests reach. */
const QUOTAS = {
  DEFAULT__QUOTA_ZONES: '10',
  DEFAULT__QUOTA_ZONE_RECORDSETS: '500',
  DEFAULT__QUOTA_ZONE_RECORDS: '500',
  DEFAULT__QUOTA_RECORDSET_RECORDS: '20',
};

describe('tempest', () => {
  let tempest: Tempest;
  const ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    if (!isInstalled(NEEDED)) return;
    const directory = await mkdtemp(join(tmpdir(), 'zonewright-tempest-'));
    ends.push(() => removeTestData(directory));
    const keystone = await Keystone.start({ directory: join(directory, 'keystone') });
    ends.push(() => keystone.stop());
    const port = await freePort();
    const bind = await nameServer('BIND', { directory, primary: port });
    const service = await startPublishing(directory, port, bind.port, keystone.settings);
    ends.push(() => service.stop());
    await bind.start();
    ends.push(() => bind.stop());
    keystone.leadTo(service.url);
    const place = join(directory, 'tempest');
    await mkdir(place);
    tempest = await Tempest.setUp({ directory: place, keystone, nameServers: [`127.0.0.1:${bind.port}`] });
  }, PATIENCE);

  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });

  itWith(NEEDED)(
    '13 passes every test that the original passes, except those listed with a reason (attack case 122)',
    async () => {
      const printed = await tempest.run(NAMES, PATIENCE);
      const results = readResults(printed);
      if (SUMMARY !== undefined) await writeSummary(SUMMARY, printed, results);
      const failures = readFailures(printed);
      const surprises = Object.entries(results).filter(([test, result]) => (result === 'pass') === test in NOT_PASSING);
      expect(surprises.map(([test, result]) => `${test}: ${failures[test] ?? result}`)).toEqual([]);
      expect(Object.keys(results)).not.toEqual([]);
    },
    PATIENCE,
  );
});

/** The service with BIND as its name server, on `primary` for DNS. */
async function startPublishing(
  directory: string,
  primary: number,
  secondary: number,
  keystone: Settings,
): Promise<TestService> {
  const secondaries = `127.0.0.1:${secondary}@${DOCUMENTED_KEY}`;
  await writeFile(join(directory, 'zonewright.conf'), serviceConfiguration({ primary, secondaries, directory }));
  const administration = { SERVICE_API__ENABLE_API_ADMIN: 'True', SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas' };
  return startTestService({ ...QUOTAS, ...administration, ...keystone }, directory);
}

async function writeSummary(file: string, printed: string, results: Results): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.log`, printed);
  const reasons = Object.entries(NOT_PASSING).map(([test, reason]) => `- \`${test}\`: ${reason}.`);
  const parts = [SUMMARY_HEAD, summaryByClass(results), '## Not passed', reasons.join('\n')];
  await writeFile(file, `${parts.join('\n\n')}\n`);
}
