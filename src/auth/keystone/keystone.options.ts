import type { RoleNames } from '../roles.js';
import { httpBase } from '../../config/address-readers.js';
import type { Config } from '../../config/config.js';
import { type Rule, inSection, option } from '../../config/option.js';
import { integer, list, MAX_INT32, orEmpty, roleName, secret, text } from '../../config/readers.js';

/** Same names and defaults as keystonemiddleware. */
export const KEYSTONE_OPTIONS = inSection('keystone_authtoken', {
  authUrl: option(orEmpty(null, httpBase), '', 'the Keystone server that validates tokens, with or without /v3'),
  wwwAuthenticateUri: option(
    orEmpty(null, httpBase),
    '',
    'the Keystone server that a caller without a token is sent to; empty: auth_url',
  ),
  username: option(
    orEmpty(null, text),
    '',
    "the service's own user, who asks about tokens; empty: each token asks about itself",
  ),
  password: option(orEmpty(null, secret), '', 'the password of that user', { secret: true }),
  projectName: option(orEmpty(null, text), '', 'the project of that user'),
  userDomainName: option(orEmpty(null, text), '', 'the Keystone domain of that user'),
  projectDomainName: option(
    orEmpty(null, text),
    '',
    'the Keystone domain of that project; empty, as for the user: the one with the id default',
  ),
  tokenCacheTime: option(
    integer(-1, MAX_INT32),
    '300',
    'seconds for which the verdict on a token is remembered; -1: never',
  ),
  adminRoles: option(list(roleName), 'admin', 'roles of Keystone that make an admin here'),
  readerRoles: option(
    orEmpty([], list(roleName)),
    'reader',
    'roles of Keystone that may only read; every other role makes a member',
  ),
});

export const KEYSTONE_RULES: readonly Rule<Config>[] = [
  {
    option: KEYSTONE_OPTIONS.authUrl,
    isBroken: ({ api, keystone }) => api.authStrategies.includes('keystone') && keystone.authUrl === null,
    reason: 'give the URL of a Keystone server, because auth_strategy = keystone asks it about tokens',
  },
  {
    option: KEYSTONE_OPTIONS.password,
    isBroken: ({ api, keystone }) =>
      api.authStrategies.includes('keystone') && (keystone.username === null) !== (keystone.password === null),
    reason: 'give a username together with a password, or neither of them',
  },
];

export abstract class KeystoneOptions implements RoleNames {
  /** API v3 without a trailing slash: `http://keystone.example.org:5000/v3`. */
  abstract readonly url: string;
  /** Validates tokens. `null`: each token validates itself. */
  abstract readonly serviceUser: ServiceUser | null;
  /** Seconds; `null`: no caching. */
  abstract readonly cacheTime: number | null;
  abstract readonly adminRoles: readonly string[];
  abstract readonly readerRoles: readonly string[];
  /** All other roles are member roles. */
  abstract readonly memberRoles: null;
}

export interface ServiceUser {
  readonly name: string;
  readonly password: string;
  /** `null`: Keystone chooses. */
  readonly project: string | null;
  /** Names of Keystone domains; `null`: the predefined domain. */
  readonly userDomain: string | null;
  readonly projectDomain: string | null;
}

export function keystoneOptions(config: Config['keystone']): KeystoneOptions {
  const { authUrl, tokenCacheTime, adminRoles, readerRoles } = config;
  return {
    url: versionedUrl(authUrl ?? ''),
    serviceUser: serviceUserOf(config),
    cacheTime: tokenCacheTime < 0 ? null : tokenCacheTime,
    adminRoles,
    readerRoles,
    memberRoles: null,
  };
}

/** Operators name the root of Keystone or its API v3. */
function versionedUrl(authUrl: string): string {
  return authUrl.endsWith('/v3') ? authUrl : `${authUrl}/v3`;
}

function serviceUserOf(config: Config['keystone']): ServiceUser | null {
  const { username: name, password, projectName: project, userDomainName, projectDomainName } = config;
  if (name === null || password === null) return null;
  return { name, password, project, userDomain: userDomainName, projectDomain: projectDomainName };
}
