import { issuer } from '../../config/address-readers.js';
import type { Config } from '../../config/config.js';
import { type Rule, inSection, option, valuesOf } from '../../config/option.js';
import { claimPath, integer, list, oneOf, orEmpty, roleName, text, tokenType } from '../../config/readers.js';

/** Asymmetric algorithms only: the published key verifies signatures but cannot create them (RFC 7518 §3.1, RFC 8037). */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
] as const;

/** OIDC token validation options. */
export const JWT_OPTIONS = inSection('jwt', {
  issuer: option(
    orEmpty(null, issuer),
    '',
    'the OIDC issuer whose tokens are taken, as it writes itself in iss; its keys are found by discovery',
  ),
  audience: option(
    orEmpty([], list(text)),
    '',
    'the names of this service in aud: a token must have at least one of them',
  ),
  algorithms: option(
    list(oneOf(...ALGORITHMS)),
    'RS256, ES256',
    'signature algorithms that are accepted, whatever else the issuer offers',
  ),
  tokenTypes: option(
    list(tokenType),
    'at+jwt, JWT',
    'values of the header typ that are accepted; a token without one counts as JWT',
  ),
  clockSkew: option(integer(0, 300), '30', "seconds by which the issuer's clock may differ from this one's"),
  tenantClaim: option(claimPath, 'tenant_id', 'the claim that names the tenant'),
  rolesClaim: option(
    claimPath,
    'roles',
    'the claim that lists roles, or has them in one text with blanks between, as scope does',
  ),
  userClaim: option(claimPath, 'sub', 'the claim that names the user in the history of domains'),
  adminRoles: option(
    orEmpty([], list(roleName)),
    'admin',
    'roles in that claim that grant the role admin; empty: none does',
  ),
  memberRoles: option(
    orEmpty([], list(roleName)),
    'member',
    'roles that may read and write; roles that are in none of the three lists mean nothing',
  ),
  readerRoles: option(orEmpty([], list(roleName)), 'reader', 'roles that may only read'),
  keysCacheTime: option(
    integer(1, 86_400),
    '600',
    "seconds after which the issuer's keys are no longer used; they are renewed after half of that",
  ),
  keysCooldown: option(
    integer(1, 3600),
    '30',
    'seconds that pass before a token with an unknown key has the keys fetched once more',
  ),
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
