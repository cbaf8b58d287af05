import { type DynamicModule, Module, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Scheduler, type BackgroundService } from '../background/scheduler.js';
import { LeaseRepository } from '../background/lease.repository.js';
import { RequestMemory } from '../common/request-memory.js';
import { Streams } from '../common/streams.js';
import type { Config } from '../config/config.js';
import { DatabaseModule } from '../database/database.module.js';
import type { OpenDatabase } from '../database/open-database.js';
import { type CallLimits, PluginCalls } from '../plugins/calls/plugin-call.js';
import { PluginReads, PluginUnitOfWork } from '../plugins/calls/plugin-transactions.js';
import { HookGuard, NoHookGuard } from '../zones/changes/change-hook.js';
import { BackgroundWork } from './background-work.js';
import type { Core } from './composition/composition.js';
import { PluginHookGuard } from './composition/guarded-change.js';
import { callingPlugin } from './composition/plugin-folders.js';
import { providersOf } from './composition/ports.js';
import { showStandbys, Standbys } from '../database/standbys/standbys.js';

@Module({})
export class CoreModule {
  static register(
    database: OpenDatabase,
    { modules, ports, plugins, background }: Core,
    { api, plugins: limits }: Config,
  ): DynamicModule {
    const streams = { provide: Streams, useValue: new Streams(api.maxStreams) };
    const memory = { provide: RequestMemory, useValue: new RequestMemory(api.requestMemory) };
    // Nest calls the shutdown hook of services that it creates.
    const calls = {
      provide: PluginCalls,
      useFactory: () => new PluginCalls(callLimitsOf(limits), () => callingPlugin(plugins)),
    };
    const guard = {
      provide: HookGuard,
      useFactory: (made: PluginCalls) => (plugins.length === 0 ? new NoHookGuard() : new PluginHookGuard(made)),
      inject: [PluginCalls],
    };
    const entries = [{ service: StandbyWatch }, ...background.background];
    const work = {
      provide: BackgroundWork,
      useFactory: (scheduler: Scheduler, module: ModuleRef) =>
        new BackgroundWork(
          scheduler,
          { get: (type) => module.get(type, { strict: false }) },
          { ...background, background: entries },
        ),
      inject: [Scheduler, ModuleRef],
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
        work,
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
        BackgroundWork,
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

/** In milliseconds. */
const INTERVAL = 1000;

@Injectable()
class StandbyWatch implements BackgroundService, OnModuleDestroy {
  private readonly hide: () => void;

  constructor(private readonly standbys: Standbys) {
    const { all } = standbys;
    this.hide = all.length === 0 ? () => undefined : showStandbys(all);
  }

  addTasks(scheduler: Scheduler): void {
    if (this.standbys.all.length === 0) return;
    const look = { name: 'database.standbys', every: INTERVAL, runOnStart: true, readOnly: true };
    scheduler.add({ ...look, run: () => this.standbys.look() });
  }

  onModuleDestroy(): void {
    this.hide();
  }
}
