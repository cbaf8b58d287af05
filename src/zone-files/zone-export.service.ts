import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { Reads } from '../database/reads.js';
import type { Transaction } from '../database/transaction.js';
import { writeRecordSet } from '../dns/master-file/master-file-writer.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { ZoneRepository } from '../zones/zone.repository.js';
import { ExportLimits } from './export-limits.js';
import { ServedZone } from '../records/served-zone.js';

/** Text is handed on in pieces of about this many characters. */
const CHUNK = 65_536;

@Injectable()
export class ZoneExportService {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly contents: ServedZone,
    private readonly limits: ExportLimits,
    private readonly reads: Reads,
  ) {}

  /**
   * The zone as a master file, piece by piece, of one moment.
   * @throws ServiceError `zone_not_found`, and `over_quota` where the owner's quota is smaller than the zone
   */
  async exportWithinLimits(zoneId: string, caller: Caller): Promise<AsyncIterable<string>> {
    const zone = await this.zones.find(zoneId, caller);
    await this.limits.assertExportAllowed(zone.tenantId, zone.recordCount);
    return this.export(zone);
  }

  /** The same for an operator, whatever the size; `onSet` is told of every record set. */
  export({ id }: ZoneEntity, onSet?: () => void): AsyncIterable<string> {
    return this.reads.stream((tx) => this.chunks(tx, id, onSet));
  }

  private async *chunks(tx: Transaction, zoneId: string, onSet?: () => void): AsyncGenerator<string> {
    const zone = await this.contents.zone(tx, zoneId);
    let chunk = `; ${zone.name} serial ${zone.serial}\n`;
    for await (const set of this.contents.recordSets(tx, zone)) {
      chunk += writeRecordSet(set);
      onSet?.();
      if (chunk.length < CHUNK) continue;
      yield chunk;
      chunk = '';
    }
    yield chunk;
  }
}
