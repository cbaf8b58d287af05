import { BlockList, isIP } from 'node:net';

import type { Config } from './config.js';
import type { ConfigError } from './config-error.js';
import {
  ALLOW_TRANSFER,
  ALSO_NOTIFY,
  AUTH_URL,
  KEYSTONE_PASSWORD,
  LISTEN,
  type Option,
  SECONDARIES,
  TSIG_KEYS,
  WORKERS,
} from './options.js';

/** A rule about several options. The message names the one that is easiest to change. */
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
    option: LISTEN,
    isBroken: ({ api }) => api.authStrategy === 'noauth' && !api.noauthPublic && !isLoopback(api.listen.host),
    reason:
      'allowed: a loopback address, because auth_strategy = noauth makes everybody admin; noauth_on_public_address = True permits it all the same',
  },
  {
    option: AUTH_URL,
    isBroken: ({ api, keystone }) => api.authStrategy === 'keystone' && keystone.authUrl === null,
    reason: 'allowed: the URL of a Keystone server, because auth_strategy = keystone asks it about tokens',
  },
  {
    option: KEYSTONE_PASSWORD,
    isBroken: ({ api, keystone }) =>
      api.authStrategy === 'keystone' && (keystone.username === null) !== (keystone.password === null),
    reason: 'allowed: a password together with a username, or neither of them',
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

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** A host name other than localhost may resolve to any address, so it counts as public. */
function isLoopback(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return host.toLowerCase() === 'localhost';
  return LOOPBACK.check(host.replace(/%.*/s, ''), family === 4 ? 'ipv4' : 'ipv6');
}
