import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Streams } from '../../common/streams.js';
import type { Release } from '../../common/waiting/limiter.js';
import type { Turns } from '../../common/waiting/shared-work.js';
import { CachedContent, type HeldContent } from '../../database/render-cache/content-cache.js';
import { RenderCache, type Stated } from '../../database/render-cache/render-cache.js';
import { Reads } from '../../database/reads.js';
import { Spool } from '../../database/render-cache/spool.js';
import type { Transaction } from '../../database/transaction.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';

/** Octets in memory. Texts above 1 MiB are files, kept while clients read them. */
const BOUNDS = { onDisk: 0, inMemory: 2 ** 24 };
/** Octets of the texts that one tenant requested. */
const BOUNDS_OF_TENANT = { onDisk: 0, inMemory: BOUNDS.inMemory / 2 };
/** Characters up to which the text of a small zone is built in memory. */
const SHORT_TEXT = 262_144;
/** Larger zones are read from a snapshot, one at a time for each tenant. */
const FEW_SETS = 2000;

const AT_ONCE: Turns = (work) => work();

/** The pieces of a zone text, after the zone in the state that the pieces show. */
export type ZoneParts = (tx: Transaction) => AsyncIterable<string | ZoneEntity>;

interface WantedZone {
  readonly zone: ZoneEntity;
  readonly form: string;
  readonly parts: ZoneParts;
  readonly readerId: string;
}

/** Caches the JSON of whole zones by zone state. */
@Injectable()
export class ZoneJsonCache implements OnModuleDestroy {
  private readonly renderings = new RenderCache<Stated>(BOUNDS, BOUNDS_OF_TENANT);

  constructor(
    private readonly reads: Reads,
    private readonly spool: Spool,
    private readonly streams: Streams,
  ) {}

  /**
   * @param gone aborts when the last client disconnects
   * @returns content that the sender must release
   * @throws ServiceError `zone_not_found`, `unavailable`
   */
  async find(wanted: WantedZone, gone: AbortSignal): Promise<HeldContent<Stated>> {
    if (wanted.zone.recordSetCount <= FEW_SETS) return this.held(wanted, AT_ONCE, gone);
    const { readerId } = wanted;
    const end = this.streams.take(readerId);
    try {
      const held = await this.held(wanted, (work) => this.streams.inTurn(readerId, work), gone);
      return { ...held, release: both(held.release, end) };
    } catch (error) {
      end();
      throw error;
    }
  }

  onModuleDestroy(): void {
    this.renderings.kept.clear();
  }

  private held({ zone, form, parts, readerId }: WantedZone, inTurn: Turns, gone: AbortSignal) {
    const render = (unwanted: AbortSignal): Promise<CachedContent<Stated>> =>
      this.reads.offPrimary(() => this.render(zone, parts, unwanted));
    const key = `${zone.id} ${form} ${zone.transferredAt ?? ''} ${zone.publishedSerial ?? ''}`;
    return this.renderings.find({ key, state: stateOf(zone), owner: readerId, inTurn, render }, gone);
  }

  private async render({ recordSetCount }: ZoneEntity, parts: ZoneParts, gone: AbortSignal) {
    const known: Stated[] = [];
    async function* text(all: AsyncIterable<string | ZoneEntity>): AsyncGenerator<string> {
      for await (const part of all) {
        if (typeof part === 'string') yield part;
        else known.push({ state: stateOf(part) });
      }
    }
    const short =
      recordSetCount <= FEW_SETS ? await this.reads.run((tx) => gathered(text(parts(tx)), SHORT_TEXT)) : null;
    if (short === null) known.length = 0;
    const octets = await this.spool.keepOctets(short ?? text(this.reads.stream(parts)), gone);
    const [about] = known;
    if (about === undefined) throw new Error('a zone begins with what is known of it');
    return new CachedContent(about, octets);
  }
}

/** Grows with each change: some changes only raise the version, others only the time. */
function stateOf({ version, changedAt }: ZoneEntity): number {
  return version + changedAt;
}

function both(release: () => void, end: Release): () => void {
  return () => {
    release();
    end();
  };
}

/** Joins the parts; `null` above `most` characters. */
async function gathered(parts: AsyncIterable<string>, most: number): Promise<AsyncIterable<string> | null> {
  const all: string[] = [];
  let length = 0;
  for await (const part of parts) {
    all.push(part);
    length += part.length;
    if (length > most) return null;
  }
  return one(all.join(''));
}

async function* one(text: string): AsyncGenerator<string> {
  yield text;
}
