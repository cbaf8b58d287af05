import { nextTurn } from '../common/waiting/event-loop-turns.js';

/** Master-file text that can be read more than once: an import reads it to validate, and again to store. */
export interface ZoneFile {
  /** Pieces, each valid until the next one is requested. */
  octets(): AsyncIterable<Uint8Array>;
  /** In octets. */
  readonly size: number;
  /** Maximum of octets that all `$GENERATE` create together; `null`: no bound. */
  readonly maxGeneratedOctets: number | null;
}

const PIECE = 65_536;

/**
 * A file in memory, such as a request body. Yields to the event loop between pieces.
 * @param maxOctets maximum for the file, and for all its `$GENERATE`
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
