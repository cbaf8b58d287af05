import { migration } from '../database/schema/lazy-migration.js';
import { feature, moduleOf } from '../plugins/feature.js';
import { fill, type FilledPort, type ModuleImport, type PluginSettings } from '../plugins/plugin.js';
import type { PublishingOptions } from './publishing.options.js';

type MdnsConfig = PluginSettings['config']['mdns'];

/** Zones on name servers: transfers, NOTIFY, the catalog zone, and proof that changes have arrived (behaviour 12). */
export const PUBLISHING = feature({
  name: 'publishing',
  schema: async () => ({
    entities: [
      (await import('./pool/publication.entity.js')).PublicationEntity,
      (await import('../background/lease.entity.js')).LeaseEntity,
      (await import('./catalog/catalog.entity.js')).CatalogEntity,
      (await import('./catalog/catalog-member.entity.js')).CatalogMemberEntity,
    ],
    migrations: [
      migration(
        'CreatePublications1763840000000',
        () => import('../database/migrations/1763840000000-create-publications.js'),
      ),
      migration('CreateCatalog1763850000000', () => import('../database/migrations/1763850000000-create-catalog.js')),
      migration('NoteRefusals1763860100000', () => import('../database/migrations/1763860100000-note-refusals.js')),
      migration(
        'KeepAbandonedMembers1763866000000',
        () => import('../database/migrations/1763866000000-keep-abandoned-members.js'),
      ),
      migration(
        'FindChangedMembers1763980000000',
        () => import('../database/migrations/1763980000000-find-changed-members.js'),
      ),
      migration(
        'ExpandPublications1764110000000',
        () => import('../database/migrations/1764110000000-expand-publications.js'),
      ),
    ],
  }),
  core: async ({ config }) => {
    const options = publishingOptions(config.mdns);
    const publications = await publicationsModule(options);
    const ports = [await publicationPort(options)];
    if (!isConfigured(config.mdns)) return { modules: [publications], ports };
    const { PublishingModule } = await import('./publishing.module.js');
    return { modules: [publications, PublishingModule.register(options)], ports };
  },
  api: async () => ({
    modules: [
      moduleOf('PublishingV1', {
        controllers: [(await import('./v1/publication.controller.js')).PublicationController],
      }),
    ],
  }),
});

/** How far changes have come, and the catalog zone: both are for commands too, which publish nothing. */
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

/** Without name servers that are asked, nothing has to arrive anywhere; a catalog zone may be there for others. */
async function publicationPort({ servers, catalog }: PublishingOptions): Promise<FilledPort> {
  const { ZonePublication, PublishedAtOnce } = await import('../zones/zone-publication.js');
  if (servers.length === 0 && catalog === null) return fill(ZonePublication, PublishedAtOnce);
  return fill(ZonePublication, (await import('./pool/pool-publication.js')).PoolPublication);
}

/** A program that has nothing to publish need not load what publishes. */
function isConfigured({ enabled, updates, secondaries, allowTransfer, catalogZone }: MdnsConfig): boolean {
  return enabled || updates || secondaries.length > 0 || allowTransfer.length > 0 || catalogZone !== null;
}

const MIB = 2 ** 20;

function publishingOptions(mdns: MdnsConfig): PublishingOptions {
  const { listen, limits, copySpace, tsigKeys, secondaries, alsoNotify, allowTransfer, allowMasters, resolvers } = mdns;
  const { catalogZone, catalogGroup, zoneSize } = mdns;
  return {
    listen,
    copySpace: copySpace * MIB,
    keys: tsigKeys.map((key) => ({ ...key, secret: Buffer.from(key.secret, 'base64') })),
    servers: secondaries,
    alsoNotified: alsoNotify,
    access:
      allowTransfer.length > 0 ? allowTransfer : secondaries.map(({ address, key }) => ({ network: address, key })),
    readers: mdns.allowQuery,
    masters: allowMasters,
    zoneSize,
    resolvers,
    catalog: catalogZone === null ? null : { name: catalogZone, group: catalogGroup },
    limits,
  };
}
