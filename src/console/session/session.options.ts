import { inSection, option, valuesOf, type Rule } from '../../config/option.js';
import type { Config } from '../../config/config.js';
import { integer, orEmpty, secret, text } from '../../config/readers.js';

export const SESSION_OPTIONS = inSection('console', {
  idleMinutes: option(integer(1, 1440), '30', 'minutes without a request after which a session ends', {
    name: 'session_idle_minutes',
  }),
  longestHours: option(integer(1, 720), '12', 'hours after which a session ends, however much it is used', {
    name: 'session_hours',
  }),
});

export const ISSUER_SIGN_IN_OPTIONS = inSection('console', {
  clientId: option(
    orEmpty(null, text),
    '',
    'client ID of the console at the issuer of [jwt], for sign-in there; empty: no sign-in there',
    { name: 'oidc_client_id' },
  ),
  clientSecret: option(orEmpty(null, secret), '', 'the secret of that client; empty: it has none, as a public client', {
    name: 'oidc_client_secret',
    secret: true,
  }),
  scope: option(
    text,
    'openid',
    'requested scopes, with openid; for offline_access, many issuers return a refresh token',
    { name: 'oidc_scope' },
  ),
  resource: option(
    orEmpty(null, text),
    '',
    'the resource that tokens are asked for there (RFC 8707); empty: none is named',
    { name: 'oidc_resource' },
  ),
  issuerName: option(orEmpty(null, text), '', 'what the button to sign in says; empty: the host of the issuer', {
    name: 'oidc_name',
  }),
});

export const CONSOLE_RULES: readonly Rule<Config>[] = [
  {
    option: ISSUER_SIGN_IN_OPTIONS.clientId,
    isBroken: ({ api, console: { clientId } }) => clientId !== null && !api.authStrategies.includes('jwt'),
    reason: 'set auth_strategy to jwt, beside others perhaps, because nobody else takes the tokens of the issuer',
  },
];

export abstract class IssuerSignInOptions extends valuesOf(ISSUER_SIGN_IN_OPTIONS) {
  abstract override readonly clientId: string;
}

export abstract class SessionOptions extends valuesOf(SESSION_OPTIONS) {}
