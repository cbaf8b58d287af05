import { maySee } from '../auth/policy.js';
import { allOf } from '../common/all-of.js';
import type { Caller } from '../common/caller.js';
import type { Clock } from '../common/clock.js';
import { groupedBy } from '../common/grouped.js';
import { PluginUnavailable } from '../common/plugin-unavailable.js';
import { ServiceError } from '../common/service-error.js';
import type { Transaction } from '../database/transaction.js';
import type { Batch, Outcome } from '../database/unit-of-work.js';
import type { JournalEntity } from './journal.entity.js';
import type { JournalRepository } from './journal.repository.js';
import { ZoneChange } from './zone-change.js';
import type { ZoneEntity } from './zone.entity.js';
import { noSuchZone, type ZoneRepository } from './zone.repository.js';

/** A change of a zone that somebody asks for. */
export interface RequestedChange<Request, Result> {
  readonly zoneId: string;
  readonly caller: Caller;
  readonly request: Request;
  /** Everything is judged, answered as if it were done, and left as it was. */
  readonly isDryRun: boolean;
  readonly companion: ChangeCompanion<Result> | null;
  /** As in `ChangeScope`. */
  readonly isUnlimited?: boolean;
}

/** The same, where somebody is told how much of the disk it takes for good: `ZoneChange.weight`. */
export interface WeighedChange<Request, Result> extends RequestedChange<Request, Result> {
  readonly weigh: (weight: number) => void;
}

/** What is read, judged and written together with a change: a condition on the zone, an answer that is kept. */
export interface ChangeCompanion<Result> {
  /**
   * Reads what `admit` needs to know, in one turn with what the change needs.
   * @param zone as it was when it was taken
   */
  load?(tx: Transaction, zone: Readonly<ZoneEntity>): Promise<void>;
  /**
   * @param zone as the changes before this one have left it
   * @throws ServiceError, which is then what became of the change
   */
  admit?(zone: Readonly<ZoneEntity>): void;
  /** Writes into the change's own transaction, also where the change was refused or has only been tried. */
  write?(tx: Transaction, outcome: Outcome<Result>): Promise<void>;
}

/** What can be changed in zones, without any of it in the database before all of it has been judged. */
export interface ZoneWork<Request, Result> {
  /** The records that a request names by id; after a change of one of them the next request that names it is loaded anew. */
  idsOf(request: Request): readonly string[];
  /** Reads all that the requests can touch; the zone is held. */
  load(tx: Transaction, zone: Readonly<ZoneEntity>, requests: readonly Request[]): Promise<LoadedWork<Request, Result>>;
}

export interface LoadedWork<Request, Result> {
  /**
   * Judges one change, after those that were judged before it, and does it in memory.
   * @throws ServiceError, and then nothing of it is left
   */
  judge(change: ZoneChange, request: Request, isDryRun: boolean): Result;
  /** Writes all that was done. */
  write(tx: Transaction): Promise<void>;
}

/**
 * Gathered changes: the rows of their zones are taken first, then the changes are loaded, judged one by one, and written at
 * once. On PostgreSQL, those of all zones go together.
 */
export class ZoneBatch<Request, Result> implements Batch<WeighedChange<Request, Result>, Result> {
  constructor(
    private readonly work: ZoneWork<Request, Result>,
    private readonly zones: ZoneRepository,
    private readonly journal: JournalRepository,
    private readonly clock: Clock,
  ) {}

  async run(tx: Transaction, requests: readonly WeighedChange<Request, Result>[]): Promise<Outcome<Result>[]> {
    const asked = requests.map((requested): Asked<Request, Result> => ({ requested, outcome: null }));
    for (const [zoneId, ofZone] of groupedBy(asked, ({ requested }) => requested.zoneId)) {
      let zone: Readonly<ZoneEntity> | undefined = await this.zones.lockAny(tx, zoneId);
      const seeing = await this.refuseBlind(tx, zone, ofZone);
      for (const round of this.roundsOf(seeing)) zone = zone && (await this.runRound(tx, zone, round));
    }
    return asked.map(({ outcome }) => outcome ?? { error: new Error('a change was passed over') });
  }

  /** Waits neither for a zone that somebody else holds nor for a second look into one: that is for others to do. */
  async runFree(
    tx: Transaction,
    requests: readonly WeighedChange<Request, Result>[],
  ): Promise<(Outcome<Result> | null)[]> {
    const asked = requests.map((requested): Asked<Request, Result> => ({ requested, outcome: null }));
    const byZone = groupedBy(asked, ({ requested }) => requested.zoneId);
    const zones = await this.zones.lockFree(tx, [...byZone.keys()]);
    await allOf(zones.map((zone) => this.runFirstRound(tx, zone, byZone.get(zone.id) ?? [])));
    return asked.map(({ outcome }) => outcome);
  }

  private async runFirstRound(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    asked: readonly Asked<Request, Result>[],
  ): Promise<void> {
    const seeing = await this.refuseBlind(tx, zone, asked);
    const [first] = this.roundsOf(seeing);
    if (first !== undefined) await this.runRound(tx, zone, first);
  }

  /** Refuses those who may not see the zone, and returns the others. */
  private async refuseBlind(
    tx: Transaction,
    zone: Readonly<ZoneEntity> | undefined,
    asked: readonly Asked<Request, Result>[],
  ): Promise<readonly Asked<Request, Result>[]> {
    const sees = ({ requested: { caller } }: Asked<Request, Result>): boolean =>
      zone !== undefined && maySee(caller, zone);
    if (asked.every(sees)) return asked;
    const others = asked.filter((one) => !sees(one));
    for (const one of others) one.outcome = { error: noSuchZone() };
    await writeCompanions(tx, others);
    return asked.filter(sees);
  }

  /** Returns the zone as the round has left it. */
  private async runRound(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    round: readonly Asked<Request, Result>[],
  ): Promise<Readonly<ZoneEntity>> {
    const requests = round.map(({ requested }) => requested.request);
    const [loaded] = await allOf([
      refusable(this.work.load(tx, zone, requests)),
      ...round.map((one) => loadCompanion(tx, zone, one)),
    ]);
    if (loaded instanceof PluginUnavailable) {
      for (const one of round) one.outcome = { error: loaded };
      await writeCompanions(tx, round);
      return zone;
    }
    const judged = this.judgeAll(zone, loaded, round);
    await allOf([
      loaded.write(tx),
      this.journal.insertAll(tx, judged.entries),
      judged.zone === zone ? null : this.zones.closeChange(tx, judged.zone),
      writeCompanions(tx, round),
    ]);
    return judged.zone;
  }

  /** Judges one change after the other, each on what those before it have left. */
  private judgeAll(
    zone: Readonly<ZoneEntity>,
    loaded: LoadedWork<Request, Result>,
    asked: readonly Asked<Request, Result>[],
  ): { readonly zone: Readonly<ZoneEntity>; readonly entries: readonly JournalEntity[] } {
    let latest = zone;
    const entries: JournalEntity[] = [];
    for (const one of asked) {
      if (one.outcome !== null) continue;
      const { caller, request, isDryRun, companion, weigh } = one.requested;
      const change = new ZoneChange(latest, caller, this.clock.now());
      try {
        companion?.admit?.(latest);
        one.outcome = { value: loaded.judge(change, request, isDryRun) };
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        one.outcome = { error };
        continue;
      }
      if (isDryRun) continue;
      weigh(change.weight);
      latest = change.zoneAfter;
      entries.push(...change.takeEntries());
    }
    return { zone: latest, entries };
  }

  /** Changes that name the same record go one round after the other: only then is it known what the later one touches. */
  private *roundsOf(asked: readonly Asked<Request, Result>[]): Generator<readonly Asked<Request, Result>[]> {
    let round: Asked<Request, Result>[] = [];
    let named = new Set<string>();
    for (const one of asked) {
      const ids = this.work.idsOf(one.requested.request);
      if (ids.some((id) => named.has(id))) {
        yield round;
        round = [];
        named = new Set();
      }
      round.push(one);
      for (const id of ids) named.add(id);
    }
    if (round.length > 0) yield round;
  }
}

interface Asked<Request, Result> {
  readonly requested: WeighedChange<Request, Result>;
  outcome: Outcome<Result> | null;
}

/** What a plugin has not answered is no reason to refuse anybody else: nothing has been written for it yet. */
async function refusable<T>(loading: Promise<T>): Promise<T | PluginUnavailable> {
  try {
    return await loading;
  } catch (error) {
    if (error instanceof PluginUnavailable) return error;
    throw error;
  }
}

async function loadCompanion<Request, Result>(
  tx: Transaction,
  zone: Readonly<ZoneEntity>,
  one: Asked<Request, Result>,
): Promise<void> {
  const { companion } = one.requested;
  if (companion?.load === undefined) return;
  const refused = await refusable(companion.load(tx, zone));
  if (refused instanceof PluginUnavailable) one.outcome = { error: refused };
}

async function writeCompanions<Request, Result>(
  tx: Transaction,
  asked: readonly Asked<Request, Result>[],
): Promise<void> {
  await allOf(
    asked.map(async ({ requested, outcome }) => {
      if (outcome !== null) await requested.companion?.write?.(tx, outcome);
    }),
  );
}
