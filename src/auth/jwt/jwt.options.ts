import type { RoleNames } from '../role-names.js';

/** What `auth_strategy = jwt` needs of the configuration. */
export abstract class JwtOptions implements RoleNames {
  /** As the issuer writes it, to the last slash. */
  abstract readonly issuer: string;
  /** A token is for one of them at least. */
  abstract readonly audience: readonly string[];
  /** Asymmetric ones (RFC 7518 §3.1). */
  abstract readonly algorithms: readonly string[];
  /** Of the header `typ`, in lower case; a token without one is a `jwt`. */
  abstract readonly tokenTypes: readonly string[];
  /** In seconds. */
  abstract readonly clockSkew: number;
  /** Each the names on the way to a claim, from the outermost. */
  abstract readonly tenantClaim: readonly string[];
  abstract readonly rolesClaim: readonly string[];
  abstract readonly userClaim: readonly string[];
  abstract readonly adminRoles: readonly string[];
  abstract readonly memberRoles: readonly string[];
  abstract readonly readerRoles: readonly string[];
  /** In seconds, after which keys are used no more. */
  abstract readonly keysCacheTime: number;
  /** In seconds, before an unknown key has them fetched again. */
  abstract readonly keysCooldown: number;
}
