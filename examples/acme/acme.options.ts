/** The options of the plugin, for its own classes. */
export abstract class AcmeOptions {
  abstract readonly recordsPerZone: number;
}
