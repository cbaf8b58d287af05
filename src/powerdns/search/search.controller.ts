import { Controller, Get, Query, Req } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { askerOf } from '../../http/asker.js';
import { CurrentCaller } from '../../http/decorators.js';
import { ApiExcludeController } from '../../http/openapi/decorators.js';
import type { ApiRequest } from '../../http/request.js';
import { type JsonAnswer, jsonAnswer } from '../answers.js';
import * as sent from '../sent.js';
import { type ObjectType, SearchService } from './search.service.js';

const TYPES = ['all', 'zone', 'record', 'comment'] as const;
const DEFAULT_MAX = 100;
const MOST = 10_000;
/** In characters. */
const LONGEST = 1024;

@ApiExcludeController()
@Controller('api/v1/servers/localhost/search-data')
export class SearchController {
  constructor(private readonly search: SearchService) {}

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
    return jsonAnswer(await this.search.find({ pattern, max: Math.min(max, MOST), type }, caller, askerOf(request)));
  }
}

/** mittwald's client sends an empty one. */
function readType(text: string): ObjectType {
  if (text === '') return 'all';
  return (
    TYPES.find((type) => type === text.toLowerCase()) ??
    sent.refuse('object_type must be one of the following options: all, zone, record, comment')
  );
}
