import { nextTurn } from '../common/waiting/event-loop-turns.js';

/** Master-file text that can be read from its start more than once: an import reads it to judge, and again to store. */
export interface ZoneFile {
  /** In pieces, each of which holds its octets until the next one is asked for. */
  octets(): AsyncIterable<Uint8Array>;
  /** In octets. */
  readonly size: number;
  /** How many octets all that `$GENERATE` makes may have together; `null` for no bound. */
  readonly maxGeneratedOctets: number | null;
}

const PIECE = 65_536;

/**
 * A file that is in memory already, as a request's body is; in pieces, so that others get their turn in between.
 * @param maxOctets of the file, and of what `$GENERATE` makes of it
 */
export function zoneFileOf(octets: Uint8Array, maxOctets: number): ZoneFile {
  return {
    size: octets.length,
    maxGeneratedOctets: maxOctets,
    async *octets() {
      for (let start = 0; start < octets.length; start += PIECE) {
        yield octets.subarray(start, start + PIECE);
        await nextTurn();
      }
    },
  };
}
