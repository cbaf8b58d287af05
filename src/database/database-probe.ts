import { stat } from 'node:fs/promises';
import type { DataSource } from 'typeorm';
import { hasPendingMigrations } from './migrate.js';
import type { Reads } from './reads.js';
import type { UnitOfWork } from './unit-of-work.js';

/** Whether the database can do its work at this moment. Asked again and again, so it must cost little. */
export abstract class DatabaseProbe {
  /** @throws Error that tells the operator why reads or changes would be refused */
  abstract assertReady(): Promise<void>;
}

/** Takes the way that every request takes: a read, then a change that is committed. */
export class SqliteProbe extends DatabaseProbe {
  private readonly opened: Promise<FileIdentity> | null;

  /** @param path the file, or `null` for a database in memory */
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly path: string | null,
  ) {
    super();
    this.opened = path === null ? null : identify(path);
  }

  override async assertReady(): Promise<void> {
    await this.assertSameFile();
    await this.reads.run((manager) => manager.query('SELECT name FROM sqlite_master LIMIT 1'));
    await this.unitOfWork.run(async (tx) => {
      await assertUpToDate(tx.dataSource);
      // Rewrites the first page with what it says already: nothing smaller shows that a commit reaches the disk.
      await tx.query('PRAGMA user_version = 0');
    });
  }

  /** SQLite goes on writing to a file that was moved away or deleted, as if nothing had happened. */
  private async assertSameFile(): Promise<void> {
    if (this.path === null) return;
    const [opened, found] = await Promise.all([this.opened, identify(this.path)]);
    if (opened === found) return;
    throw new Error(`${this.path} is no longer the file that was opened: restart the service`);
  }
}

async function assertUpToDate(writer: DataSource): Promise<void> {
  if (await hasPendingMigrations(writer)) throw new Error('the schema is not up to date: run "zonewright migrate"');
}

type FileIdentity = string | null;

/** Device and inode; `null` when there is no such file. */
async function identify(path: string): Promise<FileIdentity> {
  try {
    const { dev, ino } = await stat(path);
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}
