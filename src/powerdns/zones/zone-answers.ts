import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { Streams } from '../../common/streams.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { Reads } from '../../database/reads.js';
import { Spool } from '../../database/spool.js';
import type { Transaction } from '../../database/transaction.js';
import { nameOrNull } from '../../dns/name.js';
import { parseOwnerName } from '../../dns/owner-name.js';
import { AnnotatedSets } from '../../records/annotated-sets.repository.js';
import { ServedZone } from '../../records/served/served-zone.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import type { ZoneSummary } from '../../zones/zone.repository.js';
import { ZonesService } from '../../zones/zones.service.js';
import { type JsonAnswer, jsonAnswer, jsonStream, jsonText } from '../answers.js';
import { ShownRrsets } from '../rrsets/shown-rrsets.js';
import { inPieces, PIECE } from '../../http/server/pieces.js';
import { listedZones, zoneAround } from './zone.form.js';

/** So many zones of a list are read at a time. */
const PAGE = 500;
/** A zone of more sets is read from one moment beside everything else, and waits in a file for its reader. */
const FEW_SETS = 2000;

/** Which record sets are asked for; `null`: all. */
interface AskedSets {
  readonly name: string | null;
  readonly type: string | null;
}

/** Writes zones and lists of zones. */
@Injectable()
export class ZoneAnswers {
  constructor(
    private readonly zones: ZonesService,
    private readonly sets: AnnotatedSets,
    private readonly served: ServedZone,
    private readonly rrsets: ShownRrsets,
    private readonly reads: Reads,
    private readonly spool: Spool,
    private readonly streams: Streams,
  ) {}

  /** All zones of the caller, written while they are read. */
  async list(caller: Caller, hasDnssec: boolean): Promise<JsonAnswer> {
    const first = await this.zones.summaries(caller, '', PAGE);
    const listed = listedZones(hasDnssec);
    const textOf = (zones: readonly ZoneSummary[]): string => zones.map(listed).join(',');
    if (first.isLast) return jsonText(`[${textOf(first.entries)}]`);
    const end = this.streams.take(caller.tenantId);
    const { zones } = this;
    async function* pieces(): AsyncGenerator<Buffer> {
      yield* inPieces(Buffer.from(`[${textOf(first.entries)}`));
      let page = first;
      while (!page.isLast) {
        await nextTurn();
        page = await zones.summaries(caller, page.entries.at(-1)?.id ?? '', PAGE);
        if (page.entries.length > 0) yield* inPieces(Buffer.from(`,${textOf(page.entries)}`));
      }
      yield Buffer.from(']');
    }
    const text = Readable.from(pieces(), { objectMode: false, highWaterMark: PIECE });
    return jsonStream(text.once('close', end));
  }

  withoutSets(zone: ZoneEntity, status = 200): JsonAnswer {
    const { before, behind } = zoneAround(zone);
    return jsonAnswer({ ...before, ...behind }, status);
  }

  /** @param gone ends the work where nobody waits for it any more */
  async whole(zone: ZoneEntity, caller: Caller, gone: AbortSignal, status = 200): Promise<JsonAnswer> {
    if (zone.recordSetCount <= FEW_SETS) {
      const parts = await this.reads.run((tx) => gather(this.parts(tx, zone.id)));
      return jsonText(parts.join(''), status);
    }
    const text = this.reads.stream((tx) => this.parts(tx, zone.id));
    const kept = this.streams.begin(caller.tenantId, () =>
      this.streams.inTurn(caller.tenantId, () => this.spool.keep(text, gone)),
    );
    return jsonStream(await kept);
  }

  /** The zone with some of its sets. */
  async asked(zone: ZoneEntity, { name, type }: AskedSets, caller: Caller, gone: AbortSignal): Promise<JsonAnswer> {
    // As there: a type is looked for at a name only.
    if (name === null) return this.whole(zone, caller, gone);
    const owner = nameOrNull(() => parseOwnerName(name.endsWith('.') ? name : `${name}.`));
    const shown = await this.reads.run(async (tx) => {
      if (owner === null) return [];
      const now = await this.served.zone(tx, zone.id);
      const stored = await this.sets.atOwner(tx, now.id, owner.key);
      return owner.key === now.nameKey ? this.rrsets.ofApex(now, stored) : this.rrsets.of(now, stored);
    });
    const found = type === null ? shown : shown.filter((set) => set.type === type.toUpperCase());
    const { before, behind } = zoneAround(zone);
    return jsonAnswer({ ...before, rrsets: found, ...behind });
  }

  /** The JSON of a zone, piece by piece. */
  private async *parts(tx: Transaction, zoneId: string): AsyncGenerator<string> {
    const zone = await this.served.zone(tx, zoneId);
    const { before, behind } = zoneAround(zone);
    const apex = this.rrsets.ofApex(zone, await this.sets.atOwner(tx, zone.id, zone.nameKey));
    const head = JSON.stringify(before).slice(0, -1);
    yield `${head},"rrsets":[${itemsOf(apex)}`;
    let isFirst = apex.length === 0;
    for await (const sets of this.sets.all(tx, zone.id)) {
      const below = sets.filter(({ ownerKey }) => ownerKey !== zone.nameKey);
      const text = itemsOf(this.rrsets.of(zone, below));
      if (text === '') continue;
      yield isFirst ? text : `,${text}`;
      isFirst = false;
    }
    yield `],${JSON.stringify(behind).slice(1)}`;
  }
}

async function gather(parts: AsyncIterable<string>): Promise<string[]> {
  const gathered: string[] = [];
  for await (const part of parts) gathered.push(part);
  return gathered;
}

/** The items of a JSON array without its brackets. */
function itemsOf(items: readonly object[]): string {
  return JSON.stringify(items).slice(1, -1);
}
