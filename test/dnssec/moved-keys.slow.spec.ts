import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { bodyOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { ownPlaceForEach } from '../support/own-place.js';
import { type Ended, runCommand } from '../support/process.js';
import { itWith, run } from '../support/run-program.js';
import { type Clients, clientsOf, environmentOf, type Settings } from '../support/service.js';
import { until } from '../support/until.js';

// Several starts of processes.
jest.setTimeout(180_000);

const SETTINGS: Settings = {
  SERVICE_MDNS__ENABLED: 'True',
  SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
  SERVICE_DNSSEC__ENABLED: 'True',
  SERVICE_DNSSEC__RSA_BITS: '3072',
  SERVICE_DNSSEC__KEY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
};
const SCHEMA = '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql';

const itWithBind = itWith({ name: 'dnssec-keygen', needs: { 'dnssec-keygen': 'bind9-utils' } });
const itWithKnot = itWith({ name: 'keymgr', needs: { keymgr: 'knot' } });
const itWithPowerDns = itWith({
  name: 'pdnsutil',
  needs: { pdnsutil: 'pdns-server', [SCHEMA]: 'pdns-backend-sqlite3', sqlite3: 'sqlite3' },
});
const itWithSoftHsm = itWith({
  name: 'softhsm2-keyconv',
  needs: { 'softhsm2-keyconv': 'softhsm2', 'dnssec-keygen': 'bind9-utils' },
});

const place = ownPlaceForEach('moved-keys');
let clients: Clients;
let domain: TestDomain;

beforeEach(async () => {
  clients = clientsOf((await place.start(SETTINGS)).url);
  domain = await newDomain(clients);
});

const dnssec = (...args: string[]): Promise<Ended> =>
  runCommand(place.directory, environmentOf(place.directory, SETTINGS), ['dnssec', ...args]);
const file = (name: string): string => join(place.directory, name);

/** What the program prints. */
async function printed(command: string, ...args: string[]): Promise<string> {
  const { failed, stdout, output } = await run(command, args);
  if (failed) throw new Error(`${command}: ${output}`);
  return stdout;
}

interface Shown {
  readonly published_serial: number | null;
  readonly algorithm: string;
  readonly keys: readonly { readonly tag: number; readonly role: string; readonly dnskey: string }[];
}

const shown = (): Promise<Shown> => bodyOf<Shown>(clients.call('get', `/v1/domains/${domain.id}/dnssec`));

/** The flags, protocol, algorithm and key of the record. */
function dnskeyIn(publicText: string): string {
  const [, fields = ''] = /DNSKEY\s+([^;\n]+)/.exec(publicText) ?? [];
  return fields
    .trim()
    .replace(/(\S+ \S+ \S+) (.*)/, (_, numbers: string, key: string) => numbers + ' ' + key.replace(/ /g, ''));
}

/** The domain is signed with these keys, and the signatures are valid. */
async function expectSignedWith(publicTexts: readonly string[]): Promise<void> {
  await until(async () => (await shown()).published_serial !== null);
  const { keys } = await shown();
  expect(keys.map(({ dnskey }) => dnskey).sort()).toEqual(publicTexts.map(dnskeyIn).sort());
  expect(await dnssec('check', domain.name)).toMatchObject({ code: 0, stderr: '' });
}

async function expectTaken(stems: readonly string[]): Promise<void> {
  expect(await dnssec('enable', domain.name, ...stems.flatMap((stem) => ['--key', stem]))).toMatchObject({
    code: 0,
    stderr: '',
  });
  await expectSignedWith(await Promise.all(stems.map((stem) => readFile(`${stem}.key`, 'utf8'))));
}

async function exported(format: string): Promise<readonly string[]> {
  const { code, stdout } = await dnssec('export-keys', domain.name, '--directory', place.directory, '--format', format);
  expect(code).toBe(0);
  return stdout.trim().split('\n');
}

async function bindKey(algorithm: string, ...options: string[]): Promise<string> {
  const bits = algorithm.startsWith('RSA') ? ['-b', '2048'] : [];
  const name = await printed('dnssec-keygen', '-K', place.directory, '-a', algorithm, ...bits, ...options, domain.name);
  return file(name.trim());
}

describe('keys of other signers', () => {
  itWithBind('23.7: takes keys of every algorithm from BIND', async () => {
    for (const algorithm of ['RSASHA512', 'ECDSAP384SHA384', 'ED448']) {
      const keys = [await bindKey(algorithm, '-f', 'KSK'), await bindKey(algorithm)];
      await expectTaken(keys);
      domain = await newDomain(clients);
    }
  });

  itWithKnot('23.7: takes PEM keys of Knot, and Knot takes them back in both formats', async () => {
    const configuration = file('knot.conf');
    await writeFile(configuration, `database:\n  storage: ${place.directory}\nzone:\n  - domain: ${domain.name}\n`);
    const keymgr = (...args: string[]): Promise<string> => printed('keymgr', '-c', configuration, domain.name, ...args);
    const stems: string[] = [];
    for (const role of ['ksk=yes', 'zsk=yes']) {
      const id = (await keymgr('generate', 'algorithm=ecdsap384sha384', role)).trim();
      await writeFile(file(`${id}.key`), await keymgr('dnskey', id));
      await writeFile(file(`${id}.pem`), await readFile(file(`keys/keys/${id}.pem`)));
      stems.push(file(id));
    }
    await expectTaken(stems);

    const tags = (await shown()).keys.map(({ tag }) => tag);
    for (const stem of await exported('bind')) {
      const id = (await keymgr('import-bind', `${stem}.key`)).split('\n')[0] ?? '';
      expect(tags).toContain(Number((await keymgr('ds', id)).split(' ')[2]));
      await keymgr('delete', id);
    }
    await mkdir(file('pem'));
    const { code, stdout } = await dnssec('export-keys', domain.name, '--directory', file('pem'), '--format', 'pem');
    expect(code).toBe(0);
    for (const stem of stdout.trim().split('\n')) {
      const id = (await keymgr('import-pem', `${stem}.pem`, 'algorithm=14', 'ksk=yes')).split('\n')[0] ?? '';
      const [, , , key = ''] = dnskeyIn(await readFile(`${stem}.key`, 'utf8')).split(' ');
      expect(await keymgr('dnskey', id)).toContain(key);
    }
  });

  itWithPowerDns('23.7: takes keys of PowerDNS in both of its formats, and PowerDNS takes them back', async () => {
    await writeFile(
      file('pdns.conf'),
      `launch=gsqlite3\ngsqlite3-database=${file('pdns.sqlite')}\ngsqlite3-dnssec=yes\n`,
    );
    await printed('sqlite3', file('pdns.sqlite'), `.read ${SCHEMA}`);
    const pdnsutil = (...args: string[]): Promise<string> =>
      printed('pdnsutil', `--config-dir=${place.directory}`, ...args);
    for (const [algorithm, format] of [
      ['ecdsa256', 'private'],
      ['ed448', 'private'],
      ['ecdsa384', 'pem'],
    ] as const) {
      const name = domain.name.replace(/\.$/, '');
      await pdnsutil('create-zone', name);
      const id = (await pdnsutil('add-zone-key', name, 'ksk', 'active', algorithm)).trim();
      const stem = file(`${name}-${id}`);
      await writeFile(`${stem}.key`, await pdnsutil('export-zone-dnskey', name, id));
      await writeFile(
        `${stem}.${format}`,
        await pdnsutil(format === 'pem' ? 'export-zone-key-pem' : 'export-zone-key', name, id),
      );
      // Without final dot.
      expect(await readFile(`${stem}.key`, 'utf8')).toMatch(new RegExp(`^${name} `));
      await expectTaken([stem]);

      const [own = ''] = await exported('bind');
      await pdnsutil('remove-zone-key', name, id);
      await pdnsutil('import-zone-key', name, `${own}.private`, 'active', 'ksk');
      expect(await pdnsutil('list-keys', name)).toContain(String((await shown()).keys[0]?.tag));
      domain = await newDomain(clients);
    }
  });

  itWithSoftHsm('23.7: takes the PKCS #8 files of SoftHSM', async () => {
    for (const algorithm of ['RSASHA256', 'RSASHA512']) {
      const stems = [await bindKey(algorithm, '-f', 'KSK'), await bindKey(algorithm)];
      for (const stem of stems) {
        await printed('softhsm2-keyconv', '--in', `${stem}.private`, '--out', `${stem}.pem`);
        await printed('mv', `${stem}.private`, `${stem}.other`);
      }
      await expectTaken(stems);
      domain = await newDomain(clients);
    }
  });

  it('23.7: says which file is missing or wrong', async () => {
    const refused = async (stem: string): Promise<string> => {
      const { code, stderr } = await dnssec('enable', domain.name, '--key', file(stem));
      expect(code).toBe(1);
      return stderr;
    };
    expect(await refused('none.pem')).toContain('none.key is missing: write the DNSKEY record');
    const dnskey = 'DNSKEY 257 3 15 qpQch4HjezcSKK+prcSJDB4c8coxg0kcwp0hJzkMRgs=';
    await writeFile(file('a.key'), `${domain.name} IN ${dnskey}\n`);
    expect(await refused('a')).toContain('a.private and');
    await writeFile(file('a.pem'), '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n');
    expect(await refused('a.key')).toContain('no private key that can be read');
    await writeFile(file('a.private'), 'Private-key-format: v1.3\nAlgorithm: 13 (ECDSAP256SHA256)\n');
    expect(await refused('a')).toContain('different algorithms');
    await writeFile(file('a.key'), `${domain.name} IN ${dnskey.replace('15', '5')}\n`);
    expect(await refused('a')).toContain('DNSSEC algorithm 5 is not supported');
  });

  it('23.1: makes new keys of every algorithm but RSASHA512, and RSA keys of the configured length', async () => {
    const sign = (algorithm: string) =>
      clients.call('put', `/v1/domains/${domain.id}/dnssec`, { enabled: true, algorithm });
    const refused = await sign('RSASHA512');
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('choose one of RSASHA256')]);
    for (const algorithm of ['ECDSAP384SHA384', 'ED448', 'RSASHA256']) {
      await bodyOf(sign(algorithm));
      const { keys } = await shown();
      if (algorithm === 'RSASHA256')
        expect(Buffer.from(keys[0]?.dnskey.split(' ')[3] ?? '', 'base64')).toHaveLength(4 + 3072 / 8);
      await expectSignedWith(keys.map(({ dnskey }) => `DNSKEY ${dnskey}`));
      domain = await newDomain(clients);
    }
  });
});
