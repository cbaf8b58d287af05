import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { Clock, type Instant, SECOND } from '../../common/clock.js';
import { Limiter } from '../../common/waiting/limiter.js';
import { serialLead, servedSerial } from '../../zones/serials/serial.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZonesService } from '../../zones/zones.service.js';
import { PublishingOptions } from '../publishing.options.js';
import { isInSync } from './is-in-sync.js';
import type { PublicationEntity } from './publication.entity.js';
import { PublicationRepository } from './publication.repository.js';
import { SERVER_ID } from './server-id.js';
import { serverLabel } from './server-label.js';

/** How the name servers of the pool stand to a serial of a zone (behaviour 12.5). */
export interface Publication {
  readonly zone: Readonly<ZoneEntity>;
  /** The one that is wanted. */
  readonly serial: number;
  /** Whether every server of the pool has answered it or a later one, and no sample differs; so too without servers. */
  readonly isPublished: boolean;
  readonly servers: readonly ServerSyncStatus[];
}

export type ServerState = 'current' | 'inconsistent' | 'behind' | 'unreachable' | 'unknown';

export interface ServerSyncStatus {
  /** `192.0.2.53:53` */
  readonly server: string;
  readonly state: ServerState;
  /** The last that it has answered; `null` when it has answered none. */
  readonly serial: number | null;
  /** Since when it is known to have that serial. */
  readonly since: Instant | null;
  /** How many serials it is behind the wanted one; `null` where its own is not known. */
  readonly behind: number | null;
  /** Since when it has not answered. */
  readonly failingSince: Instant | null;
  readonly error: string | null;
}

/** The pauses between two looks at the database, in milliseconds. */
const PAUSES = [25, 25, 50, 50, 100];

/** As long as the log waits before it says that a server lags. */
const CAUSE_AFTER = 10 * SECOND;

/** Tells how far a change has come. It reads what the process that asks the servers writes, so it may run in any process. */
@Injectable()
export class PublicationsService implements OnModuleDestroy {
  private readonly waits = Limiter.ofTenants('waits for publication', { perTenant: 16, inAll: 32 });
  private readonly servers: readonly string[];
  private readonly stopping = new AbortController();

  constructor(
    private readonly zones: ZonesService,
    private readonly publications: PublicationRepository,
    private readonly clock: Clock,
    options: PublishingOptions,
  ) {
    this.servers = options.servers.map(serverLabel);
  }

  onModuleDestroy(): void {
    this.stopping.abort();
  }

  /** @throws ServiceError `zone_not_found`, `unavailable` */
  async of(zoneId: string, caller: Caller): Promise<Publication> {
    const zone = await this.zones.get(zoneId, caller);
    return this.withCauses(await this.statusOn(zone, servedSerial(zone)));
  }

  /**
   * The same as soon as the zone's present serial is published, at the latest after so long.
   * @param timeLimit in milliseconds
   * @param gone ends it where nobody waits for it any more
   * @throws ServiceError `zone_not_found`, also when the zone is deleted meanwhile; `unavailable`, also when too many wait
   */
  async whenPublished(zoneId: string, caller: Caller, timeLimit: number, gone: AbortSignal): Promise<Publication> {
    const deadline = performance.now() + timeLimit;
    const first = await this.of(zoneId, caller);
    const end = this.waits.take(caller.tenantId);
    try {
      let publication = first;
      for (let looks = 0; !publication.isPublished && performance.now() < deadline && this.isAwaited(gone); looks++) {
        await delay(Math.min(PAUSES[Math.min(looks, PAUSES.length - 1)] ?? 0, deadline - performance.now()));
        publication = await this.statusOn(await this.zones.get(zoneId, caller), first.serial);
      }
      return await this.withCauses(publication);
    } finally {
      end();
    }
  }

  /** Names what in the zone may keep a server from taking it, which no answer of the server says. */
  private async withCauses(publication: Publication): Promise<Publication> {
    if (!publication.servers.some(({ state }) => state === 'behind')) return publication;
    const cause = await this.publications.excessOf(publication.zone.id);
    if (cause === null) return publication;
    const servers = publication.servers.map(async (status) =>
      (await this.isLate(publication.zone.id, status))
        ? { ...status, error: [status.error, cause].filter(isSaid).join('; ') }
        : status,
    );
    return { ...publication, servers: await Promise.all(servers) };
  }

  /** A server that has just been told of a change is behind for a moment, whatever is in the zone. */
  private async isLate(zoneId: string, { state, serial }: ServerSyncStatus): Promise<boolean> {
    if (state !== 'behind') return false;
    const since = await this.publications.lackingSince(zoneId, serial);
    return since !== null && this.clock.now() - since >= CAUSE_AFTER;
  }

  private isAwaited(gone: AbortSignal): boolean {
    return !gone.aborted && !this.stopping.signal.aborted;
  }

  private async statusOn(zone: ZoneEntity, serial: number): Promise<Publication> {
    const rows = await this.publications.ofZones([zone.id, SERVER_ID]);
    const servers = this.servers.map((server) => {
      const known = rows.filter((row) => row.server === server);
      const ofServer = known.find(({ zoneId }) => zoneId === SERVER_ID);
      return statusOf(
        server,
        serial,
        withSilence(
          known.find(({ zoneId }) => zoneId === zone.id),
          ofServer,
          serial,
        ),
      );
    });
    const isPublished = servers.every(({ state, serial: seen }) => isInSync(seen, serial) && state !== 'inconsistent');
    return { zone, serial, isPublished, servers };
  }
}

function isSaid(text: string | null): text is string {
  return text !== null;
}

/** A server that gives no answer at all is not asked for each zone that it lacks. */
function withSilence(
  row: PublicationEntity | undefined,
  ofServer: PublicationEntity | undefined,
  wanted: number,
): PublicationEntity | null {
  const isToldBySelf = row !== undefined && (row.failingSince !== null || isInSync(row.serial, wanted));
  if (isToldBySelf || ofServer === undefined || ofServer.failingSince === null) return row ?? null;
  const { failingSince, error } = ofServer;
  return { ...(row ?? ofServer), failingSince, error };
}

function statusOf(server: string, wanted: number, row: PublicationEntity | null): ServerSyncStatus {
  const serial = row?.serial ?? null;
  const state = stateOf(wanted, row);
  return {
    server,
    state,
    serial,
    since: row?.changedAt ?? null,
    behind: serial === null ? null : serialLead(wanted, serial),
    failingSince: row?.failingSince ?? null,
    error: (state === 'inconsistent' ? row?.inconsistency : row?.error) ?? null,
  };
}

function stateOf(wanted: number, row: PublicationEntity | null): ServerState {
  if (row === null) return 'unknown';
  if (row.failingSince !== null) return 'unreachable';
  if (isInSync(row.serial, wanted)) return row.inconsistency === null ? 'current' : 'inconsistent';
  return row.checkedAt === null ? 'unknown' : 'behind';
}
