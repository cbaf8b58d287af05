import { Readable } from 'node:stream';
import { Controller, Get, Query, Req, StreamableFile } from '@nestjs/common';
import { AdminOnly } from '../../../auth/access.decorators.js';
import type { Caller } from '../../../common/caller.js';
import { Streams } from '../../../common/streams.js';
import { JSON_LINES_TYPE, JSON_TYPE, Produces } from '../../../http/bodies/media-types.js';
import { shapeOf } from '../../../http/bodies/shape.pipe.js';
import { CurrentCaller, Gone } from '../../../http/decorators.js';
import type { ApiRequest } from '../../../http/request.js';
import { Paging } from '../../../http/lists/paging.js';
import { inPieces, PIECE } from '../../../http/server/response-pieces.js';
import { formatCursor } from '../../../zones/journal/time-cursor.js';
import type { AuditEntry } from '../audit-entry.js';
import { type AuditPage, AuditService } from '../audit.service.js';
import { AuditQueryDto, DEFAULT_LIMIT, AuditDto, toAuditEntryDto, AuditEntryDto } from './dto/audit.dto.js';
import { type AuditQuery, AuditRequestPipe } from './pipes/audit-request.pipe.js';
import { Operation, Operations } from '../../../http/v1/api-docs.js';

@Operations('audit', { errors: ['invalid_object'], hasAdminHeaders: false })
@AdminOnly()
@Controller('admin/audit')
export class AuditController {
  constructor(
    private readonly audit: AuditService,
    private readonly streams: Streams,
    private readonly paging: Paging,
  ) {}

  @Get()
  @Produces(JSON_TYPE, JSON_LINES_TYPE)
  @Operation({
    id: 'listAudit',
    summary: 'List who did what',
    description:
      'Of all tenants, latest first; `links.next` leads to older entries, also if a search has found none yet. As JSON lines it is everything that is asked for, one entry a line.',
    query: AuditQueryDto,
    models: [AuditDto, AuditEntryDto],
    response: {
      description: 'Entries of the audit.',
      content: {
        [JSON_TYPE]: { schema: { $ref: '#/components/schemas/AuditDto' } },
        [JSON_LINES_TYPE]: { schema: { $ref: '#/components/schemas/AuditEntryDto' } },
      },
    },
  })
  async list(
    @Query(shapeOf(AuditQueryDto), AuditRequestPipe) query: AuditQuery,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
    @Gone() gone: AbortSignal,
  ): Promise<AuditDto | StreamableFile> {
    if (!isForLines(query, request)) {
      const page = await this.audit.page(query.request, query.limit ?? DEFAULT_LIMIT, gone);
      return this.answer(page, request);
    }
    const lines = await this.streams.begin(caller.tenantId, () => this.lines(query, gone));
    return new StreamableFile(lines, { type: `${JSON_LINES_TYPE}; charset=utf-8` });
  }

  private answer({ entries, next }: AuditPage, request: ApiRequest): AuditDto {
    const links = this.paging.markedLinks(request, next === null ? null : formatCursor(next));
    return { audit: entries.map(toAuditEntryDto), links };
  }

  /** Reads the first entries before the response begins, so that an error still has its status. */
  private async lines({ request, limit }: AuditQuery, gone: AbortSignal): Promise<Readable> {
    const portions = this.audit.portions(request, limit ?? Infinity, gone);
    const first = await portions.next();
    const octets = octetsOf(first.done === true ? [] : first.value, portions);
    return Readable.from(octets, { objectMode: false, highWaterMark: PIECE });
  }
}

/** The query parameter takes precedence over the Accept header. */
function isForLines({ format }: AuditQuery, request: ApiRequest): boolean {
  if (format !== null) return format === 'jsonl';
  return request.accepts([JSON_TYPE, JSON_LINES_TYPE]) === JSON_LINES_TYPE;
}

async function* octetsOf(
  first: readonly AuditEntry[],
  rest: AsyncIterable<readonly AuditEntry[]>,
): AsyncGenerator<Buffer> {
  yield* piecesOf(first);
  for await (const entries of rest) yield* piecesOf(entries);
}

function piecesOf(entries: readonly AuditEntry[]): Iterable<Buffer> {
  return inPieces(Buffer.from(entries.map((entry) => `${JSON.stringify(toAuditEntryDto(entry))}\n`).join('')));
}
