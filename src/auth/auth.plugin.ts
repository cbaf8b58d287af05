import type { Config } from '../config/config.js';
import { ConfigError } from '../config/config-error.js';
import { definePlugin, fill } from '../plugins/plugin.js';
import type { AuthOptions } from './auth.options.js';

/** Tokens, and who a request stands for (behaviour 3). */
export const AUTH = definePlugin({
  name: 'auth',
  zonewright: '*',
  schema: () => import('./auth.schema.js'),
  core: async ({ config }) => {
    const { AuthCoreModule } = await import('./auth-core.module.js');
    return { modules: [AuthCoreModule.register(authOptionsOf(config))] };
  },
  api: async ({ config }) => {
    const { Authenticator } = await import('./authenticator.js');
    if (config.api.authStrategy === 'noauth')
      return { ports: [fill(Authenticator, (await import('./noauth.authenticator.js')).NoauthAuthenticator)] };
    return { ports: [fill(Authenticator, (await import('./token.authenticator.js')).TokenAuthenticator)] };
  },
});

function authOptionsOf({ api: { authStrategy: strategy }, auth: { adminToken } }: Config): AuthOptions {
  if (strategy === 'keystone')
    throw new ConfigError('[service:api] auth_strategy = keystone is not available yet: use token or noauth');
  return { strategy, adminToken };
}
