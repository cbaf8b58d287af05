import { Body, Controller, Get, HttpCode, Post, Query, Req, Res, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../common/caller.js';
import { IfMatch, isKnownTag, type Precondition } from '../../http/conditions.js';
import { CurrentCaller, Gone, PathId } from '../../http/decorators.js';
import { Consumes, Produces } from '../../http/bodies/media-types.js';
import { CachedTextResponse } from '../../http/cached-text-response.js';
import type { ApiRequest } from '../../http/request.js';
import { jsonOfDifferences } from '../../history/v1/difference.mapper.js';
import { saying } from '../../records/v1/change-message.mapper.js';
import { recordMapper } from '../../records/v1/record.mapper.js';
import { RecordsOptions } from '../../records/records.options.js';
import { type AnswerKeeping, IdempotentRequests } from '../../http/idempotency-keys/idempotent-requests.js';
import { keepingUnder } from '../../http/idempotency-keys/conditional-keeping.js';
import { asksForSigned, ExportQueryDto, toHistoryPoint } from './dto/export-query.dto.js';
import { asksForDifference, ImportQueryDto, toImportRequest } from './dto/import-query.dto.js';
import { toImportReportDto } from './dto/import-report.dto.js';
import { toZoneCheckDto, type ZoneCheckDto } from './dto/zone-check.dto.js';
import { ZoneCheckService } from '../zone-check.service.js';
import { COMPLETE } from '../export/export-form.js';
import { ZoneExportService } from '../export/zone-export.service.js';
import { zoneFileOf } from '../zone-file.js';
import { ZoneFilesOptions } from '../zone-files.options.js';
import { type TriedImport, ZoneFileComparisonService } from '../import/zone-file-comparison.service.js';
import { type ImportCounts, type ImportRequest, ZoneImportService } from '../import/zone-import.service.js';
import { ApiCheckZone, ApiExportZone, ApiImportZone, ApiZoneFiles } from './zone-files.api.js';

/** The media type of master files, RFC 4027. */
const ZONE_FILE = 'text/dns';

@ApiZoneFiles()
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
  @ApiImportZone()
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
    if (asksForDifference(query)) return this.compare(zoneId, caller, octets, { ...asked, gone, condition });
    const importFile = (keeping: AnswerKeeping<ImportCounts> | null): Promise<ImportCounts> =>
      this.imports.import(
        zoneId,
        caller,
        zoneFileOf(octets, this.options.maxBodySize),
        asked,
        keepingUnder(condition, keeping),
      );
    // What stores nothing may be repeated as it is.
    if (asked.dryRun) return toImportReportDto(asked, await importFile(null));
    return this.answersOnce.give({ request, response }, importFile, (counts) => ({
      body: toImportReportDto(asked, counts),
    }));
  }

  @Get('export')
  @Produces(ZONE_FILE)
  @ApiExportZone()
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
  @ApiCheckZone()
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
    { gone, condition, ...asked }: ImportRequest & Compared,
  ): Promise<StreamableFile> {
    const write = ({ counts, differences }: TriedImport) =>
      jsonOfDifferences(zoneId, recordMapper(this.recordsOptions), differences, toImportReportDto(asked, counts));
    const file = zoneFileOf(octets, this.options.maxBodySize);
    const text = await this.comparisons.compareInWords(zoneId, caller, file, {
      ...{ ...asked, write, gone },
      hook: keepingUnder<ImportCounts>(condition, null),
    });
    return new StreamableFile(text, { type: 'application/json; charset=utf-8' });
  }
}

interface Compared {
  readonly gone: AbortSignal;
  readonly condition: Precondition | null;
}
