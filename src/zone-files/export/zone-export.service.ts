import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { Streams } from '../../common/streams.js';
import { Reads } from '../../database/reads.js';
import { Spool } from '../../database/spool.js';
import type { Transaction } from '../../database/transaction.js';
import type { RecordSet } from '../../dns/master-file/record-set.js';
import type { Moment } from '../../history/moment.js';
import { type PastZone, PastZones } from '../../history/past-zones.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZoneRepository } from '../../zones/zone.repository.js';
import { ExportLimits } from './export-limits.js';
import { isOmitted, type OmittedSet, ServedZone } from '../../records/served/served-zone.js';
import { COMPLETE, type ExportForm } from './export-form.js';
import { writeOmission } from './omissions.js';

/** Text is handed on in pieces of about this many characters. */
const CHUNK = 65_536;

/** An export of a moment of the past. */
export interface PastExport {
  readonly moment: Moment;
  readonly form?: ExportForm;
}

/** Zones as master files (RFC 1035 §5), each of one moment. */
@Injectable()
export class ZoneExportService {
  /** @internal */
  constructor(
    private readonly zones: ZoneRepository,
    private readonly contents: ServedZone,
    private readonly pastZones: PastZones,
    private readonly limits: ExportLimits,
    private readonly reads: Reads,
    private readonly spool: Spool,
    private readonly streams: Streams,
  ) {}

  /**
   * The zone as a master file of one moment, complete before anybody reads it. It counts as under way until it has been
   * read or destroyed.
   * @param gone ends the work where nobody waits for it any more
   * @throws ServiceError `zone_not_found`, `over_quota` where the owner's quota is smaller than the zone, and `unavailable`
   */
  async exportWithinLimits(zoneId: string, caller: Caller, gone: AbortSignal): Promise<Readable> {
    const zone = await this.zones.find(zoneId, caller);
    await this.limits.assertExportAllowed(zone.tenantId, zone.recordCount);
    return this.keep(caller.tenantId, this.export(zone), gone);
  }

  /**
   * The same of a moment of the past.
   * @throws ServiceError `serial_not_found` as well
   * @internal
   */
  async exportPastWithinLimits(
    zoneId: string,
    caller: Caller,
    { moment, form = COMPLETE }: PastExport,
    gone: AbortSignal,
  ): Promise<Readable> {
    const { id, tenantId } = await this.zones.find(zoneId, caller);
    return this.keep(caller.tenantId, this.pastWithinLimits(id, tenantId, { moment, form }), gone);
  }

  /** The same for an operator, whatever the size; `onSet` is told of every record set. */
  exportComplete(zone: ZoneEntity, onSet?: () => void): Promise<Readable> {
    return this.spool.keep(this.export(zone, onSet));
  }

  /** Piece by piece as it is read, for a reader who does not keep the database waiting. */
  export({ id }: ZoneEntity, onSet?: () => void): AsyncIterable<string> {
    return this.reads.stream((tx) => this.chunks(tx, id, onSet));
  }

  /** @param readerId the tenant that asks */
  private keep(readerId: string, text: AsyncIterable<string>, gone: AbortSignal): Promise<Readable> {
    return this.streams.begin(readerId, () => this.streams.inTurn(readerId, () => this.spool.keep(text, gone)));
  }

  private async *chunks(tx: Transaction, zoneId: string, onSet?: () => void): AsyncGenerator<string> {
    const zone = await this.contents.zone(tx, zoneId);
    yield* write(zone, this.contents.recordSets(tx, zone), { form: COMPLETE, onSet });
  }

  /** How many records there were is known only once the journal has been read. */
  private async *pastWithinLimits(
    zoneId: string,
    tenantId: string,
    wanted: Required<PastExport>,
  ): AsyncGenerator<string> {
    for await (const part of this.reads.stream((tx) => this.past(tx, zoneId, wanted))) {
      if (typeof part === 'string') yield part;
      else await this.limits.assertExportAllowed(tenantId, part.recordCount);
    }
  }

  private async *past(
    tx: Transaction,
    zoneId: string,
    { moment, form }: Required<PastExport>,
  ): AsyncGenerator<PastZone | string> {
    const past = await this.pastZones.find(tx, await this.contents.zone(tx, zoneId), moment);
    yield past;
    yield* write(past.zone, this.contents.recordSetsOf(tx, past.zone, past.records), { form });
  }
}

async function* write(
  zone: ZoneEntity,
  batches: AsyncIterable<readonly (RecordSet | OmittedSet)[]>,
  { form, onSet }: { readonly form: ExportForm; readonly onSet?: (() => void) | undefined },
): AsyncGenerator<string> {
  let chunk = form.head(zone);
  for await (const sets of batches) {
    for (const set of sets) {
      chunk += isOmitted(set) ? writeOmission(set) : form.recordSet(set, zone);
      onSet?.();
      if (chunk.length < CHUNK) continue;
      yield chunk;
      chunk = '';
    }
  }
  yield chunk;
}
