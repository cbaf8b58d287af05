import type { OmittedSet } from '../../records/served/served-zone.js';
import type { ZoneFile } from '../zone-file.js';

/** How the comment begins that stands in an export in the place of a record that cannot be rendered. */
const MARK = '; left out: ';

/** Comments in the place of a record set that is left out, one for each record that cannot be rendered. */
export function writeOmission({ unreadable }: OmittedSet): string {
  return unreadable.map(({ id, owner, type }) => `${MARK}${owner} ${type} record ${id}\n`).join('');
}

/** Notices while a zone file is read whether it says that something was left out of it. */
export class OmissionSearch {
  private found = false;
  /** The end of the text read so far: a mark may begin in it. */
  private end = Buffer.from('\n');

  get hasFound(): boolean {
    return this.found;
  }

  /** The same file, looked through as it is read. */
  watch(file: ZoneFile): ZoneFile {
    const look = (octets: Uint8Array): void => this.look(octets);
    return {
      ...file,
      async *octets() {
        for await (const octets of file.octets()) {
          look(octets);
          yield octets;
        }
      },
    };
  }

  private look(octets: Uint8Array): void {
    if (this.found) return;
    const text = Buffer.concat([this.end, octets]);
    this.found = text.includes(`\n${MARK}`);
    this.end = Buffer.from(text.subarray(-MARK.length));
  }
}
