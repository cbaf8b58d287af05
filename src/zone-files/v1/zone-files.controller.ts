import { Body, Controller, Get, HttpCode, Post, Query, Req, Res, StreamableFile } from '@nestjs/common';
import { Readable } from 'node:stream';
import type { Response } from 'express';
import type { Caller } from '../../common/caller.js';
import { IfMatch, isKnownTag, type Precondition } from '../../http/conditions.js';
import { CurrentCaller, Gone, PathId } from '../../http/decorators.js';
import { Consumes, Produces } from '../../http/bodies/media-types.js';
import { CachedTextResponse } from '../../http/custom-responses.js';
import type { ApiRequest } from '../../http/request.js';
import { jsonOfDifferences } from '../../history/v1/difference.mapper.js';
import { saying } from '../../records/v1/change-message.mapper.js';
import { asksForFindings } from '../../records/v1/query-parameters.mapper.js';
import { recordMapper } from '../../records/v1/record.mapper.js';
import { RecordsOptions } from '../../records/records.options.js';
import {
  type AnswerKeeping,
  IdempotentRequests,
  keepingUnder,
} from '../../http/idempotency-keys/idempotent-requests.js';
import {
  asksForSigned,
  ExportQueryDto,
  toHistoryPoint,
  asksForDifference,
  ImportQueryDto,
  toImportRequest,
  toImportReportDto,
  ImportReportDto,
  toZoneCheckDto,
  ZoneCheckDto,
} from './dto/zone-files.dto.js';
import { ZoneCheckService } from '../zone-check.service.js';
import { COMPLETE } from '../export/export-form.js';
import { ZoneExportService } from '../export/zone-export.service.js';
import { zoneFileOf } from '../zone-file.js';
import { ZoneFilesOptions } from '../zone-files.options.js';
import { type TriedImportText, ZoneFileComparisonService } from '../import/zone-file-comparison.service.js';
import { type ImportCounts, type ImportRequest, ZoneImportService } from '../import/zone-import.service.js';
import { ApiIfNoneMatch, ENTITY_TAG } from '../../http/openapi/headers.js';
import { ApiIdempotencyKey, ApiIfMatch, Operation, Operations } from '../../http/v1/api-docs.js';

const EXAMPLE = `$TTL 3600
www     IN A     192.0.2.3
        IN AAAA  2001:db8::3
@       IN MX    10 mail
mail    IN A     192.0.2.25
`;

const RECORD = {
  id: '019aa5f4-9c1e-7b3a-8000-3f0c1f1a2b4d',
  name: 'www.example.org.',
  type: 'A',
  created_at: '2026-11-20T08:30:00.123456',
  updated_at: null,
  ttl: null,
  data: '192.0.2.3',
  domain_id: '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4',
  priority: null,
  description: null,
};

const COUNTS = { created: 0, updated: 1, unchanged: 30, removed: 0, skipped: 2, repairs: [] };

const DIFFERENCE = {
  action: 'update',
  before: RECORD,
  after: { ...RECORD, updated_at: '2026-11-22T09:00:00.654321', ttl: 300 },
};

const REPORTS = {
  import: { summary: 'Stored', value: { mode: 'merge', dry_run: false, ...COUNTS } },
  diff: {
    summary: 'A dry run with diff=true',
    value: { mode: 'merge', dry_run: true, ...COUNTS, diff: [DIFFERENCE] },
  },
};

/** Media type of master files (RFC 4027). */
const ZONE_FILE = 'text/dns';

@Operations('zone files', { ids: ['domain_id'], errors: ['zone_not_found'] })
@Controller(['v1/domains/:domain_id', 'domains/:domain_id'])
export class ZoneFilesController {
  constructor(
    private readonly imports: ZoneImportService,
    private readonly comparisons: ZoneFileComparisonService,
    private readonly answersOnce: IdempotentRequests,
    private readonly exports: ZoneExportService,
    private readonly checks: ZoneCheckService,
    private readonly options: ZoneFilesOptions,
    private readonly recordsOptions: RecordsOptions,
  ) {}

  @Post('import')
  @HttpCode(200)
  @Consumes(ZONE_FILE)
  @Operation({
    id: 'importZone',
    summary: 'Import a zone file',
    description:
      'One change, all or nothing. A refusal lists the errors of every line. `$INCLUDE` is refused, `$GENERATE` is bounded.' +
      ' With `dry_run=true&diff=true` nothing is stored, and the records that would change are listed;' +
      ' with `findings=true` also the problems that the domain would have.',
    consumes: 'text/dns',
    requestBody: { schema: { type: 'string' }, examples: { zone: { value: EXAMPLE } } },
    parameters: [ApiIdempotencyKey(), ApiIfMatch()],
    response: { type: ImportReportDto, examples: REPORTS },
    errors: ['invalid_object', 'request_in_progress', 'over_quota'],
    bodyErrors: [],
  })
  async import(
    @PathId('domain_id') zoneId: string,
    @Query() query: ImportQueryDto,
    @Body() octets: Buffer,
    @CurrentCaller() requester: Caller,
    @IfMatch() condition: Precondition | null,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
    @Gone() gone: AbortSignal,
  ): Promise<object> {
    const asked = toImportRequest(query);
    const caller = saying(query.message, requester);
    const shows = { lists: asksForDifference(query), checks: asksForFindings(query.findings, query.dry_run) };
    if (shows.lists || shows.checks)
      return this.compare(zoneId, caller, octets, { ...asked, ...shows, gone, condition });
    const importFile = (keeping: AnswerKeeping<ImportCounts> | null): Promise<ImportCounts> =>
      this.imports.import(
        zoneId,
        caller,
        zoneFileOf(octets, this.options.maxBodySize),
        asked,
        keepingUnder(condition, keeping),
      );
    // A request that stores nothing may be repeated.
    if (asked.dryRun) return toImportReportDto(asked, await importFile(null));
    return this.answersOnce.give({ request, response }, importFile, (counts) => ({
      body: toImportReportDto(asked, counts),
    }));
  }

  @Get('export')
  @Produces(ZONE_FILE)
  @Operation({
    id: 'exportZone',
    summary: 'Export a zone file',
    description:
      'SOA and apex NS first, then all names in canonical order, all of them as of one moment: now, or that of `serial` or `at`.',
    produces: 'text/dns',
    parameters: [ApiIfNoneMatch()],
    response: { schema: { type: 'string' }, headers: ENTITY_TAG },
    errors: ['invalid_object', 'serial_not_found', 'over_quota', 'signing_conflict'],
  })
  async export(
    @PathId('domain_id') zoneId: string,
    @Query() query: ExportQueryDto,
    @CurrentCaller() caller: Caller,
    @Gone() gone: AbortSignal,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CachedTextResponse> {
    const isKnown = (tag: string): boolean => isKnownTag(response, tag);
    const text = asksForSigned(query)
      ? await this.exports.exportSignedUnlessKnown({ zoneId, isKnown }, caller, gone)
      : await this.exports.exportUnlessKnown(
          { zoneId, moment: toHistoryPoint(query), form: COMPLETE, isKnown },
          caller,
          gone,
        );
    return new CachedTextResponse(ZONE_FILE, text);
  }

  @Get('check')
  @Operation({ id: 'checkZone', summary: 'Check a domain as name servers do', response: ZoneCheckDto })
  async check(
    @PathId('domain_id') zoneId: string,
    @CurrentCaller() caller: Caller,
    @Gone() gone: AbortSignal,
  ): Promise<ZoneCheckDto> {
    return toZoneCheckDto(await this.checks.check(zoneId, caller, gone));
  }

  private async compare(
    zoneId: string,
    caller: Caller,
    octets: Buffer,
    { gone, condition, lists, checks, ...asked }: ImportRequest & Compared,
  ): Promise<StreamableFile> {
    const write: TriedImportText['write'] = ({ counts, findings, differences }) => {
      const report = toImportReportDto(asked, counts, findings);
      if (!lists) return Readable.from([JSON.stringify(report)]);
      return jsonOfDifferences(zoneId, recordMapper(this.recordsOptions), differences, report);
    };
    const file = zoneFileOf(octets, this.options.maxBodySize);
    const text = await this.comparisons.compareInWords(zoneId, caller, file, {
      ...{ ...asked, write, checks, gone },
      hook: keepingUnder<ImportCounts>(condition, null),
    });
    return new StreamableFile(text, { type: 'application/json; charset=utf-8' });
  }
}

interface Compared {
  /** Whether to list the differences. */
  readonly lists: boolean;
  readonly checks: boolean;
  readonly gone: AbortSignal;
  readonly condition: Precondition | null;
}
