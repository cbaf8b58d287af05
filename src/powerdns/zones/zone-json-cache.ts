import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Streams } from '../../common/streams.js';
import type { Release } from '../../common/waiting/limiter.js';
import type { Turns } from '../../common/waiting/shared-work.js';
import { CachedContent, type HeldContent } from '../../database/render-cache/cached-content.js';
import { RenderCache, type Stated } from '../../database/render-cache/render-cache.js';
import { Reads } from '../../database/reads.js';
import { Spool } from '../../database/render-cache/spool.js';
import type { Transaction } from '../../database/transaction.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';

/** What zones take in memory together, in octets; those of more than 1 MiB are in files, and kept while they are read. */
const BOUNDS = { onDisk: 0, inMemory: 2 ** 24 };
/** What those take that one tenant has asked for. */
const BOUNDS_OF_TENANT = { onDisk: 0, inMemory: BOUNDS.inMemory / 2 };
/** In characters: the text of a zone of few sets is made in memory where it is no longer. */
const SHORT_TEXT = 262_144;
/** A zone of more sets, or of a longer text, is read from one moment beside everything else, one at a time for each tenant. */
const FEW_SETS = 2000;

const AT_ONCE: Turns = (work) => work();

/** The text of a zone, piece by piece; before the pieces it says which zone, as it is where its sets are read, it is of. */
export type ZoneParts = (tx: Transaction) => AsyncIterable<string | ZoneEntity>;

/** Which text is wanted. */
interface WantedZone {
  /** As it was found a moment ago. */
  readonly zone: ZoneEntity;
  readonly form: string;
  readonly parts: ZoneParts;
  /** The tenant that asks. */
  readonly readerId: string;
}

/** The JSON of whole zones: written once for each state, and kept while there is room. */
@Injectable()
export class ZoneJsonCache implements OnModuleDestroy {
  private readonly renderings = new RenderCache<Stated>(BOUNDS, BOUNDS_OF_TENANT);

  constructor(
    private readonly reads: Reads,
    private readonly spool: Spool,
    private readonly streams: Streams,
  ) {}

  /**
   * @param gone ends the work where nobody waits for it any more
   * @returns what whoever sends it releases
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
    // Whether a secondary zone is there, and what a signed one is published under, is no part of its state.
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

/** Grows with whatever changes of the zone: what is not in its history has a time, and what has no time of its own is in it. */
function stateOf({ version, changedAt }: ZoneEntity): number {
  return version + changedAt;
}

function both(release: () => void, end: Release): () => void {
  return () => {
    release();
    end();
  };
}

/** All parts as one, or `null` where they have more than `most` characters. */
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
