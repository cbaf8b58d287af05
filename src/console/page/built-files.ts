import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';

export interface BuiltFile {
  readonly type: string;
  readonly etag: string;
  readonly octets: Buffer;
  /** Compressed with Brotli; `null` if the build has no such file. */
  readonly compressed: Buffer | null;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const COMPRESSED = '.br';

/** Loaded into memory at the first request. */
@Injectable()
export class BuiltFiles {
  private files: Promise<ReadonlyMap<string, BuiltFile>> | null = null;

  async find(name: string): Promise<BuiltFile | null> {
    this.files ??= readBuilt();
    try {
      return (await this.files).get(name) ?? null;
    } catch (error) {
      // The next request may be able to read the files.
      this.files = null;
      throw error;
    }
  }
}

async function readBuilt(): Promise<ReadonlyMap<string, BuiltFile>> {
  const folder = builtFolder();
  const names = (await readdir(folder, { recursive: true })).map((name) => name.replaceAll('\\', '/'));
  const served = names.filter((name) => extname(name) in TYPES);
  const files = served.map(async (name): Promise<[string, BuiltFile]> => {
    const octets = await readFile(join(folder, name));
    const compressed = names.includes(name + COMPRESSED) ? await readFile(join(folder, name + COMPRESSED)) : null;
    const etag = createHash('sha256').update(octets).digest('base64url');
    return [name, { type: TYPES[extname(name)] ?? '', etag, octets, compressed }];
  });
  return new Map(await Promise.all(files));
}

/** The path differs between the sources, in tests, and the compiled code. */
function builtFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const ofSources = join(here, '../../../dist/console');
  return existsSync(ofSources) ? ofSources : join(here, '../../../console');
}
