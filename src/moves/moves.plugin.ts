import { feature, moduleOf } from '../plugins/feature.js';

/** Reads domains at other name servers, to move them in (behaviour 15.10, 15.11). */
export const MOVES = feature({
  name: 'moves',
  api: async ({ config: { api } }) => {
    const { MovesOptions } = await import('./moves.options.js');
    const { ZoneTransfer } = await import('./zone-transfer.js');
    const providers = [
      (await import('../publishing/secondary/primary-addresses.js')).PrimaryAddresses,
      (await import('./asked-servers.js')).AskedServers,
      (await import('./compared-sets.js')).ComparedSets,
      (await import('./domain-reads.service.js')).DomainReadsService,
      (await import('./live-comparison.service.js')).LiveComparisonService,
      (await import('./outbound-reads.js')).OutboundReads,
      ZoneTransfer,
      { provide: MovesOptions, useValue: { mostOctets: api.maxBodySize } },
    ];
    const controllers = [(await import('./v1/moves.controller.js')).MovesController];
    const imports = [(await import('../zones/zones.module.js')).ZoneChangesModule];
    return { modules: [moduleOf('MovesV1', { imports, controllers, providers })] };
  },
});
