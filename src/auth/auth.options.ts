/** What authentication needs of the configuration. */
export interface AuthOptions {
  readonly strategy: 'token' | 'noauth';
  /** A token that is an admin's by configuration and stands in no table. */
  readonly adminToken: string | null;
}
