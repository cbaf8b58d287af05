/** What the list of versions needs of the configuration. */
export abstract class VersionsOptions {
  /** Whether there are paths under `/v2`. */
  abstract readonly hasVersion2: boolean;
}
