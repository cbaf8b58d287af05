import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { Clock, type Instant, SECOND } from '../../common/clock.js';
import { Limiter } from '../../common/waiting/limiter.js';
import { serialLead, servedSerial } from '../../zones/serials/serial.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZonesService } from '../../zones/zones.service.js';
import { PublishingOptions } from '../publishing.options.js';
import { isInSync, SERVER_ID, unknownStatus } from './name-server-status.js';
import type { PublicationEntity } from './publication.entity.js';
import { PublicationRepository } from './publication.repository.js';
import { serverLabel } from '../publishing-readers.js';

/** Publication status of one serial of a zone (behaviour 12.5). */
export interface Publication {
  readonly zone: Readonly<ZoneEntity>;
  readonly serial: number;
  /** Whether every server of the pool has that serial or a later one and no sample differs; true without servers. */
  readonly isPublished: boolean;
  readonly servers: readonly ServerSyncStatus[];
}

export type ServerState = 'current' | 'inconsistent' | 'behind' | 'unreachable' | 'unknown';

export interface ServerSyncStatus {
  /** `192.0.2.53:53` */
  readonly server: string;
  readonly state: ServerState;
  readonly serial: number | null;
  /** When the server was first seen with that serial. */
  readonly since: Instant | null;
  /** Number of serials behind the wanted one; `null` if unknown. */
  readonly behind: number | null;
  readonly failingSince: Instant | null;
  readonly error: string | null;
  /** When the first change was made that the server lacks; `null` if it lacks none, or the journal does not say. */
  readonly behindSince: Instant | null;
}

export interface PoolServerStatus {
  readonly server: string;
  readonly state: 'answering' | 'unreachable' | 'unknown';
  /** Precise to 30 seconds. */
  readonly lastAnswer: Instant | null;
  readonly failingSince: Instant | null;
  readonly error: string | null;
}

/** Pauses between two reads, in milliseconds. */
const PAUSES = [25, 25, 50, 50, 100];

/** The same delay as in the log of lagging servers. */
const CAUSE_AFTER = 10 * SECOND;

/** Reports how far a change has been published. Reads only stored statuses, so it runs in any process. */
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

  /** The name servers of the pool, whatever zones they have. */
  async ofServers(): Promise<PoolServerStatus[]> {
    const rows = await this.publications.ofZones([SERVER_ID]);
    return this.servers.map((server) => {
      const { checkedAt, failingSince, error } =
        rows.find((row) => row.server === server) ?? unknownStatus(SERVER_ID, server);
      const answering = checkedAt === null ? 'unknown' : 'answering';
      const state = failingSince === null ? answering : 'unreachable';
      return { server, state, lastAnswer: checkedAt, failingSince, error };
    });
  }

  async of(zoneId: string, caller: Caller): Promise<Publication> {
    const zone = await this.zones.get(zoneId, caller);
    return this.withCauses(await this.statusOn(zone, servedSerial(zone)));
  }

  /**
   * Waits until the present serial is published or `timeLimit` milliseconds have passed.
   * @throws ServiceError `zone_not_found` also for a deletion during the wait, `unavailable` also for too many waits
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

  /** Adds since when servers are behind, and reasons in the zone contents that may make them refuse the zone. */
  private async withCauses({ zone, servers, ...publication }: Publication): Promise<Publication> {
    if (!servers.some(({ state }) => state === 'behind')) return { zone, servers, ...publication };
    const cause = await this.publications.excessOf(zone.id);
    const dated = servers.map(async (status) => {
      if (status.state !== 'behind') return status;
      const behindSince = await this.publications.lackingSince(zone.id, status.serial);
      // Directly after a change, every server is behind for a moment.
      const isLate = behindSince !== null && this.clock.now() - behindSince >= CAUSE_AFTER;
      const errors = [status.error, isLate ? cause : null].filter((text) => text !== null);
      return { ...status, behindSince, error: errors.length === 0 ? null : errors.join('; ') };
    });
    return { zone, servers: await Promise.all(dated), ...publication };
  }

  private isAwaited(gone: AbortSignal): boolean {
    return !gone.aborted && !this.stopping.signal.aborted;
  }

  private async statusOn(zone: ZoneEntity, serial: number): Promise<Publication> {
    const rows = await this.publications.ofZones([zone.id, SERVER_ID]);
    const servers = this.servers.map((server) => {
      const known = rows.filter((row) => row.server === server);
      const ofServer = known.find(({ zoneId }) => zoneId === SERVER_ID);
      const ofZone = known.find(({ zoneId }) => zoneId === zone.id);
      return statusOf(server, serial, withSilence(ofZone, ofServer, serial));
    });
    const isPublished = servers.every(({ state, serial: seen }) => isInSync(seen, serial) && state !== 'inconsistent');
    return { zone, serial, isPublished, servers };
  }
}

/** A silent server is not asked for each zone that it lacks, so its own status applies. */
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
    behindSince: null,
  };
}

function stateOf(wanted: number, row: PublicationEntity | null): ServerState {
  if (row === null) return 'unknown';
  if (row.failingSince !== null) return 'unreachable';
  if (isInSync(row.serial, wanted)) return row.inconsistency === null ? 'current' : 'inconsistent';
  return row.checkedAt === null ? 'unknown' : 'behind';
}
