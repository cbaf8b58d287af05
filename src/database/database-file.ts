import { statSync } from 'node:fs';
import { ServiceError } from '../common/service-error.js';

/** A SQLite file as it was opened. SQLite goes on writing to one that was moved away, as if nothing had happened. */
export class DatabaseFile {
  private readonly opened: FileIdentity;

  constructor(private readonly path: string) {
    this.opened = identify(path);
  }

  /**
   * Costs a few microseconds, so that it may be asked before each commit.
   * @throws ServiceError `unavailable` while another file, or none, has the name
   */
  assertInPlace(): void {
    if (identify(this.path) === this.opened) return;
    const refusal = new ServiceError(
      'unavailable',
      'The database was moved away; the operator has to restart the service.',
    );
    refusal.cause = new Error(`${this.path} is no longer the file that was opened: restart the service`);
    throw refusal;
  }
}

/** Device and inode; `null` when there is no such file. */
type FileIdentity = string | null;

function identify(path: string): FileIdentity {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.dev}:${stats.ino}`;
}
