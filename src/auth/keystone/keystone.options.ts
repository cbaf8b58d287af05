import type { RoleNames } from '../role-names.js';
import { httpBase } from '../../config/address-readers.js';
import type { Config } from '../../config/config.js';
import type { Rule } from '../../config/cross-checks.js';
import { inSection } from '../../config/option.js';
import { integer, list, MAX_INT32, orEmpty, roleName, secret, text } from '../../config/readers.js';

/** As keystonemiddleware names and defaults them. */
export const KEYSTONE_OPTIONS = inSection('keystone_authtoken', {
  authUrl: {
    name: 'auth_url',
    default: '',
    reader: orEmpty(null, httpBase),
    meaning: 'the Keystone server that validates tokens, with or without /v3',
  },
  wwwAuthenticateUri: {
    name: 'www_authenticate_uri',
    default: '',
    reader: orEmpty(null, httpBase),
    meaning: 'the Keystone server that a caller without a token is sent to; empty: auth_url',
  },
  username: {
    name: 'username',
    default: '',
    reader: orEmpty(null, text),
    meaning: "the service's own user, who asks about tokens; empty: each token asks about itself",
  },
  password: {
    name: 'password',
    default: '',
    reader: orEmpty(null, secret),
    meaning: 'the password of that user',
    secret: true,
  },
  projectName: { name: 'project_name', default: '', reader: orEmpty(null, text), meaning: 'the project of that user' },
  userDomainName: {
    name: 'user_domain_name',
    default: '',
    reader: orEmpty(null, text),
    meaning: 'the Keystone domain of that user',
  },
  projectDomainName: {
    name: 'project_domain_name',
    default: '',
    reader: orEmpty(null, text),
    meaning: 'the Keystone domain of that project; empty, as for the user: the one with the id default',
  },
  tokenCacheTime: {
    name: 'token_cache_time',
    default: '300',
    reader: integer(-1, MAX_INT32),
    meaning: 'seconds for which the verdict on a token is remembered; -1: never',
  },
  adminRoles: {
    name: 'admin_roles',
    default: 'admin',
    reader: list(roleName),
    meaning: 'roles of Keystone that make an admin here',
  },
  readerRoles: {
    name: 'reader_roles',
    default: 'reader',
    reader: orEmpty([], list(roleName)),
    meaning: 'roles of Keystone that may only read; every other role makes a member',
  },
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

/** What `auth_strategy = keystone` needs of the configuration. */
export abstract class KeystoneOptions implements RoleNames {
  /** Of the API v3, without a trailing slash: `http://keystone.example.org:5000/v3`. */
  abstract readonly url: string;
  /** Who asks Keystone about tokens; `null`: each token asks about itself. */
  abstract readonly serviceUser: ServiceUser | null;
  /** In seconds, for which a verdict is reused; `null`: for no time. */
  abstract readonly cacheTime: number | null;
  abstract readonly adminRoles: readonly string[];
  abstract readonly readerRoles: readonly string[];
  /** All that are in neither list. */
  abstract readonly memberRoles: null;
}

export interface ServiceUser {
  readonly name: string;
  readonly password: string;
  /** The project that it logs in to; `null`: Keystone's choice. */
  readonly project: string | null;
  /** Names of Keystone domains; `null`: the one that each Keystone has from the beginning. */
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

/** Operators name the root of Keystone, or its API v3. */
function versionedUrl(authUrl: string): string {
  return authUrl.endsWith('/v3') ? authUrl : `${authUrl}/v3`;
}

function serviceUserOf(config: Config['keystone']): ServiceUser | null {
  const { username: name, password, projectName: project, userDomainName, projectDomainName } = config;
  if (name === null || password === null) return null;
  return { name, password, project, userDomain: userDomainName, projectDomain: projectDomainName };
}
