import type { RoleNames } from '../role-names.js';

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
