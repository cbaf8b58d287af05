import { type DynamicModule, Module } from '@nestjs/common';
import { PluginCalls } from '../../plugins/calls/plugin-calls.js';
import type { HealthCheck, NamedHealthCheck } from '../../plugins/health-check.js';
import { HealthChecks } from './health-checks.js';

/** Makes the health checks that plugins bring. */
@Module({})
export class HealthChecksModule {
  static register(named: readonly NamedHealthCheck[]): DynamicModule {
    const made = (calls: PluginCalls, ...checks: HealthCheck[]): HealthChecks =>
      new HealthChecks(
        checks.map((check, at) => {
          const { name = '', isEssential = false } = named[at] ?? {};
          return { name, check, isEssential };
        }),
        calls,
      );
    const classes = named.map(({ check }) => check);
    return {
      module: HealthChecksModule,
      global: true,
      providers: [...classes, { provide: HealthChecks, useFactory: made, inject: [PluginCalls, ...classes] }],
      exports: [HealthChecks],
    };
  }
}
