import { createRequire } from 'node:module';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { type Itself, itWith, itWithout, missingPackages, run } from '../support/run-program.js';
import type { Settings } from '../support/service.js';

const LIBRARY = '/usr/lib/softhsm/libsofthsm2.so';
const SOFTHSM = {
  name: 'SoftHSM',
  needs: { 'softhsm2-util': 'softhsm2', 'dnssec-verify': 'bind9-utils' },
};
const PIN = '4321';

/** `it` with SoftHSM and the npm package that speaks to it, which operators add. */
export function itWithToken(): Itself {
  if (missingPackages(SOFTHSM.needs).length > 0) return itWith(SOFTHSM);
  try {
    createRequire(import.meta.url).resolve('pkcs11js');
    return itWith(SOFTHSM);
  } catch {
    return itWithout('pkcs11js is missing: npm install --no-save pkcs11js');
  }
}

/** A token of SoftHSM in a folder of its own. */
export class TestToken {
  private constructor(private readonly directory: string) {}

  static async make(directory: string, label = 'zonewright'): Promise<TestToken> {
    const token = new TestToken(join(directory, 'softhsm'));
    await mkdir(token.directory);
    await writeFile(token.configuration, `directories.tokendir = ${token.directory}\nlog.level = ERROR\n`);
    await token.run('--init-token', '--free', '--label', label, '--pin', PIN, '--so-pin', '87654321');
    return token;
  }

  private async run(...parameters: string[]): Promise<void> {
    const command = [`SOFTHSM2_CONF=${this.configuration}`, 'softhsm2-util', ...parameters];
    expect(await run('env', command)).toMatchObject({ failed: false });
  }

  /** An environment variable of SoftHSM, for the process of a service. */
  get environment(): Record<string, string> {
    return { SOFTHSM2_CONF: this.configuration };
  }

  get settings(): Settings {
    return {
      SERVICE_DNSSEC__PKCS11_LIBRARY: LIBRARY,
      SERVICE_DNSSEC__PKCS11_TOKEN: 'zonewright',
      SERVICE_DNSSEC__PKCS11_PIN: PIN,
    };
  }

  /** A key of another program, as `softhsm2-util` takes it. @param pem PKCS #8 */
  async import(pem: string, id: string): Promise<void> {
    await this.run('--import', pem, '--token', 'zonewright', '--label', 'former', '--id', id, '--pin', PIN);
  }

  remove(): Promise<void> {
    return rename(this.directory, `${this.directory}.away`);
  }

  putBack(): Promise<void> {
    return rename(`${this.directory}.away`, this.directory);
  }

  /** Of keys, public and private: each is a file. */
  async objects(): Promise<number> {
    const files = await readdir(this.directory, { recursive: true });
    return files.filter((file) => file.endsWith('.object') && !file.endsWith('token.object')).length;
  }

  private get configuration(): string {
    return `${this.directory}.conf`;
  }
}
