import { type DynamicModule, Module } from '@nestjs/common';
import type { Additions } from './additions.js';
import { AuthModule } from '../auth/auth.module.js';
import { HttpModule } from '../http/http.module.js';
import type { Config } from '../config/config.js';
import { ConfigError } from '../config/load-config.js';
import { DatabaseModule } from '../database/database.module.js';
import type { OpenDatabase } from '../database/open-database.js';
import { STANDARD_TYPES } from '../dns/rdata/index.js';
import { generationOf } from '../zones/generation.js';
import { ZonesModule } from '../zones/zones.module.js';
import { extensionModules } from './extensions.js';
import { HealthModule } from '../health/health.module.js';
import { V1_ERRORS } from '../http/v1/errors.js';
import { QUOTA_LIMITS } from './limits.js';
import { QuotaLimitsModule } from '../quotas/quota-limits.module.js';
import { knownRecordTypes, supportedRecordTypes } from './record-types.js';
import { RecordsModule } from '../records/records.module.js';
import { VersionsController } from '../versions/versions.controller.js';
import { ZoneFilesModule } from '../zone-files/zone-files.module.js';

/** The only place that knows every module: configuration in, module graph out. */
@Module({})
export class AppModule {
  /** @throws ConfigError for what no module of this version provides */
  static register(config: Config, database: OpenDatabase, additions: Additions = {}): DynamicModule {
    const { api, central, auth, defaults } = config;
    const { authStrategy: strategy } = api;
    if (strategy === 'keystone')
      throw new ConfigError('[service:api] auth_strategy = keystone is not available yet: use token or noauth');
    const { minTtl, nameServers } = central;
    const generation = generationOf(nameServers);
    const limits = { ...QUOTA_LIMITS, ...additions.limits };
    const types = [...STANDARD_TYPES, ...(additions.types ?? [])];
    const knownTypes = knownRecordTypes(types);
    const records = RecordsModule.register(
      {
        types: supportedRecordTypes(defaults.recordTypes, types),
        knownTypes,
        generation,
        minTtl,
        strictClients: api.strictClients,
      },
      limits.records,
    );
    const zones = ZonesModule.register(
      { defaultTtl: defaults.ttl, generation, minTtl },
      { imports: [records], bindings: [limits.zones] },
    );
    return {
      module: AppModule,
      imports: [
        DatabaseModule.register(database),
        // Guards are asked in the order of their modules: who may (behaviour 3.4) before what the body is.
        AuthModule.register({ strategy, adminToken: auth.adminToken }, additions.authenticator),
        HttpModule.register({ maxBodySize: api.maxBodySize, baseUri: api.baseUri, errors: V1_ERRORS }),
        QuotaLimitsModule.register({ defaults: defaults.quotas }),
        records,
        zones,
        ZoneFilesModule.register({ minTtl, knownTypes }, [zones, records], limits.exports),
        HealthModule,
        ...extensionModules(api, additions.adminExtensions),
      ],
      controllers: [VersionsController],
    };
  }
}
