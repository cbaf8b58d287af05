import { Readable } from 'node:stream';
import { Controller, Get, Query, Req } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { Streams } from '../../common/streams.js';
import { searchClientOf } from '../../http/request-lifetime.js';
import { CurrentCaller } from '../../http/decorators.js';
import { ApiExcludeController } from '../../http/openapi/decorators.js';
import type { ApiRequest } from '../../http/request.js';
import { inPieces, PIECE } from '../../http/server/response-pieces.js';
import { type JsonAnswer, jsonAnswer, jsonStream } from '../answers.js';
import * as sent from '../input.js';
import { type ObjectType, SearchService } from './search.service.js';

const TYPES = ['all', 'zone', 'record', 'comment'] as const;
const DEFAULT_MAX = 100;
const MOST = 10_000;
/** Characters. */
const LONGEST = 1024;

@ApiExcludeController()
@Controller('api/v1/servers/localhost/search-data')
export class SearchController {
  constructor(
    private readonly search: SearchService,
    private readonly streams: Streams,
  ) {}

  @Get()
  async find(
    @Query() query: Readonly<Record<string, unknown>>,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<JsonAnswer> {
    const pattern = sent.textIn(query, 'q', LONGEST) ?? '';
    if (pattern === '') sent.refuse("Query q can't be blank");
    const max = sent.integerIn(query, 'max', Number.MAX_SAFE_INTEGER) ?? DEFAULT_MAX;
    if (max < 1) sent.refuse('Maximum number of entries must be larger than 0');
    const type = readType(sent.textIn(query, 'object_type') ?? '');
    const { first, rest } = await this.search.find(
      { pattern, max: Math.min(max, MOST), type },
      caller,
      searchClientOf(request),
    );
    if (rest === null) return jsonAnswer(first);
    const end = this.streams.take(caller.tenantId);
    const text = Readable.from(listInPieces(first, rest), { objectMode: false, highWaterMark: PIECE });
    return jsonStream(text.once('close', end));
  }
}

async function* listInPieces(first: readonly object[], rest: AsyncIterable<readonly object[]>): AsyncGenerator<Buffer> {
  const textOf = (objects: readonly object[]): string => JSON.stringify(objects).slice(1, -1);
  yield* inPieces(Buffer.from(`[${textOf(first)}`));
  for await (const objects of rest) yield* inPieces(Buffer.from(`,${textOf(objects)}`));
  yield Buffer.from(']');
}

/** mittwald's client sends an empty one. */
function readType(text: string): ObjectType {
  if (text === '') return 'all';
  return (
    TYPES.find((type) => type === text.toLowerCase()) ??
    sent.refuse('object_type must be one of the following options: all, zone, record, comment')
  );
}
