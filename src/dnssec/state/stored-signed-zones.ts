import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Transaction } from '../../database/transaction.js';
import { Type, type WireSet } from '../../dns/dnssec/wire-set.js';
import type { DomainName } from '../../dns/name.js';
import {
  type SignedDifference,
  type SignedForm,
  type SignedSet,
  SignedZones,
  type WireRecord,
} from '../../publishing/transfers/signed-zones.js';
import { ServedZone } from '../../records/served/served-zone.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { SigningContext } from '../signing-context.js';
import { DnssecOptions } from '../dnssec.options.js';
import { CaseFolding } from '../signing/zone-in-order.js';
import { SigningJobs } from '../signing/signing-jobs.js';
import { isMade, readRecords, readSignedSet, writeRecords } from './signed-set-form.js';
import { SignedStepRepository } from './signed-step.repository.js';
import { BEFORE_DS, type ZoneSigningEntity } from './zone-signing.entity.js';

/** How long a name server waits for signatures. */
const SIGNING_TIMEOUT_MS = 2000;
/** The interval of checks for signatures of another process. */
const CHECK_INTERVAL_MS = 50;

/** Reads signed zones for transfers. Needs no keys. */
@Injectable()
export class StoredSignedZones extends SignedZones implements OnModuleDestroy {
  private readonly stopping = new AbortController();

  constructor(
    private readonly context: SigningContext,
    private readonly steps: SignedStepRepository,
    private readonly served: ServedZone,
    private readonly jobs: SigningJobs,
    private readonly caseFolding: CaseFolding,
    private readonly options: DnssecOptions,
  ) {
    super();
  }

  /** Halts a zone whose name servers have an unknown serial: the database may be an old backup with former keys. */
  override async mayOvertake(zoneId: string, serial: number, server: string): Promise<boolean> {
    const row = await this.context.read((tx) => this.context.signing.find(tx, zoneId));
    if (row === undefined || BEFORE_DS.has(row.state)) return true;
    if (row.haltedBecause === null)
      await this.context.halt(
        zoneId,
        `name server ${server} has serial ${serial}, which this database never had: its keys may be newer than the database`,
      );
    return false;
  }

  override async formOf(tx: Transaction, zone: ZoneEntity): Promise<SignedForm> {
    const isFolded = await this.caseFolding.isFolded(tx, zone, await this.rowOf(tx, zone.id));
    return { maxTtl: this.options.maxTtl, isFolded };
  }

  onModuleDestroy(): void {
    this.stopping.abort();
  }

  override async whenPublished(zoneId: string): Promise<void> {
    const deadline = performance.now() + SIGNING_TIMEOUT_MS;
    if (this.jobs.isPossible) {
      const run = this.jobs.run(zoneId, this.stopping.signal).catch(() => undefined);
      await Promise.race([run, delay(SIGNING_TIMEOUT_MS, undefined, { ref: false })]);
      return;
    }
    while (performance.now() < deadline && (await this.isAwaited(zoneId))) await delay(CHECK_INTERVAL_MS);
  }

  /** Whether another process has yet to sign the zone. */
  private isAwaited(zoneId: string): Promise<boolean> {
    return this.context.read(async (tx) => {
      const row = await this.context.signing.find(tx, zoneId);
      const zone = await this.served.zone(tx, zoneId);
      return row?.haltedBecause === null && zone.version !== zone.publishedVersion;
    });
  }

  override async soa(tx: Transaction, zoneId: string): Promise<WireRecord | null> {
    const stored = await this.context.sets.publishedSoa(tx, zoneId);
    if (stored === undefined) return null;
    const { owner, type, ttl, rdatas } = readSignedSet(stored);
    const [rdata] = rdatas;
    if (rdata === undefined) throw new Error(`zone ${zoneId} has an empty signed SOA`);
    return { owner, type, ttl, rdata };
  }

  override async *sets(tx: Transaction, zoneId: string): AsyncGenerator<readonly SignedSet[]> {
    const row = await this.rowOf(tx, zoneId);
    for await (const page of this.context.sets.all(tx, row))
      yield page.map(readSignedSet).map((set) => (set.type === Type.SOA ? { ...set, rdatas: [] } : set));
  }

  override isMade(set: Pick<WireSet, 'owner' | 'type'>, apex: DomainName): boolean {
    return isMade(set, apex);
  }

  override async since(tx: Transaction, zoneId: string, serial: number): Promise<SignedDifference | null> {
    const steps = await this.steps.since(tx, zoneId, serial);
    return steps && netOf(steps);
  }

  private async rowOf(tx: Transaction, zoneId: string): Promise<ZoneSigningEntity> {
    const row = await this.context.signing.find(tx, zoneId);
    if (row === undefined) throw new Error(`zone ${zoneId} has a signed serial, but no signing state`);
    return row;
  }
}

function netOf(steps: readonly { readonly removed: string; readonly added: string }[]): SignedDifference | null {
  const [removed, added] = [new Map<string, WireRecord>(), new Map<string, WireRecord>()];
  let [before, now]: [WireRecord | null, WireRecord | null] = [null, null];
  for (const step of steps) {
    const [soaBefore, ...gone] = readRecords(step.removed);
    const [soa, ...come] = readRecords(step.added);
    before ??= soaBefore ?? null;
    now = soa ?? now;
    for (const record of gone) move(record, added, removed);
    for (const record of come) move(record, removed, added);
  }
  return before && now && { before, now, removed: [...removed.values()], added: [...added.values()] };
}

function move(record: WireRecord, from: Map<string, WireRecord>, to: Map<string, WireRecord>): void {
  const text = writeRecords([record]);
  if (!from.delete(text)) to.set(text, record);
}
