import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { TokensService } from '../auth/tokens/tokens.service.js';
import type { Config } from '../config/config.js';
import { createDirectoryOf, createPrivateFile } from '../database/private-files.js';

const DIRECTORY = 'data';
const FILE = 'admin-token';

/**
 * Where the first admin token is kept: beside the database file, in `data/` for a database without one.
 * @param cwd where the configuration says that the service runs
 */
export function firstTokenPath(databaseDirectory: string | null, cwd: string): string {
  return join(databaseDirectory ?? join(cwd, DIRECTORY), FILE);
}

/**
 * Makes the first admin token of a database that has no token and of a configuration that names none, and keeps it
 * where only its owner can read it. Returns the token, to be shown this once, or `null` when none was made.
 */
export async function makeFirstToken(
  app: NestExpressApplication,
  config: Config,
  path: string,
): Promise<string | null> {
  if (!config.api.authStrategies.includes('token') || config.auth.adminToken !== null) return null;
  const first = await app.get(TokensService, { strict: false }).createFirst();
  if (first === null) return null;
  // An older file would keep its mode when it is written again.
  await rm(path, { force: true });
  await createDirectoryOf(path);
  await createPrivateFile(path);
  await writeFile(path, `${first.token}\n`);
  return first.token;
}
