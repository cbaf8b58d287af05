import { isLoopback } from './address-readers.js';
import type { AuthStrategy, Config } from './config.js';
import type { ConfigError } from './config-error.js';
import {
  ALLOW_TRANSFER,
  ALSO_NOTIFY,
  AUTH_STRATEGY,
  AUTH_URL,
  JWT_AUDIENCE,
  JWT_ISSUER,
  KEYSTONE_PASSWORD,
  LISTEN,
  type Option,
  SECONDARIES,
  TSIG_KEYS,
  WORKERS,
} from './options.js';

/** A rule about several options. The message names the one that is easiest to change, which may not be set at all. */
interface Rule {
  readonly option: Option<unknown>;
  readonly isBroken: (config: Config) => boolean;
  readonly reason: string;
}

const RULES: readonly Rule[] = [
  {
    option: WORKERS,
    isBroken: ({ api, database }) => api.workers > 1 && database.url.startsWith('sqlite:'),
    reason: 'allowed: 1, because SQLite serves one process; more need a postgresql:// URL in [database] url',
  },
  {
    option: AUTH_STRATEGY,
    isBroken: (config) => uses('noauth', config) && config.api.authStrategies.length > 1,
    reason: 'allowed: noauth alone, because it lets everybody in whom the others would refuse',
  },
  {
    option: LISTEN,
    isBroken: (config) => uses('noauth', config) && !config.api.noauthPublic && !isLoopback(config.api.listen.host),
    reason:
      'allowed: a loopback address, because auth_strategy = noauth makes everybody admin; noauth_on_public_address = True permits it all the same',
  },
  {
    option: AUTH_URL,
    isBroken: (config) => uses('keystone', config) && config.keystone.authUrl === null,
    reason: 'give the URL of a Keystone server, because auth_strategy = keystone asks it about tokens',
  },
  {
    option: KEYSTONE_PASSWORD,
    isBroken: (config) =>
      uses('keystone', config) && (config.keystone.username === null) !== (config.keystone.password === null),
    reason: 'give a username together with a password, or neither of them',
  },
  {
    option: JWT_ISSUER,
    isBroken: (config) => uses('jwt', config) && config.jwt.issuer === null,
    reason: 'give the URL of an OIDC issuer, because auth_strategy = jwt takes its tokens',
  },
  {
    option: JWT_AUDIENCE,
    isBroken: (config) => uses('jwt', config) && config.jwt.audience.length === 0,
    reason: 'give what tokens for this service have in aud, because those for other services are refused',
  },
  {
    option: TSIG_KEYS,
    isBroken: ({ mdns: { tsigKeys } }) => new Set(tsigKeys.map(({ name }) => name)).size < tsigKeys.length,
    reason: 'allowed: each name of a key once',
  },
  namesKnownKeys(SECONDARIES, ({ secondaries }) => secondaries),
  namesKnownKeys(ALSO_NOTIFY, ({ alsoNotify }) => alsoNotify),
  namesKnownKeys(ALLOW_TRANSFER, ({ allowTransfer }) => allowTransfer),
];

function uses(strategy: AuthStrategy, { api }: Config): boolean {
  return api.authStrategies.includes(strategy);
}

function namesKnownKeys(
  option: Option<unknown>,
  entriesOf: (mdns: Config['mdns']) => readonly { readonly key: string | null }[],
): Rule {
  return {
    option,
    isBroken: ({ mdns }) => {
      const known = mdns.tsigKeys.map(({ name }) => name);
      return entriesOf(mdns).some(({ key }) => key !== null && !known.includes(key));
    },
    reason: 'allowed behind @: the name of a key in [service:mdns] tsig_keys',
  };
}

/** @throws the error that `refusal` makes for the first rule that is broken */
export function assertRules(config: Config, refusal: (option: Option<unknown>, reason: string) => ConfigError): void {
  const broken = RULES.find(({ isBroken }) => isBroken(config));
  if (broken !== undefined) throw refusal(broken.option, broken.reason);
}
