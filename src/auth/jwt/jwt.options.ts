import { issuer } from '../../config/address-readers.js';
import type { Config } from '../../config/config.js';
import type { Rule } from '../../config/cross-checks.js';
import { inSection, valuesOf } from '../../config/option.js';
import { claimPath, integer, list, oneOf, orEmpty, roleName, text, tokenType } from '../../config/readers.js';

/** With a key that is published: whoever can check such a signature cannot make one (RFC 7518 §3.1, RFC 8037). */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
] as const;

/** What is believed of the tokens of an OIDC issuer. */
export const JWT_OPTIONS = inSection('jwt', {
  issuer: {
    name: 'issuer',
    default: '',
    reader: orEmpty(null, issuer),
    meaning: 'the OIDC issuer whose tokens are taken, as it writes itself in iss; its keys are found by discovery',
  },
  audience: {
    name: 'audience',
    default: '',
    reader: orEmpty([], list(text)),
    meaning: 'the names of this service in aud: a token must have at least one of them',
  },
  algorithms: {
    name: 'algorithms',
    default: 'RS256, ES256',
    reader: list(oneOf(...ALGORITHMS)),
    meaning: 'signature algorithms that are accepted, whatever else the issuer offers',
  },
  tokenTypes: {
    name: 'token_types',
    default: 'at+jwt, JWT',
    reader: list(tokenType),
    meaning: 'values of the header typ that are accepted; a token without one counts as JWT',
  },
  clockSkew: {
    name: 'clock_skew',
    default: '30',
    reader: integer(0, 300),
    meaning: "seconds by which the issuer's clock may differ from this one's",
  },
  tenantClaim: {
    name: 'tenant_claim',
    default: 'tenant_id',
    reader: claimPath,
    meaning: 'the claim that names the tenant',
  },
  rolesClaim: {
    name: 'roles_claim',
    default: 'roles',
    reader: claimPath,
    meaning: 'the claim that lists roles, or has them in one text with blanks between, as scope does',
  },
  userClaim: {
    name: 'user_claim',
    default: 'sub',
    reader: claimPath,
    meaning: 'the claim that names the user in the history of domains',
  },
  adminRoles: {
    name: 'admin_roles',
    default: 'admin',
    reader: orEmpty([], list(roleName)),
    meaning: 'roles of that claim that make an admin here; empty: nobody is one by a token',
  },
  memberRoles: {
    name: 'member_roles',
    default: 'member',
    reader: orEmpty([], list(roleName)),
    meaning: 'roles that may read and write; roles that are in none of the three lists mean nothing',
  },
  readerRoles: {
    name: 'reader_roles',
    default: 'reader',
    reader: orEmpty([], list(roleName)),
    meaning: 'roles that may only read',
  },
  keysCacheTime: {
    name: 'keys_cache_time',
    default: '600',
    reader: integer(1, 86_400),
    meaning: "seconds after which the issuer's keys are no longer used; they are renewed after half of that",
  },
  keysCooldown: {
    name: 'keys_cooldown',
    default: '30',
    reader: integer(1, 3600),
    meaning: 'seconds that pass before a token with an unknown key has the keys fetched once more',
  },
});

export const JWT_RULES: readonly Rule<Config>[] = [
  {
    option: JWT_OPTIONS.issuer,
    isBroken: ({ api, jwt }) => api.authStrategies.includes('jwt') && jwt.issuer === null,
    reason: 'give the URL of an OIDC issuer, because auth_strategy = jwt takes its tokens',
  },
  {
    option: JWT_OPTIONS.audience,
    isBroken: ({ api, jwt }) => api.authStrategies.includes('jwt') && jwt.audience.length === 0,
    reason: 'give what tokens for this service have in aud, because those for other services are refused',
  },
];

export abstract class JwtOptions extends valuesOf(JWT_OPTIONS) {
  abstract override readonly issuer: string;
}
