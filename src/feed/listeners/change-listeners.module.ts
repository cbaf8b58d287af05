import { type DynamicModule, Module } from '@nestjs/common';
import type { ModuleImport } from '../../plugins/plugin.js';
import { ZoneChangesModule } from '../../zones/zones.module.js';
import { ChangeDispatcher } from './change-dispatcher.js';
import type { ChangeListener, NamedListener } from '../../plugins/change-listener.js';
import { CreatedListeners } from './listener-backlog.js';
import { ListenerRepository } from './listener.repository.js';
import { PositionsCleanup } from './positions-cleanup.js';
import { ShardRepository } from './shards.js';

@Module({})
export class ChangeListenersModule {
  /** @param modules plugin modules with the dependencies of listeners */
  static register(named: readonly NamedListener[], modules: readonly ModuleImport[]): DynamicModule {
    const own = named.map(({ name, listener }) => ({ provide: Symbol(name), useClass: listener }));
    const made = {
      provide: CreatedListeners,
      inject: own.map(({ provide }) => provide),
      useFactory: (...listeners: ChangeListener[]) =>
        new CreatedListeners(listeners.map((listener, at) => ({ name: named[at]?.name ?? '', listener }))),
    };
    return {
      module: ChangeListenersModule,
      imports: [ZoneChangesModule, ...modules],
      providers: [...own, made, ListenerRepository, ShardRepository, ChangeDispatcher, PositionsCleanup],
    };
  }
}
