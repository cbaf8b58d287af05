import { statSync } from 'node:fs';
import { ServiceError } from '../../common/service-error.js';
import { logOf } from './sqlite-log.js';

/** A SQLite file and its log as they were opened. SQLite goes on writing to one that was moved away. */
export class DatabaseFile {
  private readonly opened: FileIdentity;
  /** SQLite makes it when it is first needed, and keeps it for as long as the database is open. */
  private log: FileIdentity = null;

  constructor(readonly path: string) {
    this.opened = identify(path);
  }

  /**
   * To be asked inside a transaction, when there is a log. Costs a few microseconds, so that it may be asked before each
   * commit.
   * @throws ServiceError `unavailable` while another file, or none, has the name of one of them
   */
  assertInPlace(): void {
    this.log ??= identify(logOf(this.path));
    const moved = this.moved();
    if (moved === null) return;
    const refusal = new ServiceError(
      'unavailable',
      'The database was moved away; the operator has to put it back or restart the service.',
    );
    refusal.cause = new Error(`${moved} is no longer the file that was opened: put it back`);
    throw refusal;
  }

  /** Where the log is. */
  get logPath(): string {
    return logOf(this.path);
  }

  /** The file that is no longer in its place, or cannot be looked at there; `null` when all are. */
  moved(): string | null {
    if (identify(this.path) !== this.opened) return this.path;
    return this.log === null || identify(logOf(this.path)) === this.log ? null : logOf(this.path);
  }
}

/** Device and inode; `null` when there is no such file, or none that may be looked at. */
type FileIdentity = string | null;

function identify(path: string): FileIdentity {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}
