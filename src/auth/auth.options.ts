/** What authentication needs of the configuration. */
export abstract class AuthOptions {
  abstract readonly strategy: 'token' | 'noauth';
  /** An admin's token that is configured and not in the database; `null`: none. */
  abstract readonly adminToken: string | null;
}
