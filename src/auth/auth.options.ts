/** What authentication needs of the configuration. */
export abstract class AuthOptions {
  /** An admin's token that is configured and not in the database; `null`: none. */
  abstract readonly adminToken: string | null;
}
