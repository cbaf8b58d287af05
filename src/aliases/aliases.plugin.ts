import { migration } from '../database/schema/schema.js';
import { feature, moduleOf } from '../plugins/feature.js';

/** Names that follow the addresses of others (behaviour 24). */
export const ALIASES = feature({
  name: 'aliases',
  schema: async () => ({
    entities: [
      (await import('./alias-target.entity.js')).AliasTargetEntity,
      (await import('./alias-target.entity.js')).AliasOwnerEntity,
    ],
    migrations: [
      migration('ExpandAliases1764490000000', () => import('../database/migrations/1764490000000-expand-aliases.js')),
      migration(
        'ExpandRecordsByAlias1764490100000',
        () => import('../database/migrations/1764490100000-expand-records-by-alias.js'),
        { transaction: false },
      ),
    ],
  }),
  api: async ({ config: { alias, dnssec } }) => {
    const resolver = alias.resolver ?? dnssec.resolver;
    const { AliasRepository } = await import('./alias.repository.js');
    const { AliasesController } = await import('./v1/aliases.controller.js');
    const shared = moduleOf('AliasesV1', {
      imports: [(await import('../zones/zones.module.js')).ZoneChangesModule],
      controllers: [AliasesController],
      providers: [AliasRepository],
    });
    if (!alias.enabled || resolver === null) return { modules: [shared] };
    const { AliasesOptions } = await import('./aliases.options.js');
    const { AliasFollower } = await import('./following/alias-follower.js');
    const providers = [
      (await import('./following/alias-links.js')).AliasLinks,
      (await import('./following/alias-publisher.js')).AliasPublisher,
      (await import('./alias-resolver.js')).AliasResolver,
      AliasRepository,
      (await import('./own-targets.js')).OwnTargets,
      (await import('./target-refresher.js')).TargetRefresher,
      (await import('./target-resolution.js')).TargetResolution,
      (await import('../publishing/transfers/zone-records.js')).ZoneRecords,
      AliasFollower,
      { provide: AliasesOptions, useValue: { ...alias, resolver } },
    ];
    const imports = [(await import('../zones/zones.module.js')).ZoneChangesModule];
    return { modules: [shared, moduleOf('Aliases', { imports, providers })], background: [{ service: AliasFollower }] };
  },
});
