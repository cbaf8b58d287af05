import type { Type } from '@nestjs/common';
import { ConfigError } from '../config/load-config.js';
import { FlatQuotasModule, QuotasModule } from '../quotas/quotas.module.js';

/** Names in `enabled_extensions_admin` and the modules that they bring, under /admin. */
const ADMIN_EXTENSIONS: Readonly<Record<string, Type>> = { quotas: QuotasModule };

/** Names in `enabled_extensions_v1` and the modules that they bring, under /v1. */
const V1_EXTENSIONS: Readonly<Record<string, Type>> = { quotas: FlatQuotasModule };

export interface ExtensionSettings {
  readonly enableAdmin: boolean;
  readonly adminExtensions: readonly string[];
  readonly v1Extensions: readonly string[];
}

/**
 * The modules that the configuration asks for.
 * @throws ConfigError for a name that nothing answers to, also while the admin API is off
 */
export function extensionModules(
  { enableAdmin, adminExtensions, v1Extensions }: ExtensionSettings,
  added: Readonly<Record<string, Type>> = {},
): Type[] {
  const admin = modulesNamed('enabled_extensions_admin', adminExtensions, { ...ADMIN_EXTENSIONS, ...added });
  const v1 = modulesNamed('enabled_extensions_v1', v1Extensions, V1_EXTENSIONS);
  return enableAdmin ? [...admin, ...v1] : v1;
}

function modulesNamed(option: string, names: readonly string[], known: Readonly<Record<string, Type>>): Type[] {
  return names.map((name) => {
    const module = Object.hasOwn(known, name) ? known[name] : undefined;
    if (module !== undefined) return module;
    throw new ConfigError(
      `[service:api] ${option} = ${JSON.stringify(name)}: no such extension; known: ${Object.keys(known).join(', ')}`,
    );
  });
}
