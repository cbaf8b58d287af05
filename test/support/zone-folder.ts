import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Ended, runCommand } from './process.js';
import { environmentOf, startTestService, type TestService } from './service.js';

/** A running service, and `zonewright plan`, `apply` and `export` on its database and on a folder of the test. */
export class FolderTest {
  private constructor(
    readonly service: TestService,
    readonly directory: string,
  ) {}

  static async start(settings: Record<string, string> = {}): Promise<FolderTest> {
    const directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
    return new FolderTest(await startTestService(settings, directory), directory);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await rm(this.directory, { recursive: true });
  }

  get env(): Record<string, string> {
    return environmentOf(this.directory);
  }

  run(...args: string[]): Promise<Ended> {
    return runCommand(this.directory, this.env, args);
  }

  /** Files of a new folder below that of the test. Returns its name. */
  async folder(name: string, files: Readonly<Record<string, string | Buffer>>): Promise<string> {
    await rm(join(this.directory, name), { recursive: true, force: true });
    await mkdir(join(this.directory, name));
    for (const [file, text] of Object.entries(files)) {
      const path = join(this.directory, name, file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
    return name;
  }
}

/** The last line of a report of `plan` or `apply`. */
export function summaryOf({ stdout }: Ended): string {
  return stdout.trimEnd().split('\n').at(-1) ?? '';
}
