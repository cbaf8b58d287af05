import type { NamedHealthCheck } from '../../plugins/health-check.js';
import type { ApiParts } from '../../plugins/plugin.js';
import { Claims, isBuiltIn, prefixOf, refusal } from './claims.js';
import type { Loaded } from './loaded.js';

const CHECK_NAME = /^[a-z][a-z0-9-]{0,62}$/;

/** @throws ConfigError for a name that is malformed, or that a plugin has twice */
export function joinHealthChecks(loaded: readonly Loaded<ApiParts>[]): NamedHealthCheck[] {
  const names = new Claims('health check');
  return loaded.flatMap(({ plugin, part: { healthChecks = [] } }) =>
    healthChecks.map((check) => {
      if (!CHECK_NAME.test(check.name))
        throw refusal(
          plugin,
          `the health check ${JSON.stringify(check.name)}: a name has lower-case letters, digits and hyphens`,
        );
      const name = `${plugin.name}/${check.name}`;
      names.claim(plugin, name);
      return { ...check, name };
    }),
  );
}

/** Of the names that Prometheus takes, those that everybody writes. */
const METRIC_NAME = /^[a-z][a-z0-9_]{0,199}$/;

/**
 * Prometheus would take two metrics of one name for one.
 * @throws ConfigError for a name that is malformed, that could become ours, or that a plugin has twice
 */
export function assertMetrics(loaded: readonly Loaded<ApiParts>[]): void {
  const names = new Claims('metric');
  for (const { plugin, part } of loaded) {
    if (isBuiltIn(plugin)) continue;
    for (const { name } of part.metrics ?? []) {
      const prefix = prefixOf(plugin);
      if (!METRIC_NAME.test(name) || !name.startsWith(prefix))
        throw refusal(
          plugin,
          `the metric ${JSON.stringify(name)}: a name has lower-case letters, digits and "_", and begins with ${prefix}`,
        );
      names.claim(plugin, name);
    }
  }
}
