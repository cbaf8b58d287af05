import { setTimeout as delay } from 'node:timers/promises';
import { DomainName } from '../../src/dns/name.js';
import { SOA } from '../../src/dns/rdata/index.js';
import { TransferWriter } from '../../src/dns/message/transfer-writer.js';
import { WireWriter } from '../../src/dns/message/wire.js';
import {
  type AnswerSection,
  type Copy,
  type PublishedZone,
  ZoneSource,
} from '../../src/publishing/transfers/zone-source.js';

/** A record of a zone in memory, of class IN. */
export interface ZoneRecord {
  readonly owner: DomainName;
  readonly type: number;
  readonly ttl: number;
  readonly rdata: Uint8Array;
}

interface Version extends PublishedZone {
  readonly records: readonly ZoneRecord[];
  /** The answer sections of the whole zone, after the first request for it. */
  sections?: readonly AnswerSection[];
}

const TTL = 3600;

/** Zones in memory with all their versions, to test users of a zone source. */
export class MemoryZones extends ZoneSource {
  /** Unreleased copies. */
  held = 0;
  /** How often something was looked for. */
  asked = 0;
  /** By name, in milliseconds. */
  readonly slowness = new Map<string, number>();
  /** Thrown by every call. */
  failure: Error | null = null;
  private readonly zones = new Map<string, Version[]>();

  /** The zone as it is from now on. */
  put(name: string, serial: number, records: readonly ZoneRecord[]): void {
    const apex = DomainName.parse(name);
    const versions = this.zones.get(apex.key) ?? [];
    versions.push({ id: name, name: apex, serial, soa: soaRdata(apex, serial), ttl: TTL, records });
    this.zones.set(apex.key, versions);
  }

  override async find(name: DomainName): Promise<PublishedZone | null> {
    this.assertWell();
    await delay(this.slowness.get(name.toString()) ?? 0);
    const found = [...this.zones.values()]
      .map((versions) => versions.at(-1)!)
      .filter((zone) => name.isWithin(zone.name));
    return found.sort((one, other) => other.name.labelCount - one.name.labelCount)[0] ?? null;
  }

  override async axfr({ name }: PublishedZone): Promise<Copy> {
    this.assertWell();
    const zone = this.zones.get(name.key)!.at(-1)!;
    zone.sections ??= sectionsOf(zone.name, [soaRecord(zone), ...zone.records, soaRecord(zone)]);
    return this.copyOf(zone, zone.sections);
  }

  override async ixfr({ name }: PublishedZone, serial: number): Promise<Copy | null> {
    this.assertWell();
    const versions = this.zones.get(name.key)!;
    const [old, zone] = [versions.find((version) => version.serial === serial), versions.at(-1)!];
    if (old === undefined) return null;
    const removed = old.records.filter((record) => !zone.records.includes(record));
    const added = zone.records.filter((record) => !old.records.includes(record));
    if (removed.length + added.length > zone.records.length) return null;
    const [before, now] = [soaRecord(old), soaRecord(zone)];
    return this.copyOf(zone, sectionsOf(zone.name, [now, before, ...removed, now, ...added, now]));
  }

  override query(): Promise<null> {
    return Promise.resolve(null);
  }

  private assertWell(): void {
    this.asked += 1;
    if (this.failure !== null) throw this.failure;
  }

  private copyOf(zone: Version, sections: readonly AnswerSection[]): Copy {
    this.held += 1;
    return {
      serial: zone.serial,
      octets: sections.reduce((sum, { octets }) => sum + octets.length, 0),
      sections: async function* () {
        yield* sections;
      },
      release: () => (this.held -= 1),
    };
  }
}

/** `count` A records below the apex. */
export function addresses(apex: string, count: number): ZoneRecord[] {
  const name = DomainName.parse(apex);
  return Array.from({ length: count }, (_, at) => ({
    owner: DomainName.parse(`h${at}`, name),
    type: 1,
    ttl: TTL,
    rdata: Uint8Array.of(10, at >> 16, at >> 8, at),
  }));
}

function sectionsOf(apex: DomainName, records: readonly ZoneRecord[]): AnswerSection[] {
  const writer = new TransferWriter(apex);
  const full = records.map(({ owner, type, ttl, rdata }) => writer.add(owner, type, ttl, rdata));
  return [...full.filter((section) => section !== null), writer.finish()];
}

function soaRecord({ name, soa, ttl }: PublishedZone): ZoneRecord {
  return { owner: name, type: SOA.code, ttl, rdata: soa };
}

function soaRdata(apex: DomainName, serial: number): Uint8Array {
  const out = new WireWriter().name(DomainName.parse('ns1.example.net.')).name(DomainName.parse('hostmaster', apex));
  for (const number of [serial, 3600, 600, 86400, 300]) out.uint32(number);
  return out.finish();
}
