#!/usr/bin/env node
/**
 * Do the migrations match the entities? Runs them on an empty database and asks TypeORM for the difference. Without an
 * argument on a temporary SQLite file; `npm run migration:check -- postgresql://…` on an EMPTY database.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { prepare, root } from './prepare.mjs';

await prepare({ dev: true });

const scratch = mkdtempSync(path.join(os.tmpdir(), 'zonewright-migrations-'));
const url = process.argv[2] ?? `sqlite:${path.join(scratch, 'check.sqlite')}`;
try {
  process.exitCode =
    // Some of them run without a transaction.
    typeorm('migration:run', '--transaction', 'each') ||
    typeorm('migration:generate', '--check', path.join(scratch, 'Difference'));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function typeorm(...args) {
  const { status } = spawnSync(
    process.execPath,
    [path.join(root, 'node_modules/typeorm/cli.js'), ...args, '--dataSource', 'dist/src/app/typeorm-cli.js'],
    { cwd: root, stdio: 'inherit', env: { ...process.env, ZONEWRIGHT_DATABASE__URL: url } },
  );
  return status ?? 1;
}
