/** Master-file text that can be read from its start more than once: an import reads it to judge, and again to store. */
export interface ZoneFile {
  octets(): AsyncIterable<Uint8Array>;
}

const PIECE = 65_536;

/** A file that is in memory already, as a request's body is; in pieces, so that others get their turn in between. */
export function zoneFileOf(octets: Uint8Array): ZoneFile {
  return {
    async *octets() {
      for (let start = 0; start < octets.length; start += PIECE) {
        yield octets.subarray(start, start + PIECE);
        await new Promise(setImmediate);
      }
    },
  };
}
