/** What authentication needs of the configuration. */
export abstract class AuthOptions {
  abstract readonly strategy: 'token' | 'noauth';
  /** A token that is an admin's by configuration and stands in no table; `null`: none. */
  abstract readonly adminToken: string | null;
}
