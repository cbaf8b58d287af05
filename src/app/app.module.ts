import { type DynamicModule, Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import type { Config } from '../config/config.js';
import { ConfigError } from '../config/config-error.js';
import type { OpenDatabase } from '../database/open-database.js';
import { HttpModule } from '../http/http.module.js';
import { V1_ERRORS } from '../http/v1/errors.js';
import type { ModuleImport } from '../plugins/plugin.js';
import type { Application, Extensions } from './composition.js';
import { CoreModule } from './core.module.js';

/** The whole service: the core, and the interfaces that the configuration asks for. */
@Module({})
export class AppModule {
  /** @throws ConfigError for an extension that no plugin brings */
  static register({ api }: Config, database: OpenDatabase, application: Application): DynamicModule {
    return {
      module: AppModule,
      imports: [
        CoreModule.register(database, application, api),
        // Guards are asked in the order of their modules: who may (behaviour 3.4) before what the body is.
        AuthModule,
        HttpModule.register({ maxBodySize: api.maxBodySize, baseUri: api.baseUri, errors: V1_ERRORS }),
        ...application.api,
        ...enabledExtensions(api, application),
      ],
    };
  }
}

/** A name that nothing answers to is refused also while the admin API is off. */
function enabledExtensions(api: Config['api'], { adminExtensions, v1Extensions }: Application): ModuleImport[] {
  const admin = modulesNamed('enabled_extensions_admin', api.adminExtensions, adminExtensions);
  const v1 = modulesNamed('enabled_extensions_v1', api.v1Extensions, v1Extensions);
  return api.enableAdmin ? [...admin, ...v1] : v1;
}

function modulesNamed(option: string, names: readonly string[], known: Extensions): ModuleImport[] {
  return names.map((name) => {
    const module = known.get(name);
    if (module !== undefined) return module;
    throw new ConfigError(
      `[service:api] ${option} = ${JSON.stringify(name)}: no such extension; known: ${[...known.keys()].join(', ')}`,
    );
  });
}
