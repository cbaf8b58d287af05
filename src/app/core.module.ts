import { type DynamicModule, Module } from '@nestjs/common';
import { Scheduler } from '../background/scheduler.js';
import { LeaseRepository } from '../background/lease.repository.js';
import { RequestMemory } from '../common/request-memory.js';
import { Streams } from '../common/streams.js';
import type { Config } from '../config/config.js';
import { DatabaseModule } from '../database/database.module.js';
import type { OpenDatabase } from '../database/open-database.js';
import { type CallLimits, PluginCalls } from '../plugins/calls/plugin-calls.js';
import { PluginReads } from '../plugins/calls/plugin-reads.js';
import { PluginUnitOfWork } from '../plugins/calls/plugin-unit-of-work.js';
import { HookGuard, NoHookGuard } from '../zones/changes/hook-guard.js';
import type { Core } from './composition/composition.js';
import { PluginHookGuard } from './composition/guarded-hook.js';
import { callingPlugin } from './composition/plugin-folders.js';
import { providersOf } from './composition/port-providers.js';
import { StandbyWatch } from './standby-watch.js';

/** The services of plugins on an open database, and what fills the ports: what the service and commands stand on. */
@Module({})
export class CoreModule {
  static register(
    database: OpenDatabase,
    { modules, ports, plugins }: Core,
    { api, plugins: limits }: Config,
  ): DynamicModule {
    const streams = { provide: Streams, useValue: new Streams(api.maxStreams) };
    const memory = { provide: RequestMemory, useValue: new RequestMemory(api.requestMemory) };
    // Made by Nest, which tells it of the end.
    const calls = {
      provide: PluginCalls,
      useFactory: () => new PluginCalls(callLimitsOf(limits), () => callingPlugin(plugins)),
    };
    const guard = {
      provide: HookGuard,
      useFactory: (made: PluginCalls) => (plugins.length === 0 ? new NoHookGuard() : new PluginHookGuard(made)),
      inject: [PluginCalls],
    };
    return {
      module: CoreModule,
      global: true,
      imports: [DatabaseModule.register(database, api.spoolDirectory), ...modules],
      providers: [
        streams,
        memory,
        calls,
        guard,
        Scheduler,
        LeaseRepository,
        StandbyWatch,
        PluginReads,
        PluginUnitOfWork,
        ...ports.flatMap(providersOf),
      ],
      exports: [
        Streams,
        RequestMemory,
        Scheduler,
        PluginCalls,
        HookGuard,
        PluginReads,
        PluginUnitOfWork,
        ...ports.map(({ port }) => port),
      ],
    };
  }
}

function callLimitsOf({ changeTimeLimit, requestTimeLimit, backgroundTimeLimit }: Config['plugins']): CallLimits {
  return { change: changeTimeLimit, request: requestTimeLimit * 1000, background: backgroundTimeLimit * 1000 };
}
