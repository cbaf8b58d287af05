import type { Type } from '@nestjs/common';
import { migration } from '../database/schema/lazy-migration.js';
import type { Config } from '../config/config.js';
import { feature, moduleOf } from '../plugins/feature.js';
import { fill, type FilledPort, type ModuleImport } from '../plugins/plugin.js';
import type { AuthStrategy, UserTokenOptions } from './auth.options.js';
import type { JwtOptions } from './jwt/jwt.options.js';
import type { ServiceInfo } from './service-info.js';
import type { Strategies } from './strategies/strategies.js';
import type { Strategy } from './strategies/strategy.js';

/** Tokens, and who a request stands for (behaviour 3). */
export const AUTH = feature({
  name: 'auth',
  schema: async () => ({
    // The table of tokens is older than features: the migration of zones makes it.
    entities: [(await import('./tokens/token.entity.js')).TokenEntity],
    migrations: [
      migration('NarrowTokens1763870000000', () => import('../database/migrations/1763870000000-narrow-tokens.js')),
      migration('OrderTokens1763894000000', () => import('../database/migrations/1763894000000-order-tokens.js')),
      migration('TokensOfUsers1763940000000', () => import('../database/migrations/1763940000000-tokens-of-users.js')),
    ],
  }),
  core: async ({ config }) => {
    const { AuthOptions } = await import('./auth.options.js');
    const shared = [
      { provide: AuthOptions, useValue: config.auth },
      (await import('./tokens/token.repository.js')).TokenRepository,
      (await import('./tokens/token-uses.js')).TokenUses,
      (await import('./tokens/tokens.service.js')).TokensService,
    ];
    const tokens = moduleOf('Tokens', { global: true, providers: shared, exports: shared });
    return { modules: [tokens, ...(await strategyModules(config))] };
  },
  api: async ({ config }) => ({
    modules: [
      moduleOf('OwnTokens', {
        controllers: [
          (await import('./v1/tokens.controller.js')).TokensController,
          (await import('./v1/whoami.controller.js')).WhoamiController,
        ],
        providers: [
          (await import('./tokens/own-tokens.service.js')).OwnTokensService,
          { provide: (await import('./service-info.js')).ServiceInfo, useValue: factsOf(config) },
          { provide: (await import('./auth.options.js')).UserTokenOptions, useValue: userTokensOf(config) },
        ],
      }),
    ],
    ports: [await authenticatorFor(config.api.authStrategies)],
  }),
});

function factsOf({ api, central, defaults, mdns }: Config): ServiceInfo {
  return {
    extensions: api.v1Extensions,
    adminExtensions: api.enableAdmin ? api.adminExtensions : [],
    nameServers: central.nameServers,
    publishes: mdns.secondaries.length > 0 || mdns.catalogZone !== null,
    defaultTtl: defaults.ttl,
    minTtl: central.minTtl,
    maxChanges: api.maxChanges,
    maxBodySize: api.maxBodySize,
    expiringRecords: api.expiringRecords,
  };
}

/** Where no strategy takes tokens of ours, none are made that nobody could use. */
function userTokensOf({ api, auth }: Config): UserTokenOptions {
  return { mostDays: api.authStrategies.includes('token') ? auth.userTokenDays : null };
}

async function authenticatorFor(strategies: readonly AuthStrategy[]): Promise<FilledPort> {
  const { Authenticator } = await import('./authenticator.js');
  if (strategies.includes('noauth'))
    return fill(Authenticator, (await import('./noauth.authenticator.js')).NoauthAuthenticator);
  const [only, ...others] = await strategyClasses(strategies);
  if (only !== undefined && others.length === 0) return fill(Authenticator, only);
  return fill(Authenticator, (await import('./strategies/strategy-chain.js')).StrategyChain);
}

/** What strategies need, and themselves where there are several. */
async function strategyModules({ api: { authStrategies }, keystone, jwt }: Config): Promise<ModuleImport[]> {
  const needed: ModuleImport[] = [];
  if (authStrategies.includes('keystone')) needed.push(await keystoneModule(keystone));
  if (authStrategies.includes('jwt')) needed.push(await jwtModule(jwt));
  if (authStrategies.length === 1) return needed;
  const classes = await strategyClasses(authStrategies);
  const { Strategies } = await import('./strategies/strategies.js');
  const all = {
    provide: Strategies,
    useFactory: (...all: Strategy[]): Strategies => ({ all }),
    inject: classes,
  };
  return [moduleOf('Strategies', { imports: needed, providers: [...classes, all], exports: [Strategies] })];
}

/** What asks a Keystone server, for the authenticator that does so, and for sessions. */
async function keystoneModule(config: Config['keystone']): Promise<ModuleImport> {
  const { KeystoneOptions, keystoneOptions } = await import('./keystone/keystone.options.js');
  const options = { provide: KeystoneOptions, useValue: keystoneOptions(config) };
  const shared = [options, (await import('./keystone/keystone.client.js')).KeystoneClient];
  return moduleOf('Keystone', { global: true, providers: shared, exports: shared });
}

/** The keys of an issuer, for the authenticator that verifies its tokens, and for sessions. */
async function jwtModule(config: Config['jwt']): Promise<ModuleImport> {
  const { JwtOptions } = await import('./jwt/jwt.options.js');
  const { IssuerKeys } = await import('./jwt/issuer-keys.js');
  const options: JwtOptions = { ...config, issuer: config.issuer ?? '' };
  const { IssuerClient } = await import('./jwt/issuer.client.js');
  const shared = [{ provide: JwtOptions, useValue: options }, IssuerClient, IssuerKeys];
  return moduleOf('Jwt', { global: true, providers: shared, exports: shared });
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
