import { feature, moduleOf } from '../plugins/feature.js';

/** Compares domains with the live DNS (behaviour 27). */
export const LIVE_CHECKS = feature({
  name: 'live-checks',
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
    return { modules: [moduleOf('LiveChecks', { global: true, imports, providers, exports: [LiveCheckService] })] };
  },
  api: async () => {
    const controllers = [(await import('./v1/live-checks.controller.js')).LiveChecksController];
    return { modules: [moduleOf('LiveChecksV1', { controllers })] };
  },
});
