import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach } from '@jest/globals';
import { loadConfig } from '../../src/app/composition/built-in-options.js';
import { ConfigError } from '../../src/config/config-error.js';
import type { Config } from '../../src/config/config.js';

/** Configuration files for the tests of a file, with a separate directory for each test. */
export function configurationFiles(): ConfigurationFiles {
  const root = mkdtempSync(join(tmpdir(), 'zonewright-config-'));
  const files = new ConfigurationFiles(root);
  beforeEach(() => files.begin());
  afterAll(() => rmSync(root, { recursive: true }));
  return files;
}

class ConfigurationFiles {
  cwd = '';

  constructor(private readonly root: string) {}

  begin(): void {
    this.cwd = mkdtempSync(join(this.root, 'cwd-'));
  }

  write(name: string, text: string | Buffer): string {
    const path = join(this.cwd, name);
    writeFileSync(path, text);
    return path;
  }

  /** Loads `zonewright.conf` with this text, in a separate environment. */
  load(text: string, env: Record<string, string> = {}): Config {
    this.write('zonewright.conf', text);
    return loadConfig({ cwd: this.cwd, env });
  }

  /** The default values. */
  defaults(): Config {
    return loadConfig({ cwd: this.cwd, env: {} });
  }

  /** The message with which the start is refused; the path of `zonewright.conf` is cut down to `FILE`. */
  refusal(start: string | (() => unknown)): string {
    try {
      if (typeof start === 'string') this.load(start);
      else start();
    } catch (error) {
      if (error instanceof ConfigError) return error.message.replace(join(this.cwd, 'zonewright.conf'), 'FILE');
      throw error;
    }
    throw new Error('was not refused');
  }
}
