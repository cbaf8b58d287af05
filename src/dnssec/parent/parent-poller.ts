import { Injectable } from '@nestjs/common';
import { administrator } from '../../common/caller.js';
import { Clock, type Instant, SECOND } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import type { Transaction } from '../../database/transaction.js';
import { Type } from '../../dns/dnssec/codes.js';
import { DomainName } from '../../dns/name.js';
import { NS } from '../../dns/rdata/ns.js';
import { Counter } from '../../observability/counter.js';
import { ZoneReader } from '../../publishing/transfers/zone-reader.js';
import { PublicationsService } from '../../publishing/pool/publications.service.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import type { ZoneKeyEntity } from '../keys/zone-key.entity.js';
import { ZoneKeyRepository } from '../keys/zone-key.repository.js';
import { backoff } from '../rollovers/backoff.js';
import { SigningClock } from '../signing/signing-clock.js';
import type { ZoneRolloverEntity } from '../rollovers/zone-rollover.entity.js';
import { ZoneRolloverRepository } from '../rollovers/zone-rollover.repository.js';
import { octetsOfAll } from '../state/signed-set-form.js';
import type { SignedSetEntity } from '../state/signed-set.entity.js';
import { SignedSetRepository } from '../state/signed-set.repository.js';
import { BEFORE_DS, type ZoneSigningEntity } from '../state/zone-signing.entity.js';
import { ZoneSigningRepository } from '../state/zone-signing.repository.js';
import { awaitedDs } from './awaited-ds.js';
import { CdsNotifications } from './cds-notifications.js';
import { HostedParents } from './hosted-parents.js';
import { OwnChanges } from './own-changes.js';
import { ParentOutcome } from './parent-outcome.js';
import { ParentServers } from './parent-servers.js';
import { agreedDs, type ParentObservation } from './parent-observation.js';
import { SignalZones } from './signal-zones.js';
import { ZoneParentRepository } from './zone-parent.repository.js';

const LOOKS = new Counter({
  name: 'zonewright_dnssec_parent_looks_total',
  help: 'Looks for the DS of a zone in its parent zone: whether all name servers of it have said the same.',
  labels: ['result'],
});

const HOUR = 3600 * SECOND;
/** Servers of others are not asked sooner again. */
const SHORTEST_PAUSE = 5 * SECOND;
/** Where nothing is waited for: a DS that is lost, or of other keys, is found in that time. */
const QUIET_PAUSE = 6 * HOUR;

/** Where there is no resolver, and no parent here. */
const NOBODY_TO_ASK: ParentObservation = {
  ...{ zone: null, isHosted: false, servers: [], resolver: null },
  problem: 'this service has no resolver by which it could look there',
};

/** All that a look begins with. */
interface Looked {
  readonly row: ZoneSigningEntity;
  readonly zone: ZoneEntity;
  readonly keys: readonly ZoneKeyEntity[];
  readonly rollover: ZoneRolloverEntity | null;
  readonly cds: SignedSetEntity | null;
  readonly cdnskey: SignedSetEntity | null;
  readonly notifiedFor: string | null;
}

/** Looks at the parent of one zone, and tells it what it has to know. */
@Injectable()
export class ParentPoller {
  constructor(
    private readonly signing: ZoneSigningRepository,
    private readonly keyRows: ZoneKeyRepository,
    private readonly rollovers: ZoneRolloverRepository,
    private readonly parents: ZoneParentRepository,
    private readonly sets: SignedSetRepository,
    private readonly publications: PublicationsService,
    private readonly own: OwnChanges,
    private readonly hosted: HostedParents,
    private readonly servers: ParentServers,
    private readonly signals: SignalZones,
    private readonly notifications: CdsNotifications,
    private readonly outcome: ParentOutcome,
    private readonly reading: ZoneReader,
    private readonly clock: Clock,
    private readonly signingClock: SigningClock,
  ) {}

  /**
   * Looks, and says when it is to be looked again.
   * @throws WrongClock
   */
  async look(zoneId: string): Promise<void> {
    await this.signingClock.compare();
    const looked = await this.reading.run(zoneId, (tx, zone) => this.read(tx, zone)).catch(unlessGone);
    if (looked === null) return;
    // What follows is dated: what caches have forgotten by then is taken out.
    this.signingClock.after(looked.row.runAt);
    await this.bringSignals(looked);
    const isEarly = BEFORE_DS.has(looked.row.state);
    // What is left in zones of signals is known by its row.
    const sight = isEarly ? null : ((await this.observationOf(looked)) ?? (this.signals.areAny ? NOBODY_TO_ASK : null));
    if (sight === null) return this.outcome.rest(looked.row);
    LOOKS.of(agreedDs(sight) === null ? 'open' : 'agreed').add();
    const notifiedFor = await this.notify(looked, sight);
    const next = this.nextCheckAt(looked, sight, notifiedFor);
    await this.outcome.settle(looked.row, { zone: looked.zone, sight, notifiedFor }, next);
  }

  private async read(tx: Transaction, zone: ZoneEntity): Promise<Looked | null> {
    const { id: zoneId } = zone;
    const row = await this.signing.find(tx, zoneId);
    if (row === undefined) return null;
    const stored = await this.sets.at(tx, row, [zone.nameKey]);
    const ofType = (wanted: number): SignedSetEntity | null => stored.find(({ type }) => type === wanted) ?? null;
    return {
      ...{ row, zone, cds: ofType(Type.CDS), cdnskey: ofType(Type.CDNSKEY) },
      keys: await this.keyRows.ofZone(tx, zoneId),
      rollover: await this.rollovers.find(tx, zoneId),
      notifiedFor: (await this.parents.find(tx, zoneId))?.notifiedFor ?? null,
    };
  }

  /** `null`: there is no way to look. */
  private async observationOf({ zone, row, keys }: Looked): Promise<ParentObservation | null> {
    const hosted = await this.hosted.of(zone);
    if (hosted?.problem === null) {
      const wanted = row.state === 'leaving' ? [] : keys.filter(({ isInCds }) => isInCds === 1);
      return this.hosted.bring(hosted.parent, zone, wanted);
    }
    if (this.servers.isPossible) return this.servers.look(DomainName.parse(zone.name));
    if (hosted === null) return null;
    return { zone: hosted.parent.name, isHosted: true, servers: [], resolver: null, problem: hosted.problem };
  }

  /** RFC 9615 §4.3: once there is a DS, CDS at the zone itself is all that parents look at. */
  private async bringSignals({ row, zone, cds, cdnskey }: Looked): Promise<void> {
    if (!this.signals.areAny) return;
    const apexNs = await this.own.setAt(zone, zone.nameKey, NS);
    const nameServers = (apexNs?.rdatas ?? []).map((rdata) => NS.values(rdata).nameServer);
    const asked =
      row.state === 'ready' && cds !== null && cdnskey !== null
        ? { cds: octetsOfAll(cds.rdatas), cdnskey: octetsOfAll(cdnskey.rdatas) }
        : null;
    await this.signals.bring(DomainName.parse(zone.name), nameServers, asked);
  }

  /** Parents act on what all name servers say: they are told when all of them have it. Returns what they know of. */
  private async notify({ zone, cds, notifiedFor }: Looked, sight: ParentObservation): Promise<string | null> {
    if (cds === null || sight.isHosted || sight.zone === null || cds.digest === notifiedFor) return notifiedFor;
    const { isPublished } = await this.publications.of(zone.id, administrator('signer', 'signer'));
    if (!isPublished) return notifiedFor;
    const isTold = await this.notifications.send(DomainName.parse(zone.name), DomainName.parse(sight.zone));
    return isTold ? cds.digest : notifiedFor;
  }

  private nextCheckAt(
    { row, keys, rollover, cds }: Looked,
    sight: ParentObservation,
    notifiedFor: string | null,
  ): Instant {
    const now = this.clock.now();
    const isAwaited = awaitedDs(row, rollover, keys) !== null;
    const isUntold = !sight.isHosted && cds !== null && cds.digest !== notifiedFor;
    const isOpen = isAwaited || isUntold || agreedDs(sight) === null;
    if (!isOpen) return now + QUIET_PAUSE;
    const since = Math.max(row.stateSince, rollover?.stepSince ?? 0);
    // What this service has itself costs nobody anything.
    if (sight.isHosted && sight.problem === null) return backoff(since, now);
    return Math.max(backoff(since, now, HOUR), now + SHORTEST_PAUSE);
  }
}

function unlessGone(error: unknown): null {
  if (error instanceof ServiceError && error.code === 'zone_not_found') return null;
  throw error;
}
