/** How one can sign in, as the configuration has it. */
export abstract class SignInMethods {
  abstract readonly token: boolean;
  /** By a name and a password, which Keystone is asked about. */
  abstract readonly keystone: boolean;
  /** At an issuer, where the console is known; `null`: not. */
  abstract readonly oidc: { readonly name: string } | null;
}
