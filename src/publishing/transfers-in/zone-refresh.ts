import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { DomainName } from '../../dns/name.js';
import { RecordTypes, SOA } from '../../dns/rdata/index.js';
import { type GrowthCheck, RecordLimits } from '../../records/record-limits.js';
import { AllowedMasters } from '../../zones/allowed-masters.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { PublishingOptions } from '../publishing.options.js';
import { askForSoa, type MasterAddress, transferZone } from './master-client.js';
import { addressesOf } from './master-addresses.js';
import { TransferError } from './transfer-error.js';
import { readContents } from './transferred-contents.js';
import { isTransferable, TransferredZones } from './transferred-zones.js';

/** What the SOA of a zone says about asking its masters, in seconds. */
export interface RefreshTimers {
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
}

/** Of one transfer, which is in memory until it is stored. */
const MOST_OCTETS = 2 ** 28;
/** In milliseconds. */
const LONGEST_SILENCE = 30_000;

/** Asks the masters of a secondary zone whether they have a later serial, and takes it over. */
@Injectable()
export class ZoneRefresh {
  private readonly allowed: AllowedMasters;

  constructor(
    private readonly transferred: TransferredZones,
    private readonly limits: RecordLimits,
    private readonly types: RecordTypes,
    private readonly unitOfWork: UnitOfWork,
    private readonly options: PublishingOptions,
  ) {
    this.allowed = new AllowedMasters(options.masters);
  }

  /**
   * Asks one master after the other until one has the zone. That one's SOA says when to ask again.
   * @throws TransferError with what all of them have said
   */
  async run(zone: Readonly<ZoneEntity>, stop: AbortSignal): Promise<RefreshTimers> {
    const failures: TransferError[] = [];
    for (const master of await addressesOf(zone)) {
      try {
        return await this.runWith(master, zone, stop);
      } catch (error) {
        failures.push(asFailure(error));
      }
    }
    const message = failures.map((failure) => failure.message).join('; ');
    throw new TransferError(
      message,
      failures.some(({ isRefusal }) => isRefusal),
    );
  }

  private async runWith(master: MasterAddress, zone: Readonly<ZoneEntity>, stop: AbortSignal): Promise<RefreshTimers> {
    if (!this.allowed.allows(master.address))
      throw new TransferError(`${master.address} is at no address that this service asks`, true);
    const name = DomainName.parse(zone.name);
    const offered = SOA.values((await askForSoa(master, name, stop)).rdata);
    if (!isTransferable(zone, offered.serial)) return offered;
    const check = await this.unitOfWork.run((tx) => this.limits.checkFor(tx, zone.tenantId), { zoneId: zone.id });
    const duration = this.options.limits.transferTimeout * 1000;
    const admit = (records: number): void => assertRoom(check, records);
    const bounds = { octets: MOST_OCTETS, silence: LONGEST_SILENCE, duration, admit };
    const received = await transferZone(master, name, bounds, stop);
    const contents = await readContents(received, this.types);
    await this.transferred.store(zone, contents);
    return contents.generation;
  }
}

/** Long before all of a zone has come that is not to be had. */
function assertRoom(check: GrowthCheck, records: number): void {
  check({ zoneRecords: records, zoneRecordsets: null, recordsetRecords: null });
}

/** What a quota or the database says is told like what a master says; anything else is a defect. */
function asFailure(error: unknown): TransferError {
  if (error instanceof TransferError) return error;
  if (error instanceof ServiceError) return new TransferError(error.message, error.code !== 'unavailable');
  throw error;
}
