import type { Limiter } from '../common/waiting/limiter.js';
import type { RecordTypes } from '../dns/rdata/index.js';
import { inSection } from '../config/option.js';
import { integer } from '../config/readers.js';

export const IMPORT_OPTIONS = {
  maxImports: inSection('service:api', {
    perTenant: {
      name: 'max_imports_per_tenant',
      default: '2',
      reader: integer(1, 10_000),
      meaning: 'zone imports of one tenant under way in one process; one more is answered 503',
    },
    inAll: {
      name: 'max_imports',
      default: '8',
      reader: integer(1, 10_000),
      meaning: 'zone imports of all tenants under way in one process',
    },
  }),
};

export const EXPORT_OPTIONS = inSection('service:api', {
  exportSpace: {
    name: 'export_space',
    default: '256',
    reader: integer(1, 1_048_576),
    meaning: 'MiB of disk in spool_directory that one process takes for exports that may be asked for again',
  },
});

/** What zone files need of the configuration. */
export abstract class ZoneFilesOptions {
  /** Lowest ttl in seconds that anybody but an admin may set; `null`: none. */
  abstract readonly minTtl: number | null;
  /** Every type that may be stored, also those that are no longer taken. */
  abstract readonly knownTypes: RecordTypes;
  /** Bounds how many imports are under way. */
  abstract readonly imports: Limiter;
  /** How much of the disk exports may take that are kept, in octets. */
  abstract readonly exportSpace: number;
  /** Longest zone file in octets that a request may carry. */
  abstract readonly maxBodySize: number;
  /** Whether no other process works with the database. */
  abstract readonly isAlone: boolean;
}
