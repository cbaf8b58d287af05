import { Injectable } from '@nestjs/common';
import { Coalescer } from '../../common/waiting/coalescer.js';
import { isOfServer } from '../../database/database-failure.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { DomainName } from '../../dns/name.js';
import { keysOnPath } from '../../dns/name-key.js';
import { SOA } from '../../dns/rdata/soa.js';
import { MessageError } from '../../dns/message/message-error.js';
import { Rcode } from '../../dns/message/rcode.js';
import { ServedZone } from '../../records/served/served-zone.js';
import { servedSoaTtl } from '../../zones/generation.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZoneRepository, type ZoneVersion } from '../../zones/zone.repository.js';
import { SignedZones } from './signed-zones.js';
import type { PublishedZone } from './zone-source.js';

/** So many zones are remembered as they were found last. */
const REMEMBERED = 10_000;
/** How often a zone is read that is signed or unsigned meanwhile. */
const ATTEMPTS = 3;
const ROOT = '';

/** Finds the zones that names belong to. What is asked for while the database is asked already is asked for together. */
@Injectable()
export class ZoneFinder {
  private readonly questions = new Coalescer<Asked>((asked) => this.askTogether(asked));
  /**
   * Zones as they were found, by name key. One of the same version and time is the same: a standby may have had another change
   * under that version, which the server that took over lacks.
   */
  private readonly found = new Map<string, FoundZone>();

  constructor(
    private readonly zones: ZoneRepository,
    private readonly served: ServedZone,
    private readonly signed: SignedZones,
    private readonly reads: Reads,
  ) {}

  /**
   * The zone of that name, or the closest one above it; `null` where there is none.
   * @throws ServiceError `unavailable`
   */
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

  /** One zone that cannot be read leaves the others alone. */
  private async outcomeOf(tx: Transaction, version: ZoneVersion): Promise<Outcome> {
    try {
      return { zone: await this.read(tx, version) };
    } catch (error) {
      if (isOfServer(error)) throw error;
      return { error };
    }
  }

  /** Most names are those of zones: names above are asked for where that is not so. */
  private async versionsOf(tx: Transaction, keys: readonly string[]): Promise<Map<string, ZoneVersion>> {
    const versions = byKey(await this.zones.versionsAmong(tx, keys));
    const others = keys.filter((key) => !versions.has(key));
    const above = new Set(others.flatMap((key) => keysOnPath(ROOT, key)));
    for (const version of await this.zones.versionsAmong(tx, [...above])) versions.set(version.nameKey, version);
    return versions;
  }

  private async read(tx: Transaction, found: ZoneVersion): Promise<PublishedZone | null> {
    const { id, nameKey, isServed } = found;
    // RFC 1035 §3.3.13: nobody is told what masters have not said, or have not confirmed for too long.
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

  /** `null` where the zone has been unsigned since its row was read. */
  private async published(tx: Transaction, row: ZoneEntity): Promise<PublishedZone | null> {
    const { id, serial, version, tenantId, publishedVersion, publishedSerial } = row;
    const name = DomainName.parse(row.name);
    if (publishedSerial === null)
      return { id, name, serial, soa: this.served.soaOf(row), ttl: servedSoaTtl(row), tenantId };
    const soa = await this.signed.soa(tx, id);
    if (soa === null) return null;
    const awaitsSigning = version !== publishedVersion;
    // It may have been published again since its row was read.
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

/** What has become of a question. */
type Outcome = { readonly zone: PublishedZone | null } | { readonly error: unknown };

interface Asked {
  /** Of the name. */
  readonly key: string;
  readonly resolve: (zone: PublishedZone | null) => void;
  readonly reject: (error: unknown) => void;
}

function isSame(one: ZoneState, other: ZoneState): boolean {
  return (
    one.version === other.version && one.changedAt === other.changedAt && one.publishedSerial === other.publishedSerial
  );
}

function byKey(versions: readonly ZoneVersion[]): Map<string, ZoneVersion> {
  return new Map(versions.map((version) => [version.nameKey, version]));
}

function closest(versions: ReadonlyMap<string, ZoneVersion>, key: string): ZoneVersion | undefined {
  const zone = versions.get(key);
  if (zone !== undefined) return zone;
  return keysOnPath(ROOT, key)
    .map((above) => versions.get(above))
    .findLast((above) => above !== undefined);
}
