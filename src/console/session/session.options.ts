import { inSection, valuesOf } from '../../config/option.js';
import type { Config } from '../../config/config.js';
import type { Rule } from '../../config/cross-checks.js';
import { integer, orEmpty, secret, text } from '../../config/readers.js';

export const SESSION_OPTIONS = inSection('console', {
  idleMinutes: {
    name: 'session_idle_minutes',
    default: '30',
    reader: integer(1, 1440),
    meaning: 'minutes without a request after which a session ends',
  },
  longestHours: {
    name: 'session_hours',
    default: '12',
    reader: integer(1, 720),
    meaning: 'hours after which a session ends, however much it is used',
  },
});

export const ISSUER_SIGN_IN_OPTIONS = inSection('console', {
  clientId: {
    name: 'oidc_client_id',
    default: '',
    reader: orEmpty(null, text),
    meaning: 'what the console is called at the issuer of [jwt], where people then sign in; empty: nobody does',
  },
  clientSecret: {
    name: 'oidc_client_secret',
    default: '',
    reader: orEmpty(null, secret),
    meaning: 'the secret of that client; empty: it has none, as a public client',
    secret: true,
  },
  scope: {
    name: 'oidc_scope',
    default: 'openid',
    reader: text,
    meaning: 'what is asked for there, openid with it; offline_access has many issuers give a token to refresh with',
  },
  resource: {
    name: 'oidc_resource',
    default: '',
    reader: orEmpty(null, text),
    meaning: 'the resource that tokens are asked for there (RFC 8707); empty: none is named',
  },
  issuerName: {
    name: 'oidc_name',
    default: '',
    reader: orEmpty(null, text),
    meaning: 'what the button to sign in says; empty: the host of the issuer',
  },
});

export const CONSOLE_RULES: readonly Rule<Config>[] = [
  {
    option: ISSUER_SIGN_IN_OPTIONS.clientId,
    isBroken: ({ api, console: { clientId } }) => clientId !== null && !api.authStrategies.includes('jwt'),
    reason: 'set auth_strategy to jwt, beside others perhaps, because nobody else takes the tokens of the issuer',
  },
];

/** How people sign in at an issuer. */
export abstract class IssuerSignInOptions extends valuesOf(ISSUER_SIGN_IN_OPTIONS) {
  abstract override readonly clientId: string;
}

export abstract class SessionOptions extends valuesOf(SESSION_OPTIONS) {}
