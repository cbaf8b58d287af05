import { isLoopback } from '../config/address-readers.js';
import type { Config } from '../config/config.js';
import { type Rule, inSection, option, valuesOf } from '../config/option.js';
import { boolean, integer, list, oneOf, orEmpty, token } from '../config/readers.js';
import { LISTENING_OPTIONS } from '../http/http.options.js';

export const STRATEGY_OPTIONS = inSection('service:api', {
  authStrategies: option(
    list(oneOf('token', 'keystone', 'jwt', 'noauth')),
    'token',
    'how callers are authenticated: by tokens of the service, a Keystone server, an OIDC issuer, or not at all (for trials)',
    { name: 'auth_strategy' },
  ),
});

export const NOAUTH_OPTIONS = inSection('service:api', {
  noauthPublic: option(
    boolean,
    'False',
    'permit auth_strategy noauth on an address that other machines reach: everybody there is admin',
    { name: 'noauth_on_public_address' },
  ),
});

export const AUTH_OPTIONS = inSection('auth', {
  adminToken: option(
    orEmpty(null, token),
    '',
    'a first admin token; empty: one is made at the first start and kept in data/admin-token',
    { secret: true },
  ),
});

export const USER_TOKEN_OPTIONS = inSection('auth', {
  userTokenDays: option(
    orEmpty(null, integer(1, 3650)),
    '90',
    'days for which tokens are good at most that are made with a credential of an issuer or of Keystone; empty: none are made',
  ),
});

export const AUTH_RULES: readonly Rule<Config>[] = [
  {
    option: STRATEGY_OPTIONS.authStrategies,
    isBroken: ({ api }) => api.authStrategies.includes('noauth') && api.authStrategies.length > 1,
    reason: 'allowed: noauth alone, because it lets everybody in whom the others would refuse',
  },
  {
    option: LISTENING_OPTIONS.listen,
    isBroken: ({ api }) => api.authStrategies.includes('noauth') && !api.noauthPublic && !isLoopback(api.listen.host),
    reason:
      'allowed: a loopback address, because auth_strategy = noauth makes everybody admin; noauth_on_public_address = True permits it all the same',
  },
];

export type AuthStrategy = Config['api']['authStrategies'][number];

export abstract class AuthOptions extends valuesOf(AUTH_OPTIONS) {}

export abstract class UserTokenOptions {
  /** `null`: users cannot create tokens. */
  abstract readonly mostDays: number | null;
}
