import type { RecordSet } from '../dns/master-file/record-set.js';

/** The default of BIND's `max-records-per-type`. */
const MOST_RECORDS_OF_BIND = 100;
/** The default of BIND's `max-types-per-name`; it counts the types that signing adds too. */
const MOST_TYPES_OF_BIND = 100;

interface Excess {
  readonly set: RecordSet;
  readonly message: string;
}

/**
 * The sets for which BIND refuses a whole zone unless it is configured for them (CVE-2024-1737, since 9.18.28).
 * @param sets those of one owner name
 */
export function boundsOfBind(sets: readonly [RecordSet, ...RecordSet[]]): Excess[] {
  const large = sets
    .filter(({ rdatas }) => rdatas.length > MOST_RECORDS_OF_BIND)
    .map((set) => ({
      set,
      message: `The set has ${set.rdatas.length} records; BIND refuses the zone beyond ${MOST_RECORDS_OF_BIND} unless max-records-per-type is raised.`,
    }));
  if (sets.length <= MOST_TYPES_OF_BIND) return large;
  const message = `The name has ${sets.length} types; BIND refuses the zone beyond ${MOST_TYPES_OF_BIND} unless max-types-per-name is raised.`;
  return [...large, { set: sets[0], message }];
}
