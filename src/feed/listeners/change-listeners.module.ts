import { type DynamicModule, Module } from '@nestjs/common';
import type { ModuleImport } from '../../plugins/plugin.js';
import { ZoneChangesModule } from '../../zones/changes/zone-changes.module.js';
import { ChangeDispatcher } from './change-dispatcher.js';
import type { ChangeListener, NamedListener } from './change-listener.js';
import { ListenerRepository } from './listener.repository.js';
import { CreatedListeners } from './created-listeners.js';
import { PositionsCleanup } from './positions-cleanup.js';
import { ShardRepository } from './shard.repository.js';

/** Makes the listeners of all plugins, and gives them what changes. */
@Module({})
export class ChangeListenersModule {
  /** @param modules those of plugins, where listeners find what they need */
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
