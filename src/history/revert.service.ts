import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { Clock } from '../common/clock.js';
import { ServiceError } from '../common/service-error.js';
import { Streams } from '../common/streams.js';
import { Reads } from '../database/reads.js';
import type { Transaction } from '../database/transaction.js';
import { RecordTypes } from '../dns/rdata/index.js';
import { OperationsRefused } from '../records/changes/operation-list.js';
import { type ChangeOptions, RecordChanges } from '../records/changes/record-changes.js';
import type { ChangeResult } from '../records/changes/record-operation.js';
import type { ChangeHook } from '../zones/changes/change-hook.js';
import { ZoneRepository } from '../zones/zone.repository.js';
import { type RecordDifference, RecordDifferences } from './record-differences.js';
import { type Reversion, reversionOf } from './revert-operations.js';

/** All differences are in memory at once: so much of their text, in octets. About 100,000 addresses. */
const MAX_OCTETS = 2 ** 25;
/** How often others may change the zone between reading and reverting. */
const ATTEMPTS = 5;

/** What records become again: all of them what they were at a serial, or those of one change what they were before it. */
export type RevertTarget = { readonly serial: number } | { readonly changeId: string };

/** Makes the records of a zone what they were, as one change (behaviour 11.3). */
@Injectable()
export class RevertService {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly differences: RecordDifferences,
    private readonly changes: RecordChanges,
    private readonly types: RecordTypes,
    private readonly reads: Reads,
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws OperationsRefused where today's rules refuse what was; its indexes are those of the differences from now to
   *   then. ServiceError `zone_not_found`, `serial_not_found`, `over_quota`, `file_too_large`, `unavailable`
   */
  async revert(
    zoneId: string,
    caller: Caller,
    target: RevertTarget,
    { isDryRun = false, hook = null }: ChangeOptions,
  ): Promise<ChangeResult> {
    const { id } = await this.zones.findOwned(zoneId, caller);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const { version, differences } = await this.streams.read(caller.tenantId, () => this.differencesTo(id, target));
      const reversion = reversionOf(differences, this.types, this.clock.now());
      if (reversion.faults.length > 0) throw new OperationsRefused(reversion.faults);
      try {
        return await this.changes.apply(id, caller, reversion.operations, {
          isDryRun,
          hook: ofVersion(version, hook),
        });
      } catch (error) {
        if (!(error instanceof ZoneHasMoved)) throw inDifferences(error, reversion);
      }
    }
    throw new ServiceError('unavailable', 'The zone keeps changing; try again later.');
  }

  /** From the zone as it is, with the version that it has. */
  private async differencesTo(zoneId: string, target: RevertTarget): Promise<Found> {
    const differences: RecordDifference[] = [];
    let version = 0;
    let octets = 0;
    for await (const part of this.reads.stream((tx) => this.read(tx, zoneId, target))) {
      if (typeof part === 'number') version = part;
      else {
        differences.push(part);
        octets += part.octets;
        if (octets > MAX_OCTETS) throw tooMuch();
      }
    }
    return { version, differences };
  }

  private async *read(
    tx: Transaction,
    zoneId: string,
    target: RevertTarget,
  ): AsyncGenerator<number | RecordDifference> {
    const zone = await this.zones.findIn(tx, zoneId);
    if (zone === undefined) throw new ServiceError('zone_not_found', 'The zone has just been deleted.');
    yield zone.version;
    yield* 'changeId' in target
      ? this.differences.undoing(tx, zone, target.changeId)
      : this.differences.between(tx, zone, { serial: zone.serial }, target);
  }
}

/** The differences at fault, instead of the operations that they have led to. */
function inDifferences(error: unknown, { indexes }: Reversion): unknown {
  if (!(error instanceof OperationsRefused)) return error;
  return new OperationsRefused(error.faults.map((fault) => ({ ...fault, index: indexes[fault.index] ?? fault.index })));
}

interface Found {
  readonly version: number;
  readonly differences: readonly RecordDifference[];
}

/** Others have changed the zone since it was looked at. */
class ZoneHasMoved extends Error {}

/** A reversion is one of the zone as it was looked at: asked while the zone is held, after what else is asked there. */
function ofVersion(version: number, hook: ChangeHook<ChangeResult> | null): ChangeHook<ChangeResult> {
  return {
    isOurs: true,
    load: (tx, zone) => hook?.load?.(tx, zone) ?? Promise.resolve(),
    admit: (zone) => {
      hook?.admit?.(zone);
      if (zone.version !== version) throw new ZoneHasMoved('the zone has been changed meanwhile');
    },
    write: (tx, outcome) => hook?.write?.(tx, outcome) ?? Promise.resolve(),
  };
}

function tooMuch(): ServiceError {
  return new ServiceError(
    'file_too_large',
    'Too much has changed since to be reverted at once; export the zone with this serial and import it with mode=replace.',
  );
}
