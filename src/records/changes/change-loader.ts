import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { allOf } from '../../common/all-of.js';
import { PluginUnavailable } from '../../common/service-error.js';
import type { Transaction } from '../../database/transaction.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import type { ChangeInProgress } from './change-request.js';
import { type LoadedState, StateLoader } from './state/state-loader.js';
import type { ZonePlace } from './state/zone-state.js';
import { ShareGrants } from './share-grants.js';

/** Limits the cache to some megabytes. */
const MOST_ZONES = 10_000;

/**
 * Places of recently changed zones. A correct guess saves a round trip: the reads go out with the lock statement.
 * The lock shows whether the guess was right.
 */
class ZonePlaces {
  private readonly places = new LRUCache<string, ZonePlace>({ max: MOST_ZONES });

  guess(zoneId: string): ZonePlace | null {
    return this.places.get(zoneId) ?? null;
  }

  learn({ id, name, nameKey, tenantId }: ZonePlace): void {
    this.places.set(id, { id, name, nameKey, tenantId });
  }
}

type Rounds = ReadonlyMap<string, readonly ChangeInProgress[]>;

export interface GuessedLoad {
  readonly place: ZonePlace;
  readonly loaded: LoadedState | PluginUnavailable;
}

@Injectable()
export class ChangeLoader {
  private readonly places = new ZonePlaces();

  constructor(
    private readonly states: StateLoader,
    private readonly grants: ShareGrants,
  ) {}

  /** Requires the zone lock. `guess` was read with the lock statement. */
  async load(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    round: readonly ChangeInProgress[],
    guess?: GuessedLoad,
  ): Promise<LoadedState | PluginUnavailable> {
    this.places.learn(zone);
    const loaded =
      guess !== undefined && isSamePlace(guess.place, zone) ? guess.loaded : await this.loadHeld(tx, zone, round);
    if (!(loaded instanceof PluginUnavailable)) loaded.state.hold(zone);
    return loaded;
  }

  /**
   * Loads the needs of the rounds in zones with a known place, by zone. The reads share a turn with the lock
   * statements, but run after them.
   */
  async loadAhead(tx: Transaction, rounds: Rounds): Promise<ReadonlyMap<string, GuessedLoad>> {
    const guessable = [...rounds].flatMap(([zoneId, round]) => {
      const place = round.some(({ request }) => request.hook?.load !== undefined) ? null : this.places.guess(zoneId);
      return place === null ? [] : [{ place, round }];
    });
    const loaded = await allOf(
      guessable.map(async ({ place, round }) => ({ place, loaded: await this.loadRecords(tx, place, round) })),
    );
    return new Map(loaded.map((guess) => [guess.place.id, guess]));
  }

  private async loadHeld(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    round: readonly ChangeInProgress[],
  ): Promise<LoadedState | PluginUnavailable> {
    const [loaded] = await allOf([
      this.loadRecords(tx, zone, round),
      ...round.map((change) => loadHook(tx, zone, change)),
    ]);
    return loaded;
  }

  private async loadRecords(
    tx: Transaction,
    place: ZonePlace,
    round: readonly ChangeInProgress[],
  ): Promise<LoadedState | PluginUnavailable> {
    const operations = round.flatMap(({ request }) => request.operations);
    const plans = round.flatMap(({ request: { plan } }) => (plan === null ? [] : [plan.scope]));
    const [loaded] = await allOf([
      unlessPluginHangs(this.states.ahead(tx, place, operations, plans)),
      ...round.map(async (change) => {
        change.access = await this.grants.accessOf(tx, place, change.request);
      }),
    ]);
    return loaded;
  }
}

/** A plugin that does not answer must not refuse other changes. Nothing has been written for its change yet. */
async function unlessPluginHangs<T>(loading: Promise<T>): Promise<T | PluginUnavailable> {
  try {
    return await loading;
  } catch (error) {
    if (error instanceof PluginUnavailable) return error;
    throw error;
  }
}

async function loadHook(tx: Transaction, zone: Readonly<ZoneEntity>, change: ChangeInProgress): Promise<void> {
  const { hook } = change.request;
  if (hook?.load === undefined) return;
  const refused = await unlessPluginHangs(hook.load(tx, zone));
  if (refused instanceof PluginUnavailable) change.outcome = { error: refused };
}

function isSamePlace(one: ZonePlace, other: ZonePlace): boolean {
  return one.id === other.id && one.nameKey === other.nameKey && one.tenantId === other.tenantId;
}
