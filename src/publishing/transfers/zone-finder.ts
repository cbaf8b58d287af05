import { Injectable } from '@nestjs/common';
import { Coalescer } from '../../common/waiting/coalescer.js';
import { isOfServer } from '../../database/database-failure.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { DomainName } from '../../dns/name.js';
import { keysOnPath } from '../../dns/name-key.js';
import { SOA } from '../../dns/rdata/soa.js';
import { MessageError } from '../../dns/message/message.js';
import { Rcode } from '../../dns/message/codes.js';
import { ServedZone } from '../../records/served/served-zone.js';
import { servedSoaTtl } from '../../zones/generation.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZoneRepository, type ZoneVersion } from '../../zones/zone.repository.js';
import { SignedZones } from './signed-zones.js';
import type { PublishedZone } from './zone-source.js';

const REMEMBERED = 10_000;
/** Attempts to read a zone that is being signed or unsigned. */
const ATTEMPTS = 3;
const ROOT = '';

/** Finds the zones of names. Batches concurrent lookups. */
@Injectable()
export class ZoneFinder {
  private readonly questions = new Coalescer<Asked>((asked) => this.askTogether(asked));
  /** By name key. After a failover, the same version may belong to another change, so its time counts too. */
  private readonly found = new Map<string, FoundZone>();

  constructor(
    private readonly zones: ZoneRepository,
    private readonly served: ServedZone,
    private readonly signed: SignedZones,
    private readonly reads: Reads,
  ) {}

  /** Returns the closest zone that encloses the name, or `null`. */
  find({ key }: DomainName): Promise<PublishedZone | null> {
    return new Promise((resolve, reject) => this.questions.add({ key, resolve, reject }));
  }

  private async askTogether(asked: readonly Asked[]): Promise<void> {
    const keys = [...new Set(asked.map(({ key }) => key))];
    try {
      const found = await this.reads.fromAny(() => this.reads.run((tx) => this.findAll(tx, keys)));
      for (const { key, resolve, reject } of asked) {
        const outcome = found.get(key) ?? { zone: null };
        if ('error' in outcome) reject(outcome.error);
        else resolve(outcome.zone);
      }
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  private async findAll(tx: Transaction, keys: readonly string[]): Promise<Map<string, Outcome>> {
    const versions = await this.versionsOf(tx, keys);
    const found = new Map<string, Outcome>();
    for (const key of keys) {
      const version = closest(versions, key);
      if (version !== undefined) found.set(key, await this.outcomeOf(tx, version));
    }
    return found;
  }

  /** An unreadable zone does not affect others. */
  private async outcomeOf(tx: Transaction, version: ZoneVersion): Promise<Outcome> {
    try {
      return { zone: await this.read(tx, version) };
    } catch (error) {
      if (isOfServer(error)) throw error;
      return { error };
    }
  }

  /** Most names are zone names, so parent names are only looked up on a miss. */
  private async versionsOf(tx: Transaction, keys: readonly string[]): Promise<Map<string, ZoneVersion>> {
    const versions = new Map((await this.zones.versionsAmong(tx, keys)).map((version) => [version.nameKey, version]));
    const others = keys.filter((key) => !versions.has(key));
    const above = new Set(others.flatMap((key) => keysOnPath(ROOT, key)));
    for (const version of await this.zones.versionsAmong(tx, [...above])) versions.set(version.nameKey, version);
    return versions;
  }

  private async read(tx: Transaction, found: ZoneVersion): Promise<PublishedZone | null> {
    const { id, nameKey, isServed } = found;
    // RFC 1035 §3.3.13: a secondary zone is not served before its first transfer and after its expiry.
    if (isServed === 0) throw new MessageError(Rcode.SERVFAIL, 'the zone has not come from its masters');
    const known = this.found.get(nameKey);
    if (known?.zone.id === id && isSame(known, found)) return known.zone;
    const present = await this.presentZone(tx, id);
    if (present === null) return null;
    const { row, zone } = present;
    if (this.found.size >= REMEMBERED) this.found.clear();
    const { version, changedAt, publishedSerial } = row;
    this.found.set(nameKey, { version, changedAt, publishedSerial, zone });
    return zone;
  }

  private async presentZone(tx: Transaction, zoneId: string): Promise<PresentZone | null> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const row = await this.zones.findIn(tx, zoneId);
      if (row === undefined) return null;
      const zone = await this.published(tx, row);
      if (zone !== null) return { row, zone };
    }
    throw new Error(`the zone ${zoneId} is published as signed, and has no signed SOA`);
  }

  /** Returns `null` if the zone was unsigned after the row was read. */
  private async published(tx: Transaction, row: ZoneEntity): Promise<PublishedZone | null> {
    const { id, serial, version, tenantId, publishedVersion, publishedSerial } = row;
    const name = DomainName.parse(row.name);
    if (publishedSerial === null)
      return { id, name, serial, soa: this.served.soaOf(row), ttl: servedSoaTtl(row), tenantId };
    const soa = await this.signed.soa(tx, id);
    if (soa === null) return null;
    const awaitsSigning = version !== publishedVersion;
    // The zone may have been published again after the row was read.
    const published = SOA.values(soa.rdata).serial;
    return { id, name, serial: published, soa: soa.rdata, ttl: soa.ttl, tenantId, awaitsSigning };
  }
}

interface PresentZone {
  readonly row: ZoneEntity;
  readonly zone: PublishedZone;
}

type ZoneState = Pick<ZoneVersion, 'version' | 'changedAt' | 'publishedSerial'>;

interface FoundZone extends ZoneState {
  readonly zone: PublishedZone;
}

type Outcome = { readonly zone: PublishedZone | null } | { readonly error: unknown };

interface Asked {
  readonly key: string;
  readonly resolve: (zone: PublishedZone | null) => void;
  readonly reject: (error: unknown) => void;
}

function isSame(one: ZoneState, other: ZoneState): boolean {
  return (
    one.version === other.version && one.changedAt === other.changedAt && one.publishedSerial === other.publishedSerial
  );
}

function closest(versions: ReadonlyMap<string, ZoneVersion>, key: string): ZoneVersion | undefined {
  const zone = versions.get(key);
  if (zone !== undefined) return zone;
  return keysOnPath(ROOT, key)
    .map((above) => versions.get(above))
    .findLast((above) => above !== undefined);
}
