/** What update keys need of the configuration. */
export abstract class UpdateKeysOptions {
  /** Names of the keys that `[service:mdns] tsig_keys` has, in lower case with the final dot. */
  abstract readonly takenNames: readonly string[];
}
