import { feature, moduleOf } from '../plugins/feature.js';
import { fill, type FilledPort, type ModuleImport, type PluginSettings } from '../plugins/plugin.js';
import type { NameServerTls, PublishingOptions } from './publishing.options.js';

type MdnsConfig = PluginSettings['config']['mdns'];

/** Transfers, NOTIFY, the catalog zone, and the proof that changes have arrived (behaviour 12). */
export const PUBLISHING = feature({
  name: 'publishing',
  entities: async () => [
    (await import('./pool/publication.entity.js')).PublicationEntity,
    (await import('../background/lease.repository.js')).LeaseEntity,
    (await import('./catalog/catalog.entity.js')).CatalogEntity,
    (await import('./catalog/catalog.entity.js')).CatalogMemberEntity,
  ],
  core: async ({ config }) => {
    const options = publishingOptions(config.mdns);
    const publications = await publicationsModule(options);
    const ports = [await publicationPort(options)];
    if (!isConfigured(config.mdns)) return { modules: [publications], ports };
    const { PublishingModule } = await import('./publishing.module.js');
    return {
      modules: [publications, PublishingModule.register(options)],
      ports,
      background: [
        { service: (await import('./pool/notify-scheduler.js')).NotifyScheduler, after: 'name-server' },
        { service: (await import('./secondary/inbound-transfers.js')).InboundTransfers, after: 'name-server' },
        { service: (await import('./pool/standby-publisher.js')).StandbyPublisher, after: 'standby-name-server' },
      ],
    };
  },
  api: async () => ({
    modules: [
      moduleOf('PublishingV1', {
        controllers: [
          (await import('./v1/publication.controller.js')).PublicationController,
          (await import('./v1/publication.controller.js')).NameServersController,
        ],
      }),
    ],
  }),
});

/** Publication status and the catalog zone, which commands need too. */
async function publicationsModule(options: PublishingOptions): Promise<ModuleImport> {
  const { PublishingOptions } = await import('./publishing.options.js');
  const { PublicationsService } = await import('./pool/publications.service.js');
  const { PublicationRepository } = await import('./pool/publication.repository.js');
  const { CatalogService } = await import('./catalog/catalog.service.js');
  const { CatalogRepository } = await import('./catalog/catalog.repository.js');
  const catalog = [CatalogService, CatalogRepository];
  return moduleOf('Publications', {
    global: true,
    providers: [
      PublicationsService,
      PublicationRepository,
      ...catalog,
      { provide: PublishingOptions, useValue: options },
    ],
    exports: [PublicationsService, PublishingOptions, ...catalog],
  });
}

/** Without secondaries, changes count as published immediately. */
async function publicationPort({ servers, catalog }: PublishingOptions): Promise<FilledPort> {
  const { ZonePublication, PublishedAtOnce } = await import('../zones/zone-publication.js');
  if (servers.length === 0 && catalog === null) return fill(ZonePublication, PublishedAtOnce);
  return fill(ZonePublication, (await import('./pool/pool-publication.js')).PoolPublication);
}

/** Programs without publishing do not load its module. */
function isConfigured({ enabled, updates, secondaries, allowTransfer, catalogZone }: MdnsConfig): boolean {
  return enabled || updates || secondaries.length > 0 || allowTransfer.length > 0 || catalogZone !== null;
}

function tlsOf({ tlsListen, tlsCertificate, tlsKey, tlsClientCa }: MdnsConfig): NameServerTls | null {
  if (tlsListen === null || tlsCertificate === null || tlsKey === null) return null;
  return { listen: tlsListen, certificate: tlsCertificate, key: tlsKey, clientCa: tlsClientCa };
}

const MIB = 2 ** 20;

function publishingOptions(mdns: MdnsConfig): PublishingOptions {
  const { listen, limits, copySpace, tsigKeys, secondaries, alsoNotify, allowTransfer, allowMasters, resolvers } = mdns;
  const { catalogZone, catalogGroup, zoneSize } = mdns;
  return {
    listen,
    tls: tlsOf(mdns),
    copySpace: copySpace * MIB,
    keys: tsigKeys.map((key) => ({ ...key, secret: Buffer.from(key.secret, 'base64') })),
    servers: secondaries,
    alsoNotified: alsoNotify,
    access:
      allowTransfer.length > 0 ? allowTransfer : secondaries.map(({ address, key }) => ({ network: address, key })),
    readers: mdns.allowQuery,
    masters: allowMasters,
    tlsPrimaries: mdns.tlsMasters,
    tlsPrimariesCa: mdns.tlsMastersCa,
    zoneSize,
    resolvers,
    catalog: catalogZone === null ? null : { name: catalogZone, group: catalogGroup },
    limits,
  };
}
