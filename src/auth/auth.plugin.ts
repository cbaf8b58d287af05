import type { Config } from '../config/config.js';
import type { AuthOptions } from './auth.options.js';
import { definePlugin, fill, type FilledPort, type ModuleImport } from '../plugins/plugin.js';

/** Tokens, and who a request stands for (behaviour 3). */
export const AUTH = definePlugin({
  name: 'auth',
  zonewright: '*',
  schema: () => import('./auth.schema.js'),
  core: async ({ config }) => {
    const { AuthCoreModule } = await import('./auth-core.module.js');
    return { modules: [AuthCoreModule.register(authOptions(config)), ...(await keystoneModules(config))] };
  },
  api: async ({ config }) => ({
    modules: [(await import('./own-tokens.module.js')).OwnTokensModule],
    ports: [await authenticatorFor(config.api.authStrategy)],
  }),
});

function authOptions({ api, auth }: Config): AuthOptions {
  return { adminToken: auth.adminToken, takesTokens: api.authStrategy === 'token' };
}

async function authenticatorFor(strategy: Config['api']['authStrategy']): Promise<FilledPort> {
  const { Authenticator } = await import('./authenticator.js');
  switch (strategy) {
    case 'noauth':
      return fill(Authenticator, (await import('./noauth.authenticator.js')).NoauthAuthenticator);
    case 'keystone':
      return fill(Authenticator, (await import('./keystone/keystone.authenticator.js')).KeystoneAuthenticator);
    case 'token':
      return fill(Authenticator, (await import('./token.authenticator.js')).TokenAuthenticator);
  }
}

async function keystoneModules({ api, keystone }: Config): Promise<ModuleImport[]> {
  if (api.authStrategy !== 'keystone') return [];
  const { KeystoneModule } = await import('./keystone/keystone.module.js');
  return [KeystoneModule.register(keystone)];
}
