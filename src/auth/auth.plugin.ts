import type { Type } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { definePlugin, fill, type FilledPort, type ModuleImport } from '../plugins/plugin.js';
import type { AuthStrategy } from './auth.options.js';
import type { Strategy } from './strategies/strategy.js';

/** Tokens, and who a request stands for (behaviour 3). */
export const AUTH = definePlugin({
  name: 'auth',
  zonewright: '*',
  schema: () => import('./auth.schema.js'),
  core: async ({ config }) => {
    const { AuthCoreModule } = await import('./auth-core.module.js');
    return { modules: [AuthCoreModule.register(config.auth), ...(await strategyModules(config))] };
  },
  api: async ({ config }) => ({
    modules: [(await import('./tokens/own-tokens.module.js')).OwnTokensModule],
    ports: [await authenticatorFor(config.api.authStrategies)],
  }),
});

async function authenticatorFor(strategies: readonly AuthStrategy[]): Promise<FilledPort> {
  const { Authenticator } = await import('./authenticator.js');
  if (strategies.includes('noauth'))
    return fill(Authenticator, (await import('./noauth.authenticator.js')).NoauthAuthenticator);
  const [only, ...others] = await strategyClasses(strategies);
  if (only !== undefined && others.length === 0) return fill(Authenticator, only);
  return fill(Authenticator, (await import('./strategies/first-to-recognise.js')).FirstToRecognise);
}

/** What strategies need, and themselves where there are several. */
async function strategyModules({ api: { authStrategies }, keystone, jwt }: Config): Promise<ModuleImport[]> {
  const needed: ModuleImport[] = [];
  if (authStrategies.includes('keystone'))
    needed.push((await import('./keystone/keystone.module.js')).KeystoneModule.register(keystone));
  if (authStrategies.includes('jwt')) needed.push((await import('./jwt/jwt.module.js')).JwtModule.register(jwt));
  if (authStrategies.length === 1) return needed;
  const { StrategiesModule } = await import('./strategies/strategies.module.js');
  return [StrategiesModule.register(await strategyClasses(authStrategies), needed)];
}

/** Tokens of Keystone have no form of their own, so that it comes after those that know theirs. */
const ORDER = ['token', 'jwt', 'keystone'] as const;

const CLASSES: Readonly<Record<(typeof ORDER)[number], () => Promise<Type<Strategy>>>> = {
  token: async () => (await import('./tokens/token.authenticator.js')).TokenAuthenticator,
  jwt: async () => (await import('./jwt/jwt.authenticator.js')).JwtAuthenticator,
  keystone: async () => (await import('./keystone/keystone.authenticator.js')).KeystoneAuthenticator,
};

async function strategyClasses(strategies: readonly AuthStrategy[]): Promise<Type<Strategy>[]> {
  const classes: Type<Strategy>[] = [];
  for (const name of ORDER) if (strategies.includes(name)) classes.push(await CLASSES[name]());
  return classes;
}
