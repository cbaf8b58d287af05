import type { Caller } from '../../common/caller.js';
import { ServiceError } from '../../common/service-error.js';
import { Reads } from '../../database/reads.js';
import { DnssecService } from '../../dnssec/dnssec.service.js';
import { importedKeys, type SigningRequest } from '../../dnssec/keys/first-keys.js';
import type { Services } from '../../plugins/command.js';
import { AnnotatedSets } from '../../records/annotated-sets.repository.js';
import { InnerOperations } from '../../records/changes/inner-operations.js';
import { RecordsOptions } from '../../records/records.options.js';
import { ServedZone } from '../../records/served/served-zone.js';
import { Clock } from '../../common/clock.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZonesService } from '../../zones/zones.service.js';
import { RrsetViews, type RrsetView } from '../rrsets/rrset-views.js';
import { zoneNameOf } from '../zones/zone-lookup.js';
import { signNewZone } from '../zones/crypto-keys.js';
import { PowerDnsZoneCreator } from '../zones/zone-creator.js';
import { hasOtherNsec3, isSecondary, type PowerDnsSource, signingWith, transcribed } from './powerdns-source.js';
import { listIn, objectIn, type InputObject } from '../input.js';

const AT_A_TIME = 8;

/** Imports zones of a PowerDNS server, one change for each zone. */
export class PowerDnsImport {
  private readonly creation: PowerDnsZoneCreator;
  private readonly rrsets: RrsetViews;

  constructor(
    private readonly services: Services,
    private readonly source: PowerDnsSource,
    private readonly caller: Caller,
    private readonly takesKeys: boolean,
  ) {
    const options = services.get(RecordsOptions);
    const anyNumber = { maxRrsets: Infinity };
    const parts = [services.get(InnerOperations), options, services.get(Clock), anyNumber] as const;
    this.creation = new PowerDnsZoneCreator(services.get(ZonesService), ...parts);
    this.rrsets = new RrsetViews(services.get(ServedZone), options);
  }

  /** Reads each zone and creates it in a dry run. */
  check(ids: readonly string[], onZone: () => void): Promise<ImportReport> {
    return this.each(ids, onZone, async (id, report) => {
      const zone = await this.source.zone(id);
      if (zone === null) return;
      const body = transcribed(zone, (difference, amount) => report.differs(difference, id, amount));
      if (await this.isThere(id)) report.counts.already += 1;
      else {
        const signing = await this.signingOf(id, zone, report);
        const draft = await this.creation.make(body, this.caller, { isDryRun: true });
        if (signing !== null) importedKeys(draft, signing);
        report.counts.imported += 1;
      }
    });
  }

  /** Creates missing zones and compares the result. */
  take(ids: readonly string[], onZone: () => void): Promise<ImportReport> {
    return this.each(ids, onZone, async (id, report) => {
      if (await this.isThere(id)) {
        report.counts.already += 1;
        return;
      }
      const zone = await this.source.zone(id);
      if (zone === null) return;
      const note = (difference: string, amount?: number): void => report.differs(difference, id, amount);
      const signing = await this.signingOf(id, zone, report);
      const made = await this.creation.make(transcribed(zone, note), this.caller);
      if (signing !== null) await this.sign(made, signing);
      report.counts.imported += 1;
      if (signing !== null) report.counts.signed += 1;
      const shown = await this.shown(made);
      report.counts.rrsets += shown.length;
      if (made.type === 'PRIMARY') compare(zone, shown, note);
    });
  }

  /** `null`: the zone stays unsigned. */
  private async signingOf(id: string, zone: InputObject, report: ImportReport): Promise<SigningRequest | null> {
    if (zone.dnssec !== true || isSecondary(zone)) return null;
    if (!this.takesKeys || !this.services.get(DnssecService).isAvailable) {
      report.differs(
        this.takesKeys ? 'DNSSEC keys are not imported: this service signs no domains' : 'DNSSEC keys are not imported',
        id,
      );
      return null;
    }
    if (hasOtherNsec3(zone)) report.differs('NSEC3 has no salt and no iterations here', id);
    return signingWith(zone, await this.source.keys(id));
  }

  private sign(zone: ZoneEntity, signing: SigningRequest): Promise<void> {
    const services = { dnssec: this.services.get(DnssecService), zones: this.services.get(ZonesService) };
    return signNewZone(services, zone, signing, this.caller);
  }

  private async isThere(id: string): Promise<boolean> {
    const everybody = { ...this.caller, allTenants: true };
    try {
      return (await this.services.get(ZonesService).findByName(zoneNameOf(id), everybody)) !== null;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'invalid_object') return false;
      throw error;
    }
  }

  private shown({ id }: ZoneEntity): Promise<RrsetView[]> {
    const sets = this.services.get(AnnotatedSets);
    return this.services.get(Reads).run(async (tx) => {
      const zone = await this.services.get(ServedZone).zone(tx, id);
      const shown = this.rrsets.ofApex(zone, await sets.atOwner(tx, id, zone.nameKey));
      for await (const page of sets.all(tx, id)) {
        const below = page.filter(({ ownerKey }) => ownerKey !== zone.nameKey);
        shown.push(...this.rrsets.of(zone, below));
      }
      return shown;
    });
  }

  /** A rejected zone does not stop the others. */
  private async each(
    ids: readonly string[],
    onZone: () => void,
    work: (id: string, report: ImportReport) => Promise<void>,
  ): Promise<ImportReport> {
    const report = new ImportReport();
    const left = [...ids].reverse();
    const worker = async (): Promise<void> => {
      for (let id = left.pop(); id !== undefined; id = left.pop()) {
        try {
          await work(id, report);
        } catch (error) {
          if (!(error instanceof ServiceError) || error.code === 'unavailable') throw error;
          report.refuses(id, error.message);
        }
        onZone();
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, worker));
    return report;
  }
}

export class ImportReport {
  readonly counts = { imported: 0, signed: 0, already: 0, refused: 0, rrsets: 0 };
  private readonly differences = new Map<string, { count: number; readonly examples: string[] }>();
  private readonly refusals: string[] = [];

  differs(kind: string, zone: string, amount = 1): void {
    const found = this.differences.get(kind) ?? { count: 0, examples: [] };
    found.count += amount;
    if (found.examples.length < EXAMPLES) found.examples.push(zone);
    this.differences.set(kind, found);
  }

  refuses(zone: string, why: string): void {
    this.counts.refused += 1;
    this.refusals.push(`${zone} ${why}`);
  }

  /** Ordered for readers: rejected zones last. */
  lines(): string[] {
    const differing = [...this.differences].map(
      ([kind, { count, examples }]) =>
        `differs: ${kind}: ${count} (${examples.join(', ')}${count > EXAMPLES ? ', …' : ''})`,
    );
    return [...differing, ...this.refusals.map((refusal) => `refused: ${refusal}`)];
  }
}

const EXAMPLES = 3;

function compare(there: InputObject, here: readonly RrsetView[], note: (difference: string) => void): void {
  const found = new Map(here.map((set) => [keyOf(set.name, set.type), set]));
  const kinds = new Set<string>();
  for (const value of listIn(there, 'rrsets') ?? []) {
    const set = objectIn(value, 'An rrset');
    const key = keyOf(String(set.name), String(set.type));
    const ours = found.get(key);
    found.delete(key);
    if (set.type === 'SOA') kinds.add('the SOA has the primary, timers and serial of this service');
    else if (ours === undefined) kinds.add('a record set is missing');
    else for (const kind of differencesOf(set, ours)) kinds.add(kind);
  }
  for (const { type } of found.values()) if (type !== 'SOA') kinds.add('an additional record set exists');
  for (const kind of kinds) note(kind);
}

function differencesOf(there: InputObject, here: RrsetView): string[] {
  const records = (listIn(there, 'records') ?? []).map((one) => objectIn(one, 'A record'));
  const comments = listIn(there, 'comments') ?? [];
  const written = (content: unknown, disabled: unknown): string => `${String(content)} ${String(disabled === true)}`;
  const theirs = records.map(({ content, disabled }) => written(content, disabled)).sort();
  const ours = here.records.map(({ content, disabled }) => written(content, disabled)).sort();
  return [
    ...(Number(there.ttl) === here.ttl || records.length === 0 ? [] : ['the TTL of a record set differs']),
    ...(theirs.join('\n') === ours.join('\n') ? [] : ['contents are written differently']),
    ...(comments.length === here.comments.length ? [] : ['comments are missing']),
  ];
}

function keyOf(name: string, type: string): string {
  return `${name.toLowerCase()} ${type}`;
}
