import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import type { Transaction } from '../../database/transaction.js';
import { Type } from '../../dns/dnssec/wire-set.js';
import { DomainName } from '../../dns/name.js';
import { Counter } from '../../observability/metrics.js';
import { ZoneReader } from '../../publishing/transfers/zone-reader.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { SigningContext } from '../signing-context.js';
import { SigningClock } from '../signing/signing-clock.js';
import { octetsOfAll } from '../state/signed-set-form.js';
import type { SignedSetEntity } from '../state/signed-set.entity.js';
import { BEFORE_DS } from '../state/zone-signing.entity.js';
import { CdsNotifier } from './cds-notifier.js';
import { HostedParents } from './hosted-parents.js';
import { agreedDs, NOT_OBSERVABLE, type ParentObservation } from './parent-observation.js';
import { ParentOutcome, type PolledZone } from './parent-outcome.js';
import { ParentServers } from './parent-servers.js';
import { type CdsSets, SignalZones } from './signal-zones.js';

const POLLS = new Counter({
  name: 'zonewright_dnssec_parent_looks_total',
  help: 'Looks for the DS of a zone in its parent zone: whether all name servers of it have said the same.',
  labels: ['result'],
});

@Injectable()
export class ParentObserver {
  constructor(
    private readonly hosted: HostedParents,
    private readonly servers: ParentServers,
  ) {}

  /** Writes the DS into a hosted parent zone first. `null`: no hosted parent zone and no resolver. */
  async observe({ zone, row, keys }: PolledZone): Promise<ParentObservation | null> {
    const hosted = await this.hosted.find(zone);
    if (hosted?.problem === null) {
      const wanted = row.state === 'leaving' ? [] : keys.filter(({ isInCds }) => isInCds === 1);
      return this.hosted.publish(hosted.parent, zone, wanted);
    }
    if (this.servers.isConfigured) return this.servers.observe(DomainName.parse(zone.name));
    if (hosted === null) return null;
    return { zone: hosted.parent.name, isHosted: true, servers: [], resolver: null, problem: hosted.problem };
  }
}

@Injectable()
export class ParentPoller {
  constructor(
    private readonly context: SigningContext,
    private readonly reader: ZoneReader,
    private readonly observer: ParentObserver,
    private readonly signals: SignalZones,
    private readonly notifier: CdsNotifier,
    private readonly outcome: ParentOutcome,
    private readonly signingClock: SigningClock,
  ) {}

  /** @throws WrongClock */
  async poll(zoneId: string): Promise<void> {
    await this.signingClock.compare();
    const polled = await this.reader.run(zoneId, (tx, zone) => this.read(tx, zone)).catch(nullIfDeleted);
    if (polled === null) return;
    // The outcome dates cache deadlines by this clock.
    this.signingClock.after(polled.row.runAt);
    await this.signals.publish(polled.zone, signalOf(polled));
    const observation = await this.observe(polled);
    if (observation === null) return this.outcome.rest(polled.row);
    POLLS.of(agreedDs(observation) === null ? 'open' : 'agreed').add();
    const cdsDigest = polled.cds?.digest ?? null;
    const notifiedFor = await this.notifier.notify(polled.zone, observation, cdsDigest, polled.notifiedFor);
    await this.outcome.settle(polled, { observation, notifiedFor });
  }

  private async read(tx: Transaction, zone: ZoneEntity): Promise<PolledZone | null> {
    const { signing, sets, keys, rollovers, parents } = this.context;
    const row = await signing.find(tx, zone.id);
    if (row === undefined) return null;
    const stored = await sets.at(tx, row, [zone.nameKey]);
    const ofType = (wanted: number): SignedSetEntity | null => stored.find(({ type }) => type === wanted) ?? null;
    return {
      ...{ row, zone, cds: ofType(Type.CDS), cdnskey: ofType(Type.CDNSKEY) },
      keys: await keys.ofZone(tx, zone.id),
      rollover: await rollovers.find(tx, zone.id),
      notifiedFor: (await parents.find(tx, zone.id))?.notifiedFor ?? null,
    };
  }

  /** With signal zones an observation always exists: its row lets `StaleParents` delete the signals later. */
  private async observe(polled: PolledZone): Promise<ParentObservation | null> {
    if (BEFORE_DS.has(polled.row.state)) return null;
    return (await this.observer.observe(polled)) ?? (this.signals.isConfigured ? NOT_OBSERVABLE : null);
  }
}

/** RFC 9615 §4.3: with a DS, parents look at the CDS of the zone itself only. */
function signalOf({ row, cds, cdnskey }: PolledZone): CdsSets | null {
  if (row.state !== 'ready' || cds === null || cdnskey === null) return null;
  return { cds: octetsOfAll(cds.rdatas), cdnskey: octetsOfAll(cdnskey.rdatas) };
}

function nullIfDeleted(error: unknown): null {
  if (error instanceof ServiceError && error.code === 'zone_not_found') return null;
  throw error;
}
