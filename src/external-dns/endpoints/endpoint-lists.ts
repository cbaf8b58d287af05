import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { Streams } from '../../common/streams.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { Reads } from '../../database/reads.js';
import { RawResponse } from '../../http/custom-responses.js';
import { inPieces, PIECE } from '../../http/server/response-pieces.js';
import { type AnnotatedSet, AnnotatedSets } from '../../records/annotated-sets.repository.js';
import type { SetKey } from '../../records/record-set.entity.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { ZonesService } from '../../zones/zones.service.js';
import { MEDIA_TYPE } from '../external-dns-interface.js';
import { EndpointForm } from './endpoint-form.js';

export type WebhookAnswer = RawResponse | StreamableFile;

const MOST_FILTERS = 1000;
const ZONES_OF_PAGE = 100;
/** Characters; a longer list is streamed. */
const LONGEST_WHOLE_LIST = 262_144;

/** Lists the zones and record sets of the caller for external-dns. */
@Injectable()
export class EndpointLists {
  constructor(
    private readonly zones: ZonesService,
    private readonly sets: AnnotatedSets,
    private readonly form: EndpointForm,
    private readonly reads: Reads,
    private readonly streams: Streams,
  ) {}

  /** Without a filter, external-dns sends changes of all names. */
  async domainFilter(caller: Caller): Promise<object> {
    const include: string[] = [];
    for await (const { name } of this.primaryZones(caller)) {
      if (include.length === MOST_FILTERS) return {};
      include.push(name.toLowerCase().replace(/\.$/, ''));
    }
    return { include };
  }

  /** Reads a short list before the answer begins, so that an error still has its status. */
  async records(caller: Caller): Promise<WebhookAnswer> {
    const end = this.streams.take(caller.tenantId);
    const parts = this.parts(caller);
    try {
      const first: string[] = [];
      for (let length = 0; length <= LONGEST_WHOLE_LIST;) {
        const part = await parts.next();
        if (part.done === true) {
          end();
          return new RawResponse(200, MEDIA_TYPE, first.join(''));
        }
        first.push(part.value);
        length += part.value.length;
      }
      const octets = Readable.from(octetsOf(first, parts), { objectMode: false, highWaterMark: PIECE });
      return new StreamableFile(octets.once('close', end), { type: MEDIA_TYPE });
    } catch (error) {
      end();
      throw error;
    }
  }

  private async *parts(caller: Caller): AsyncGenerator<string, undefined> {
    let before = '[';
    for await (const zone of this.primaryZones(caller))
      for await (const endpoints of this.endpointsOf(zone)) {
        const text = JSON.stringify(endpoints).slice(1, -1);
        if (text === '') continue;
        yield before + text;
        before = ',';
      }
    yield before === '[' ? '[]' : ']';
  }

  private async *primaryZones(caller: Caller): AsyncGenerator<ZoneEntity> {
    let isLast = false;
    for (let marker = ''; !isLast;) {
      const page = await this.zones.page(caller, marker, ZONES_OF_PAGE);
      ({ isLast } = page);
      marker = page.entries.at(-1)?.id ?? marker;
      for (const zone of page.entries) if (zone.type === 'PRIMARY') yield zone;
      await nextTurn();
    }
  }

  /** Page by page, because a client may read slowly, and a snapshot would last until its end. */
  private async *endpointsOf(zone: ZoneEntity): AsyncGenerator<readonly object[]> {
    for (let after: SetKey | null = null; ;) {
      const from: SetKey | null = after;
      const page: readonly AnnotatedSet[] = await this.reads.offPrimary(() =>
        this.reads.run((tx) => this.sets.page(tx, zone.id, from)),
      );
      if (page.length === 0) return;
      yield page.map((set) => this.form.shown(zone, set)).filter((endpoint) => endpoint !== null);
      after = page.at(-1) ?? null;
      await nextTurn();
    }
  }
}

async function* octetsOf(first: string[], rest: AsyncIterable<string>): AsyncGenerator<Buffer> {
  yield* inPieces(Buffer.from(first.splice(0).join('')));
  for await (const part of rest) yield* inPieces(Buffer.from(part));
}
