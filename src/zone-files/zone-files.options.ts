import type { Limiter } from '../common/waiting/limiter.js';
import type { RecordTypes } from '../dns/rdata/index.js';
import { inSection, option } from '../config/option.js';
import { integer } from '../config/readers.js';

export const IMPORT_OPTIONS = {
  maxImports: inSection('service:api', {
    perTenant: option(
      integer(1, 10_000),
      '2',
      'zone imports of one tenant under way in one process; one more is answered 503',
      { name: 'max_imports_per_tenant' },
    ),
    inAll: option(integer(1, 10_000), '8', 'zone imports of all tenants under way in one process', {
      name: 'max_imports',
    }),
  }),
};

export const EXPORT_OPTIONS = inSection('service:api', {
  exportSpace: option(
    integer(1, 1_048_576),
    '256',
    'MiB of disk in spool_directory that one process takes for exports that may be asked for again',
  ),
});

export abstract class ZoneFilesOptions {
  /** Seconds, for callers without the admin role; `null`: none. */
  abstract readonly minTtl: number | null;
  /** All types that may be stored, including those no longer accepted. */
  abstract readonly knownTypes: RecordTypes;
  abstract readonly imports: Limiter;
  /** Octets on disk. */
  abstract readonly exportSpace: number;
  /** Octets of an uploaded zone file. */
  abstract readonly maxBodySize: number;
  /** No other process uses the database. */
  abstract readonly isAlone: boolean;
}
