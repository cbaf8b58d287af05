import type { Type } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { feature, moduleOf } from '../plugins/feature.js';
import { fill, type FilledPort, type ModuleImport } from '../plugins/plugin.js';
import type { AuthStrategy, UserTokenOptions } from './auth.options.js';
import type { JwtOptions } from './jwt/jwt.options.js';
import type { ServiceInfo } from './v1/dto/whoami.dto.js';
import type { Strategies, Strategy } from './strategies.js';

export const AUTH = feature({
  name: 'auth',
  entities: async () => [(await import('./tokens/token.entity.js')).TokenEntity],
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
          { provide: (await import('./v1/dto/whoami.dto.js')).ServiceInfo, useValue: factsOf(config) },
          { provide: (await import('./auth.options.js')).UserTokenOptions, useValue: userTokensOf(config) },
        ],
      }),
    ],
    ports: [await authenticatorFor(config.api.authStrategies)],
  }),
});

function factsOf({ api, central, defaults, mdns, powerdns, externalDns, keystone }: Config): ServiceInfo {
  const isForOpenStack = api.enableV2 && api.authStrategies.includes('keystone');
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
    dnsUpdates: mdns.enabled && mdns.updates ? { address: mdns.listen.host, port: mdns.listen.port } : null,
    powerDnsApi: powerdns.enabled,
    externalDns: externalDns.enabled,
    openstackAuthUrl: isForOpenStack ? (keystone.wwwAuthenticateUri ?? keystone.authUrl) : null,
    docs: api.docs,
  };
}

/** Without the strategy `token`, no strategy would accept the tokens. */
function userTokensOf({ api, auth }: Config): UserTokenOptions {
  return { mostDays: api.authStrategies.includes('token') ? auth.userTokenDays : null };
}

async function authenticatorFor(strategies: readonly AuthStrategy[]): Promise<FilledPort> {
  const { Authenticator } = await import('./authenticator.js');
  if (strategies.includes('noauth'))
    return fill(Authenticator, (await import('./authenticator.js')).NoauthAuthenticator);
  const [only, ...others] = await strategyClasses(strategies);
  if (only !== undefined && others.length === 0) return fill(Authenticator, only);
  return fill(Authenticator, (await import('./strategies.js')).StrategyChain);
}

async function strategyModules({ api: { authStrategies }, keystone, jwt }: Config): Promise<ModuleImport[]> {
  const needed: ModuleImport[] = [];
  if (authStrategies.includes('keystone')) needed.push(await keystoneModule(keystone));
  if (authStrategies.includes('jwt')) needed.push(await jwtModule(jwt));
  if (authStrategies.length === 1) return needed;
  const classes = await strategyClasses(authStrategies);
  const { Strategies } = await import('./strategies.js');
  const all = {
    provide: Strategies,
    useFactory: (...all: Strategy[]): Strategies => ({ all }),
    inject: classes,
  };
  return [moduleOf('Strategies', { imports: needed, providers: [...classes, all], exports: [Strategies] })];
}

async function keystoneModule(config: Config['keystone']): Promise<ModuleImport> {
  const { KeystoneOptions, keystoneOptions } = await import('./keystone/keystone.options.js');
  const options = { provide: KeystoneOptions, useValue: keystoneOptions(config) };
  const shared = [options, (await import('./keystone/keystone.client.js')).KeystoneClient];
  return moduleOf('Keystone', { global: true, providers: shared, exports: shared });
}

async function jwtModule(config: Config['jwt']): Promise<ModuleImport> {
  const { JwtOptions } = await import('./jwt/jwt.options.js');
  const { IssuerKeys } = await import('./jwt/issuer.client.js');
  const options: JwtOptions = { ...config, issuer: config.issuer ?? '' };
  const { IssuerClient } = await import('./jwt/issuer.client.js');
  const shared = [{ provide: JwtOptions, useValue: options }, IssuerClient, IssuerKeys];
  return moduleOf('Jwt', { global: true, providers: shared, exports: shared });
}

/** Keystone tokens have no recognizable form, so Keystone comes last. */
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
