import { ServiceError } from '../common/service-error.js';
import { ImportErrors } from './import/import-errors.js';
import { OmissionSearch } from './export/omissions.js';
import type { ZoneFile } from './zone-file.js';
import type { ZoneEntry } from './import/zone-file-reading.js';

/** What a reading of a zone file shows besides its records: whether it can be taken in at all. */
export class ZoneFileFindings {
  private readonly faults = new ImportErrors();
  private readonly omissions = new OmissionSearch();
  private entries = 0;

  /** The same file, looked at as it is read. */
  watch(file: ZoneFile): ZoneFile {
    return this.omissions.watch(file);
  }

  add(entries: readonly ZoneEntry[]): void {
    this.entries += entries.length;
    for (const entry of entries) if (entry.kind === 'fault') this.faults.add(entry);
  }

  get entryCount(): number {
    return this.entries;
  }

  get hasFaults(): boolean {
    return this.faults.areAny;
  }

  /** The highest number of findings. */
  get hasManyFaults(): boolean {
    return this.faults.areMany;
  }

  /**
   * @param incomplete whether a file may say that something was left out of it
   * @throws ServiceError `invalid_object` with one error for each line at fault
   */
  assertTaken(incomplete: boolean): void {
    this.faults.assertNone();
    if (this.omissions.hasFound && !incomplete) throw incompleteFile();
    // What was cut off or never written must not empty a zone.
    if (this.entries === 0) throw new ServiceError('invalid_object', 'The zone file is empty; nothing was stored.');
  }
}

function incompleteFile(): ServiceError {
  return ServiceError.ofField(
    'invalid_object',
    'incomplete',
    'required',
    'The zone file says that records were left out of it; add them and remove those comments, or import it with incomplete set.',
  );
}
