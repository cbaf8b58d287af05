import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { Streams } from '../../common/streams.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { nameOrNull } from '../../dns/name.js';
import { parseOwnerName } from '../../dns/owner-name.js';
import { AnnotatedSets } from '../../records/annotated-sets.repository.js';
import { ServedZone } from '../../records/served/served-zone.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import type { ZoneSummary } from '../../zones/lists/zone-summaries.js';
import { ZonesService } from '../../zones/zones.service.js';
import { type JsonAnswer, jsonAnswer, jsonStream, jsonText, keptJson } from '../answers.js';
import { enabledOf, type RrsetView, RrsetViews } from '../rrsets/rrset-views.js';
import type { CachedTextResponse } from '../../http/custom-responses.js';
import { inPieces, PIECE } from '../../http/server/response-pieces.js';
import { ZoneJsonCache, type ZoneParts } from './zone-json-cache.js';
import { listedZones, zoneAround } from './zone.mapper.js';

const PAGE = 500;

/** `null`: all record sets. */
interface AskedSets {
  readonly name: string | null;
  readonly type: string | null;
  readonly hasDisabled: boolean;
}

@Injectable()
export class ZoneAnswers {
  constructor(
    private readonly zones: ZonesService,
    private readonly sets: AnnotatedSets,
    private readonly served: ServedZone,
    private readonly rrsets: RrsetViews,
    private readonly kept: ZoneJsonCache,
    private readonly reads: Reads,
    private readonly streams: Streams,
  ) {}

  async list(caller: Caller, hasDnssec: boolean): Promise<JsonAnswer> {
    const first = await this.zones.summaries(caller, '', PAGE);
    const listed = listedZones(hasDnssec);
    const textOf = (zones: readonly ZoneSummary[]): string => zones.map(listed).join(',');
    if (first.next === null) return jsonText(`[${textOf(first.entries)}]`);
    const end = this.streams.take(caller.tenantId);
    const { zones } = this;
    async function* pieces(): AsyncGenerator<Buffer> {
      yield* inPieces(Buffer.from(`[${textOf(first.entries)}`));
      let page = first;
      while (page.next !== null) {
        await nextTurn();
        page = await zones.summaries(caller, page.next, PAGE);
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

  async whole(
    zone: ZoneEntity,
    caller: Caller,
    gone: AbortSignal,
    shown: { readonly hasDisabled?: boolean; readonly status?: number } = {},
  ): Promise<CachedTextResponse> {
    const { hasDisabled = true, status } = shown;
    const parts: ZoneParts = (tx) => this.parts(tx, zone.id, hasDisabled);
    const form = hasDisabled ? '' : 'enabled';
    return keptJson(await this.kept.find({ zone, form, parts, readerId: caller.tenantId }, gone), status);
  }

  async asked(zone: ZoneEntity, asked: AskedSets, caller: Caller, gone: AbortSignal): Promise<JsonAnswer> {
    const { name, type, hasDisabled } = asked;
    // Like PowerDNS: a type filter needs a name.
    if (name === null) return this.whole(zone, caller, gone, { hasDisabled });
    const owner = nameOrNull(() => parseOwnerName(name.endsWith('.') ? name : `${name}.`));
    const shown = await this.reads.run(async (tx) => {
      if (owner === null) return [];
      const now = await this.served.zone(tx, zone.id);
      const stored = await this.sets.atOwner(tx, now.id, owner.key);
      return owner.key === now.nameKey ? this.rrsets.ofApex(now, stored) : this.rrsets.of(now, stored);
    });
    const enabled = hasDisabled ? shown : enabledOf(shown);
    const found = type === null ? enabled : enabled.filter((set) => set.type === type.toUpperCase());
    const { before, behind } = zoneAround(zone);
    return jsonAnswer({ ...before, rrsets: found, ...behind });
  }

  private async *parts(tx: Transaction, zoneId: string, hasDisabled: boolean): AsyncGenerator<string | ZoneEntity> {
    const zone = await this.served.zone(tx, zoneId);
    yield zone;
    const { before, behind } = zoneAround(zone);
    const itemsOf = (sets: readonly RrsetView[]): string => arrayItems(hasDisabled ? sets : enabledOf(sets));
    const apex = itemsOf(this.rrsets.ofApex(zone, await this.sets.atOwner(tx, zone.id, zone.nameKey)));
    const head = JSON.stringify(before).slice(0, -1);
    yield `${head},"rrsets":[${apex}`;
    let isFirst = apex === '';
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

function arrayItems(items: readonly object[]): string {
  return JSON.stringify(items).slice(1, -1);
}
