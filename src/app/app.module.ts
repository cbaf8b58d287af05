import { type DynamicModule, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuthGuard } from '../auth/auth.guard.js';
import { Identification } from '../auth/identification.js';
import { ChangeListenersModule } from '../feed/listeners/change-listeners.module.js';
import type { AuthStrategy } from '../auth/auth.options.js';
import type { Config } from '../config/config.js';
import type { OpenDatabase } from '../database/open-database.js';
import { HealthChecksModule } from '../monitoring/health-checks.js';
import { HttpModule } from '../http/http.module.js';
import type { HttpOptions, RateLimits } from '../http/http.options.js';
import { VERSION_1 } from '../http/v1/interface.js';
import { isVersion2, VERSION_2 } from '../http/v2/interface.js';
import { V2Links } from '../http/v2/collection.js';
import { externalDnsInterface, isExternalDns } from '../external-dns/external-dns-interface.js';
import { moduleOf } from '../plugins/feature.js';
import { isPowerDns, powerDnsInterface } from '../powerdns/powerdns-interface.js';
import { BackgroundWork } from './background-work.js';
import type { Application } from './composition/composition.js';
import { CoreModule } from './core.module.js';

@Module({})
export class AppModule implements OnApplicationBootstrap {
  constructor(private readonly background: BackgroundWork) {}

  static register(config: Config, database: OpenDatabase, application: Application): DynamicModule {
    const { api } = config;
    return {
      module: AppModule,
      imports: [
        CoreModule.register(database, application, config),
        // Guards run in the order of modules: authentication (behaviour 3.4) before bodies.
        moduleOf('AuthGuard', {
          global: true,
          providers: [Identification, { provide: APP_GUARD, useClass: AuthGuard }],
          exports: [Identification],
        }),
        HttpModule.register(httpOptionsOf(config)),
        HealthChecksModule.register(application.healthChecks),
        ...application.api,
        ...(api.enableV2 ? [LINKS_OF_VERSION_2, ...application.v2] : []),
        ...application.extensions,
        ChangeListenersModule.register(application.listeners, [...application.modules, ...application.api]),
      ],
    };
  }

  onApplicationBootstrap(): void {
    this.background.start();
  }
}

const LINKS_OF_VERSION_2 = moduleOf('V2Links', { global: true, providers: [V2Links], exports: [V2Links] });

function httpOptionsOf(config: Config): HttpOptions {
  const { api, keystone, rateLimits } = config;
  const challengeOf = (strategy: AuthStrategy) => (strategy === 'keystone' ? keystoneChallenge(keystone) : BEARER);
  return {
    maxBodySize: api.maxBodySize,
    baseUri: api.baseUri,
    interfaceOf: interfacesOf(config),
    challenges: [...new Set(api.authStrategies.map(challengeOf))],
    trustsProxies: api.trustedProxies.length > 0,
    rateLimits: rateLimitsOf(rateLimits, api.workers),
  };
}

function interfacesOf({ powerdns, externalDns }: Config): HttpOptions['interfaceOf'] {
  const powerDns = powerdns.enabled ? powerDnsInterface(powerdns) : null;
  const webhook = externalDns.enabled ? externalDnsInterface(externalDns) : null;
  return (path) => {
    if (isVersion2(path)) return VERSION_2;
    if (powerDns !== null && isPowerDns(path)) return powerDns;
    return webhook !== null && isExternalDns(path) ? webhook : VERSION_1;
  };
}

/** Each process counts by itself. */
function rateLimitsOf({ exempt, ...limits }: Config['rateLimits'], workers: number): RateLimits {
  const shareOf = (limit: number): number | null => (limit === 0 ? null : Math.ceil(limit / workers));
  return {
    perAddress: shareOf(limits.perAddress),
    perToken: shareOf(limits.perToken),
    failedCredentials: shareOf(limits.failedCredentials),
    exempt,
  };
}

/** The only registered scheme among the accepted headers (RFC 6750 §3). */
const BEARER = 'Bearer';

/** As in Keystone's own middleware. */
function keystoneChallenge({ wwwAuthenticateUri, authUrl }: Config['keystone']): string {
  return `Keystone uri="${wwwAuthenticateUri ?? authUrl ?? ''}"`;
}
