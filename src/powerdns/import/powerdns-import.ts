import type { Caller } from '../../common/caller.js';
import { ServiceError } from '../../common/service-error.js';
import { Reads } from '../../database/reads.js';
import type { Services } from '../../plugins/command.js';
import { AnnotatedSets } from '../../records/annotated-sets.repository.js';
import { InnerOperations } from '../../records/changes/inner-operations.js';
import { RecordsOptions } from '../../records/records.options.js';
import { ServedZone } from '../../records/served/served-zone.js';
import { Clock } from '../../common/clock.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZonesService } from '../../zones/zones.service.js';
import { RrsetViews, type RrsetView } from '../rrsets/rrset-views.js';
import { zoneNameOf } from '../zone-id.js';
import { PowerDnsZoneCreator } from '../zones/zone-creator.js';
import { ImportReport } from './import-report.js';
import type { PowerDnsSource } from './powerdns-source.js';
import { compare } from './zone-comparison.js';
import { transcribed } from './zone-transcript.js';

/** So many zones are under way at a time. */
const AT_A_TIME = 8;

/** Takes over the zones of a PowerDNS, each as one change. */
export class PowerDnsImport {
  private readonly creation: PowerDnsZoneCreator;
  private readonly rrsets: RrsetViews;

  constructor(
    private readonly services: Services,
    private readonly source: PowerDnsSource,
    private readonly caller: Caller,
  ) {
    const options = services.get(RecordsOptions);
    const anyNumber = { maxRrsets: Infinity };
    const parts = [services.get(InnerOperations), options, services.get(Clock), anyNumber] as const;
    this.creation = new PowerDnsZoneCreator(services.get(ZonesService), ...parts);
    this.rrsets = new RrsetViews(services.get(ServedZone), options);
  }

  /** Asks for each zone, and makes it without keeping it. */
  check(ids: readonly string[], onZone: () => void): Promise<ImportReport> {
    return this.each(ids, onZone, async (id, report) => {
      const zone = await this.source.zone(id);
      if (zone === null) return;
      const body = transcribed(zone, (difference, amount) => report.differs(difference, id, amount));
      if (await this.isThere(id)) report.counts.already += 1;
      else {
        await this.creation.make(body, this.caller, { isDryRun: true });
        report.counts.imported += 1;
      }
    });
  }

  /** Makes those that are not there yet, and compares what they have become. */
  take(ids: readonly string[], onZone: () => void): Promise<ImportReport> {
    return this.each(ids, onZone, async (id, report) => {
      if (await this.isThere(id)) {
        report.counts.already += 1;
        return;
      }
      const zone = await this.source.zone(id);
      if (zone === null) return;
      const note = (difference: string, amount?: number): void => report.differs(difference, id, amount);
      const made = await this.creation.make(transcribed(zone, note), this.caller);
      report.counts.imported += 1;
      const shown = await this.shown(made);
      report.counts.rrsets += shown.length;
      if (made.type === 'PRIMARY') compare(zone, shown, note);
    });
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
      for await (const page of sets.all(tx, id))
        shown.push(
          ...this.rrsets.of(
            zone,
            page.filter(({ ownerKey }) => ownerKey !== zone.nameKey),
          ),
        );
      return shown;
    });
  }

  /** One that is refused is told of, and keeps no other one back. */
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
