import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { TokensService } from '../auth/tokens/tokens.service.js';
import type { Config } from '../config/config.js';
import { createDirectoryOf, createPrivateFile } from '../database/private-files.js';

const DIRECTORY = 'data';
const FILE = 'admin-token';

/** Next to the database file, or in `data/`. @param cwd the configured working directory */
export function firstTokenPath(databaseDirectory: string | null, cwd: string): string {
  return join(databaseDirectory ?? join(cwd, DIRECTORY), FILE);
}

/** Creates the first admin token if none exists, in a private file. Returns it to be shown this once. */
export async function makeFirstToken(
  app: NestExpressApplication,
  config: Config,
  path: string,
): Promise<string | null> {
  if (!config.api.authStrategies.includes('token') || config.auth.adminToken !== null) return null;
  const first = await app.get(TokensService, { strict: false }).createFirst();
  if (first === null) return null;
  // An older file would keep its mode.
  await rm(path, { force: true });
  await createDirectoryOf(path);
  await createPrivateFile(path);
  await writeFile(path, `${first.token}\n`);
  return first.token;
}
