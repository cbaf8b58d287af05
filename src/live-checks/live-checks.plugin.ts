import { migration } from '../database/schema/schema.js';
import { feature, moduleOf } from '../plugins/feature.js';

/** Compares domains with the live DNS (behaviour 27). */
export const LIVE_CHECKS = feature({
  name: 'live-checks',
  schema: async () => ({
    entities: [(await import('./schedule/stored-live-check.entity.js')).StoredLiveCheckEntity],
    migrations: [
      migration(
        'ExpandLiveChecks1764550000000',
        () => import('../database/migrations/1764550000000-expand-live-checks.js'),
      ),
    ],
  }),
  core: async ({ config: { liveChecks, dnssec } }) => {
    const { LiveChecksOptions } = await import('./live-checks.options.js');
    const { LiveCheckService } = await import('./live-check.service.js');
    const providers = [
      (await import('./checked-zone.js')).CheckedZones,
      (await import('./questions/query-turns.js')).QueryTurns,
      (await import('../moves/outbound-reads.js')).OutboundReads,
      { provide: LiveChecksOptions, useValue: { ...liveChecks, resolver: liveChecks.resolver ?? dnssec.resolver } },
      LiveCheckService,
    ];
    const imports = [(await import('../zones/zones.module.js')).ZoneChangesModule];
    return {
      modules: [
        moduleOf('LiveChecks', { global: true, imports, providers, exports: [LiveCheckService, LiveChecksOptions] }),
      ],
    };
  },
  api: async () => {
    const { ScheduledChecks } = await import('./schedule/scheduled-checks.js');
    const providers = [
      (await import('./schedule/stored-live-check.repository.js')).StoredLiveCheckRepository,
      (await import('./schedule/live-check-results.js')).LiveCheckResults,
      (await import('./schedule/check-schedule.js')).CheckSchedule,
      (await import('./schedule/live-check-events.js')).LiveCheckEvents,
      ScheduledChecks,
    ];
    const imports = [(await import('../zones/zones.module.js')).ZoneChangesModule];
    const controllers = [(await import('./v1/live-checks.controller.js')).LiveChecksController];
    return {
      modules: [moduleOf('LiveChecksV1', { imports, providers, controllers })],
      background: [{ service: ScheduledChecks }],
    };
  },
});
