import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { FOUR_SERVERS } from '../publishing/software.js';
import { answerOf, bodyOf } from '../support/answers.js';
import type { TestDomain } from '../support/domain.js';
import { times } from '../support/length.js';
import { runCommand } from '../support/process.js';
import { itWith, run } from '../support/run-program.js';
import { until } from '../support/until.js';
import { UNBOUND, ValidatingResolver } from '../support/validating-resolver.js';
import { SignedPool } from './signed-pool.js';

const PROGRAMS = { name: 'unbound', needs: { ...FOUR_SERVERS.needs, ...UNBOUND.needs, keymgr: 'knot' } };
const TIMEOUT = 600_000;
const QUESTIONS = [
  ['', 'SOA'],
  ['', 'DNSKEY'],
  ['www', 'A'],
  ['none', 'A'],
] as const;

let signed: SignedPool;
beforeAll(async () => {
  signed = await SignedPool.start(PROGRAMS);
});
afterAll(() => signed.stop());

/** `keymgr` of Knot with the KSK of a domain. */
class KnotKsk {
  private constructor(
    private readonly configuration: string,
    private readonly zone: string,
    /** Of the key, for `zonewright dnssec sign-ksr`. */
    readonly file: string,
    /** DNSKEY data. */
    readonly dnskey: string,
  ) {}

  static async make(directory: string, { name }: TestDomain): Promise<KnotKsk> {
    const configuration = join(directory, 'offline.conf');
    await mkdir(join(directory, 'offline'));
    const policy =
      'policy:\n  - id: offline\n    manual: on\n    offline-ksk: on\n    algorithm: ecdsap256sha256\n' +
      '    dnskey-ttl: 1\n    cds-cdnskey-publish: always\n';
    await writeFile(
      configuration,
      `database:\n  storage: ${directory}/offline\n${policy}zone:\n  - domain: ${name}\n    dnssec-policy: offline\n`,
    );
    const keymgr = (...args: string[]): Promise<string> => printed('keymgr', '-c', configuration, name, ...args);
    const id = (await keymgr('generate', 'algorithm=ecdsap256sha256', 'ksk=yes', 'zsk=no')).trim();
    const record = await keymgr('dnskey', id);
    const file = join(directory, id);
    await writeFile(`${file}.key`, record);
    await writeFile(`${file}.pem`, await readFile(`${directory}/offline/keys/keys/${id}.pem`));
    const [, dnskey = ''] = /DNSKEY\s+(.+)/.exec(record) ?? [];
    return new KnotKsk(configuration, name, file, dnskey.trim());
  }

  async sign(request: string): Promise<string> {
    const file = `${this.file}.ksr`;
    await writeFile(file, request);
    return printed('keymgr', '-c', this.configuration, this.zone, 'sign-ksr', file);
  }
}

async function printed(command: string, ...args: string[]): Promise<string> {
  const { failed, stdout, output } = await run(command, args);
  if (failed) throw new Error(`${command}: ${output}`);
  return stdout;
}

itWith(PROGRAMS)(
  '23.19: a KSK at Knot signs requests, and unbound finds no answer bogus during a rollover of the ZSK',
  async () => {
    const { pool, directory } = signed;
    const domain = await signed.newDomain();
    await domain.newRecord({ name: domain.at('www') });
    const ksk = await KnotKsk.make(directory, domain);
    const path = `/v1/domains/${domain.id}/dnssec`;
    const request = async (): Promise<string> =>
      (await bodyOf<{ request: string }>(pool.clients.call('get', `${path}/key_request?days=30`))).request;
    const respond = (response: string) => answerOf(pool.clients.call('post', `${path}/key_response`, { response }));

    await pool.syncNsd();
    await answerOf(pool.clients.call('put', path, { enabled: true, offline_ksk: ksk.dnskey }));
    await respond(await ksk.sign(await request()));
    await until(async () => (await signed.dnssecOf(domain)).state === 'ready');
    await signed.published(domain);
    const [ds = ''] = (await signed.dnssecOf(domain)).ds;
    const resolver = await ValidatingResolver.start({
      directory,
      anchor: `${domain.name} IN DS ${ds}`,
      zones: [domain.name.slice(0, -1)],
      servers: pool.servers.map(({ port }) => `127.0.0.1@${port}`),
    });
    const counts = { secure: 0, other: [] as string[] };
    const over = new AbortController();
    const watch = async (): Promise<void> => {
      while (!over.signal.aborted)
        for (const [label, type] of QUESTIONS) {
          const verdict = await resolver.verdictOn(label === '' ? domain.name : domain.at(label), type);
          if (verdict === 'secure') counts.secure += 1;
          else counts.other.push(`${label} ${type} ${verdict}`);
        }
    };
    const watching = watch();
    try {
      await answerOf(pool.clients.call('post', `${path}/rollovers`, { key: 'zsk' }));
      await pool.killService();
      await pool.startService();
      expect((await signed.dnssecOf(domain)).rollover).toMatchObject({ step: 'prepare' });

      const file = `${ksk.file}.second.ksr`;
      await writeFile(file, await request());
      const args = ['dnssec', 'sign-ksr', domain.name, file, '--key', ksk.file];
      const { code, stdout, stderr } = await runCommand(directory, {}, args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      await respond(stdout);
      await until(async () => (await signed.dnssecOf(domain)).rollover?.step === 'publish');
      await pool.killService();
      await pool.startService();
      await until(async () => (await signed.dnssecOf(domain)).rollover === null);
      const wanted = counts.secure + times(4, 400);
      await until(() => counts.secure >= wanted);
    } finally {
      over.abort();
      await watching;
      await resolver.stop();
    }
    expect(counts.other).toEqual([]);
  },
  TIMEOUT,
);
