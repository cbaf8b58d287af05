/** How much of what was answered is kept. */
export abstract class KeptAnswersOptions {
  /** Of one tenant, in octets. */
  abstract readonly perTenant: number;
}
