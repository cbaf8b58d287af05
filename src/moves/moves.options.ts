export abstract class MovesOptions {
  /** Octets of a zone file that an import takes. */
  abstract readonly mostOctets: number;
}
