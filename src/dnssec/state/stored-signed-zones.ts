import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { Type } from '../../dns/dnssec/codes.js';
import type { WireSet } from '../../dns/dnssec/wire-set.js';
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
import { DnssecOptions } from '../dnssec.options.js';
import { CaseFolding } from '../signing/case-folding.js';
import { SigningJobs } from '../signing/signing-jobs.js';
import { isMade, readRecords, readSignedSet, writeRecords } from './signed-set-form.js';
import { SignedSetRepository } from './signed-set.repository.js';
import { SignedStepRepository } from './signed-step.repository.js';
import { ZoneSigningRepository } from './zone-signing.repository.js';
import { BEFORE_DS, type ZoneSigningEntity } from './zone-signing.entity.js';

/** A name server that asks is kept waiting no longer for signatures, in milliseconds. */
const PATIENCE = 2000;
/** How often it is looked whether another process has signed, in milliseconds. */
const LOOK_AGAIN = 50;

/** What is signed, for transfers. It needs no keys. */
@Injectable()
export class StoredSignedZones extends SignedZones implements OnModuleDestroy {
  private readonly stopping = new AbortController();

  constructor(
    private readonly signing: ZoneSigningRepository,
    private readonly signedSets: SignedSetRepository,
    private readonly steps: SignedStepRepository,
    private readonly served: ServedZone,
    private readonly runs: SigningJobs,
    private readonly spelling: CaseFolding,
    private readonly reads: Reads,
    private readonly options: DnssecOptions,
  ) {
    super();
  }

  /** Such a zone is halted, and stays on name servers as they have it, until somebody has compared its keys. */
  override async mayOvertake(zoneId: string, serial: number, server: string): Promise<boolean> {
    const row = await this.reads.run((tx) => this.signing.find(tx, zoneId));
    if (row === undefined || BEFORE_DS.has(row.state)) return true;
    if (row.haltedBecause === null)
      await this.runs.halt(
        zoneId,
        `the name server ${server} has the serial ${serial}, which this database has never had: it may be older than the keys there`,
      );
    return false;
  }

  override async formOf(tx: Transaction, zone: ZoneEntity): Promise<SignedForm> {
    const isFolded = await this.spelling.isFolded(tx, zone, await this.rowOf(tx, zone.id));
    return { maxTtl: this.options.maxTtl, isFolded };
  }

  onModuleDestroy(): void {
    this.stopping.abort();
  }

  override async whenPublished(zoneId: string): Promise<void> {
    const deadline = performance.now() + PATIENCE;
    if (this.runs.isPossible) {
      const run = this.runs.run(zoneId, this.stopping.signal).catch(() => undefined);
      await Promise.race([run, delay(PATIENCE, undefined, { ref: false })]);
      return;
    }
    while (performance.now() < deadline && (await this.isAwaited(zoneId))) await delay(LOOK_AGAIN);
  }

  /** Whether somebody is going to sign what there is. */
  private isAwaited(zoneId: string): Promise<boolean> {
    return this.reads.run(async (tx) => {
      const row = await this.signing.find(tx, zoneId);
      const zone = await this.served.zone(tx, zoneId);
      return row?.haltedBecause === null && zone.version !== zone.publishedVersion;
    });
  }

  override async soa(tx: Transaction, zoneId: string): Promise<WireRecord | null> {
    const stored = await this.signedSets.publishedSoa(tx, zoneId);
    if (stored === undefined) return null;
    const { owner, type, ttl, rdatas } = readSignedSet(stored);
    const [rdata] = rdatas;
    if (rdata === undefined) throw new Error(`the signed SOA of the zone ${zoneId} is empty`);
    return { owner, type, ttl, rdata };
  }

  override async *sets(tx: Transaction, zoneId: string): AsyncGenerator<readonly SignedSet[]> {
    const row = await this.rowOf(tx, zoneId);
    for await (const page of this.signedSets.all(tx, row))
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
    const row = await this.signing.find(tx, zoneId);
    if (row === undefined) throw new Error(`the zone ${zoneId} is published as signed, and nothing is known of that`);
    return row;
  }
}

/** What several steps lead to together: what comes and goes on the way is not told. */
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

/** What had been on the other side is on none. */
function move(record: WireRecord, from: Map<string, WireRecord>, to: Map<string, WireRecord>): void {
  const text = writeRecords([record]);
  if (!from.delete(text)) to.set(text, record);
}
