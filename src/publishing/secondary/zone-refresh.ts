import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { FairLimiter } from '../../common/waiting/fair-limiter.js';
import { Spool } from '../../database/render-cache/spool.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { DomainName } from '../../dns/name.js';
import { SOA } from '../../dns/rdata/index.js';
import { type GrowthCheck, RecordLimits } from '../../records/record-limits.js';
import { AllowedPrimaries, type Primary, parsePrimary } from '../../zones/primaries/primaries.js';
import { ChangeLimits } from '../../zones/changes/change-limits.js';
import type { Generation } from '../../plugins/change-listener.js';
import { mastersOf } from '../../zones/zone-fields.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { PublishingOptions } from '../publishing.options.js';
import { PrimaryAddresses } from './primary-addresses.js';
import { askForSoa, type PrimaryAddress, transferZone } from './primary-client.js';
import { ReceivedOctets, type Weight, TransferError } from './received-zone.js';
import { isTransferable, TransferredZones } from './transferred-zones.js';

/** SOA timers, in seconds. */
export type RefreshTimers = Pick<Generation, 'refresh' | 'retry' | 'expire'>;

/** Each store occupies a PostgreSQL connection, and one tenant leaves room for others. */
const STORED_AT_A_TIME = { inAll: 4, perKey: 1 };

@Injectable()
export class ZoneRefresh {
  private readonly allowed: AllowedPrimaries;
  private readonly received: ReceivedOctets;
  private readonly storing = new FairLimiter(STORED_AT_A_TIME);

  constructor(
    private readonly addresses: PrimaryAddresses,
    private readonly transferred: TransferredZones,
    private readonly limits: RecordLimits,
    private readonly changeLimits: ChangeLimits,
    private readonly unitOfWork: UnitOfWork,
    private readonly spool: Spool,
    private readonly options: PublishingOptions,
  ) {
    this.allowed = new AllowedPrimaries(options.masters);
    this.received = new ReceivedOctets(options.zoneSize);
  }

  /**
   * Asks one primary after another until one has the zone. Returns the timers of its SOA.
   * @throws TransferError with the errors of all primaries; ServiceError `rate_limited` for the tenant
   */
  async run(zone: Readonly<ZoneEntity>, stop: AbortSignal): Promise<RefreshTimers> {
    const { transferTimeout } = this.options.limits;
    const weight = this.received.begin(zone.tenantId);
    // Not `AbortSignal.any`: Node may collect its signal despite listeners.
    const ending = new AbortController();
    const end = (): void => ending.abort(new TransferError('the service stops', false));
    const tooLate = new TransferError(`no complete transfer within ${transferTimeout} seconds`, false);
    const timer = setTimeout(() => ending.abort(tooLate), transferTimeout * 1000);
    stop.addEventListener('abort', end);
    if (stop.aborted) end();
    try {
      return await this.ask(zone, weight, ending.signal);
    } finally {
      clearTimeout(timer);
      stop.removeEventListener('abort', end);
      weight.release();
    }
  }

  expire(zone: Readonly<ZoneEntity>): Promise<void> {
    return this.transferred.expire(zone);
  }

  private async ask(zone: Readonly<ZoneEntity>, weight: Weight, stop: AbortSignal): Promise<RefreshTimers> {
    const failures: TransferError[] = [];
    for await (const primary of this.mastersOf(zone, stop)) {
      try {
        if (primary instanceof TransferError) throw primary;
        return await this.askOne(primary, zone, weight, stop);
      } catch (error) {
        if (isRateLimited(error)) throw error;
        failures.push(asFailure(error));
        weight.release();
      }
      if (stop.aborted) break;
    }
    throw allOf(stop.aborted ? [...failures, asFailure(stop.reason)] : failures);
  }

  /** Resolves the name of a primary just before it is asked. */
  private async *mastersOf(
    zone: Readonly<ZoneEntity>,
    stop: AbortSignal,
  ): AsyncGenerator<PrimaryAddress | TransferError> {
    for (const primary of mastersIn(zone)) {
      const addresses = await this.addresses.of(primary, stop);
      if (stop.aborted) return;
      if (addresses.length === 0) yield new TransferError(`${primary.host}: no address found`, false);
      yield* addresses;
    }
  }

  private async askOne(
    primary: PrimaryAddress,
    zone: Readonly<ZoneEntity>,
    weight: Weight,
    stop: AbortSignal,
  ): Promise<RefreshTimers> {
    if (!this.allowed.allows(primary.address))
      throw new TransferError(`${primary.label} has an address that this service must not contact`, true);
    const offered = SOA.values((await askForSoa(primary, DomainName.parse(zone.name), stop)).rdata);
    if (!isTransferable(zone, offered.serial)) return offered;
    const takeOver = (weigh: (weight: number) => void): Promise<RefreshTimers> =>
      this.takeOver(primary, zone, { weight, weigh }, stop);
    return this.changeLimits.run(zone.tenantId, takeOver, 'master');
  }

  private async takeOver(
    primary: PrimaryAddress,
    zone: Readonly<ZoneEntity>,
    { weight, weigh }: { readonly weight: Weight; readonly weigh: (weight: number) => void },
    stop: AbortSignal,
  ): Promise<RefreshTimers> {
    const check = await this.unitOfWork.run((tx) => this.limits.checkFor(tx, zone.tenantId), { zoneId: zone.id });
    const text = this.spool.begin();
    try {
      const reception = { weight, text, admit: (records: number): void => assertRoom(check, records) };
      const received = await transferZone(primary, DomainName.parse(zone.name), reception, stop);
      const contents = await this.transferred.read(received, stop);
      await this.storing.run(async () => {
        stop.throwIfAborted();
        weigh(await this.transferred.store(zone, contents, stop));
      }, zone.tenantId);
      return contents.generation;
    } finally {
      await text.discard();
    }
  }
}

function mastersIn(zone: Readonly<ZoneEntity>): Primary[] {
  return mastersOf(zone)
    .map(parsePrimary)
    .filter((primary) => primary !== null);
}

/** Other primaries would hit the same limit. */
export function isRateLimited(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'rate_limited';
}

function assertRoom(check: GrowthCheck, records: number): void {
  check({ zoneRecords: records, zoneRecordsets: null, recordsetRecords: null });
}

/** Reports quota and database errors like errors of a primary. Other errors are defects. */
function asFailure(error: unknown): TransferError {
  if (error instanceof TransferError) return error;
  if (error instanceof ServiceError) return new TransferError(error.message, error.code !== 'unavailable');
  throw error;
}

function allOf(failures: readonly TransferError[]): TransferError {
  return new TransferError(
    failures.map(({ message }) => message).join('; '),
    failures.some(({ isRefusal }) => isRefusal),
  );
}
