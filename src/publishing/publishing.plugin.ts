import { definePlugin, fill, type FilledPort, type PluginSettings } from '../plugins/plugin.js';
import type { PublishingOptions } from './publishing.options.js';

type MdnsConfig = PluginSettings['config']['mdns'];

/** Zones on name servers: transfers, NOTIFY, the catalog zone, and proof that changes have arrived (behaviour 12). */
export const PUBLISHING = definePlugin({
  name: 'publishing',
  zonewright: '*',
  schema: () => import('./publishing.schema.js'),
  core: async ({ config }) => {
    const options = publishingOptions(config.mdns);
    const { PublicationsCoreModule } = await import('./publications-core.module.js');
    const publications = PublicationsCoreModule.register(options);
    const ports = [await publicationPort(options)];
    if (!isConfigured(config.mdns)) return { modules: [publications], ports };
    const { PublishingCoreModule } = await import('./publishing-core.module.js');
    return { modules: [publications, PublishingCoreModule.register(options)], ports };
  },
  api: async () => ({ modules: [(await import('./publishing.module.js')).PublishingModule] }),
});

/** Without name servers that are asked, nothing has to arrive anywhere; a catalog zone may be there for others. */
async function publicationPort({ servers, catalog }: PublishingOptions): Promise<FilledPort> {
  const { ZonePublication, PublishedAtOnce } = await import('../zones/zone-publication.js');
  if (servers.length === 0 && catalog === null) return fill(ZonePublication, PublishedAtOnce);
  return fill(ZonePublication, (await import('./pool/pool-publication.js')).PoolPublication);
}

/** A program that has nothing to publish need not load what publishes. */
function isConfigured({ enabled, secondaries, allowTransfer, catalogZone }: MdnsConfig): boolean {
  return enabled || secondaries.length > 0 || allowTransfer.length > 0 || catalogZone !== null;
}

const MIB = 2 ** 20;

function publishingOptions(mdns: MdnsConfig): PublishingOptions {
  const { listen, limits, copySpace, tsigKeys, secondaries, alsoNotify, allowTransfer, allowMasters, resolvers } = mdns;
  const { catalogZone, catalogGroup } = mdns;
  return {
    listen,
    copySpace: copySpace * MIB,
    keys: tsigKeys.map((key) => ({ ...key, secret: Buffer.from(key.secret, 'base64') })),
    servers: secondaries,
    alsoNotified: alsoNotify,
    access:
      allowTransfer.length > 0 ? allowTransfer : secondaries.map(({ address, key }) => ({ network: address, key })),
    masters: allowMasters,
    resolvers,
    catalog: catalogZone === null ? null : { name: catalogZone, group: catalogGroup },
    limits,
  };
}
