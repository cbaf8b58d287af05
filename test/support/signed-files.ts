import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Program, run } from './run-program.js';

export const SIGNER: Program = {
  name: 'dnssec-signzone',
  needs: { 'dnssec-keygen': 'bind9-utils', 'dnssec-signzone': 'bind9-utils' },
};

/** Signs zone files of one zone with BIND's tools, always with the same keys. */
export class FileSigner {
  private constructor(
    private readonly directory: string,
    private readonly zone: string,
    private readonly denial: 'nsec' | 'nsec3',
  ) {}

  static async start(zone: string, denial: 'nsec' | 'nsec3'): Promise<FileSigner> {
    const signer = new FileSigner(await mkdtemp(join(tmpdir(), 'zonewright-signer-')), zone, denial);
    for (const kind of [['-f', 'KSK'], []])
      await signer.succeed('dnssec-keygen', ['-q', '-a', 'ECDSAP256SHA256', ...kind, '-K', signer.directory, zone]);
    return signer;
  }

  /** The text of a signed zone. @param seconds until its signatures expire, 30 days by default */
  async sign(text: string, seconds?: number): Promise<string> {
    const [plain, signed] = [join(this.directory, 'plain'), join(this.directory, 'signed')];
    await writeFile(plain, text);
    const denial = this.denial === 'nsec3' ? ['-3', 'aabb', '-H', '3', '-A'] : [];
    const options = ['-S', '-K', this.directory, '-d', this.directory, '-o', this.zone, '-f', signed, ...denial];
    if (seconds !== undefined) options.push('-e', `now+${seconds}`);
    await this.succeed('dnssec-signzone', [...options, plain]);
    return readFile(signed, 'latin1');
  }

  async end(): Promise<void> {
    await rm(this.directory, { recursive: true });
  }

  private async succeed(command: string, parameters: readonly string[]): Promise<void> {
    const { failed, output } = await run(command, parameters);
    if (failed) throw new Error(output);
  }
}
