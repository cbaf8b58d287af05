import { migration } from '../database/schema/schema.js';
import { feature, moduleOf } from '../plugins/feature.js';
import { fill } from '../plugins/plugin.js';

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
      migration(
        'ExpandAliasIndex1764555000000',
        () => import('../database/migrations/1764555000000-expand-alias-index.js'),
      ),
      migration(
        'ExpandAliasNotices1764540000000',
        () => import('../database/migrations/1764540000000-expand-alias-notices.js'),
      ),
    ],
  }),
  core: async ({ config: { alias } }) => {
    const { NoStateFindings, StateFindings } = await import('../records/plan-findings.js');
    const { AliasRepository } = await import('./alias.repository.js');
    return {
      modules: [moduleOf('AliasStates', { global: true, providers: [AliasRepository], exports: [AliasRepository] })],
      ports: [
        fill(
          StateFindings,
          alias.enabled ? (await import('./following/alias-findings.js')).AliasFindings : NoStateFindings,
        ),
      ],
    };
  },
  api: async ({ config: { alias, dnssec } }) => {
    const resolver = alias.resolver ?? dnssec.resolver;
    const { AliasesController } = await import('./v1/aliases.controller.js');
    const shared = moduleOf('AliasesV1', {
      imports: [(await import('../zones/zones.module.js')).ZoneChangesModule],
      controllers: [AliasesController],
    });
    if (!alias.enabled || resolver === null) return { modules: [shared] };
    const { AliasesOptions } = await import('./aliases.options.js');
    const { AliasFollower } = await import('./following/alias-follower.js');
    const { AliasNotifier } = await import('./following/alias-notifier.js');
    const providers = [
      (await import('./following/alias-links.js')).AliasLinks,
      (await import('./following/alias-publisher.js')).AliasPublisher,
      (await import('./alias-resolver.js')).AliasResolver,
      (await import('./own-targets.js')).OwnTargets,
      (await import('./target-refresher.js')).TargetRefresher,
      (await import('./target-resolution.js')).TargetResolution,
      (await import('../publishing/transfers/zone-records.js')).ZoneRecords,
      AliasFollower,
      AliasNotifier,
      { provide: AliasesOptions, useValue: { ...alias, resolver } },
    ];
    const imports = [(await import('../zones/zones.module.js')).ZoneChangesModule];
    return {
      modules: [shared, moduleOf('Aliases', { imports, providers })],
      background: [{ service: AliasFollower }, { service: AliasNotifier }],
    };
  },
});
