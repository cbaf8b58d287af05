import { Body, Controller, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../common/caller.js';
import { IsBoolean } from '../../http/bodies/class-validator.js';
import { TextField } from '../../http/bodies/dto-fields.js';
import { type BooleanParameter, IsBooleanParameter, MayBeAbsent } from '../../http/bodies/field-decorators.js';
import { IfMatch, type Precondition } from '../../http/conditions.js';
import { CurrentCaller, PathId } from '../../http/decorators.js';
import {
  type AnswerKeeping,
  IdempotentRequests,
  keepingUnder,
} from '../../http/idempotency-keys/idempotent-requests.js';
import { ApiProperty, ApiPropertyOptional } from '../../http/openapi/decorators.js';
import type { ApiRequest } from '../../http/request.js';
import { untilAnswered } from '../../http/request-lifetime.js';
import { ApiIdempotencyKey, ApiIfMatch, Operation, Operations } from '../../http/v1/api-docs.js';
import type { ChangeResult } from '../../records/changes/change-request.js';
import { RecordsOptions } from '../../records/records.options.js';
import { DoneChangeSetDto, toDoneChangeSetDto } from '../../records/v1/done-change-set.mapper.js';
import { recordMapper } from '../../records/v1/record.mapper.js';
import { TemplateApplication, type TemplateConflict } from '../template-application.js';
import { lineOf } from '../template.entity.js';

class ApplyTemplateDto {
  @TextField({ maxLength: 63, example: 'no-mail', description: 'The name of a template.' })
  template!: string;

  @ApiPropertyOptional({ example: false, description: 'Replace the records that contradict those of the template.' })
  @MayBeAbsent()
  @IsBoolean()
  replace?: boolean;
}

class ApplyTemplateQueryDto {
  @IsBooleanParameter('Show the plan, but store nothing.')
  dry_run?: BooleanParameter;
}

/** Bounds the answer: a name may have thousands of records of 64 KiB. */
const SHOWN = 5;
const LONGEST_SHOWN = 255;

class TemplateConflictDto {
  @ApiProperty({ example: 'example.org.' })
  name!: string;

  @ApiProperty({ example: 'MX' })
  type!: string;

  @ApiProperty({ type: [String], example: ['.'], description: 'The data of the template.' })
  template!: readonly string[];

  @ApiProperty({
    type: [String],
    example: ['MX 10 mail.old.example.'],
    description: `Records of the domain that contradict it: the first ${SHOWN}, of ${LONGEST_SHOWN} characters at most.`,
  })
  existing!: readonly string[];

  @ApiProperty({ type: 'integer', example: 1, description: 'How many contradict it.' })
  existing_count!: number;
}

class AppliedTemplateDto extends DoneChangeSetDto {
  @ApiProperty({
    type: [TemplateConflictDto],
    description: 'What the domain has instead: left alone, or replaced with `replace`.',
  })
  conflicts!: TemplateConflictDto[];
}

@Operations('templates', { ids: ['domain_id'] })
@Controller('v1/domains/:domain_id/template')
export class TemplateApplicationController {
  constructor(
    private readonly templates: TemplateApplication,
    private readonly answersOnce: IdempotentRequests,
    private readonly options: RecordsOptions,
  ) {}

  @Post()
  @HttpCode(200)
  @Operation({
    id: 'applyTemplate',
    summary: 'Apply a template to a domain',
    description:
      'Adds the records that the domain lacks, in one change. Records that contradict the template are left alone and' +
      ' listed in `conflicts`, unless `replace` is true.',
    parameters: [ApiIdempotencyKey(), ApiIfMatch()],
    response: AppliedTemplateDto,
    errors: ['invalid_object', 'invalid_location', 'zone_not_found', 'over_quota'],
    bodyErrors: ['duplicate_record', 'request_in_progress'],
  })
  async apply(
    @PathId('domain_id') zoneId: string,
    @Query() { dry_run }: ApplyTemplateQueryDto,
    @Body() { template, replace: replaces = false }: ApplyTemplateDto,
    @CurrentCaller() caller: Caller,
    @IfMatch() condition: Precondition | null,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const isDryRun = dry_run === 'true';
    const prepared = await this.templates.prepare(zoneId, template, caller, replaces);
    const keepMemory = untilAnswered(response);
    const apply = (keeping: AnswerKeeping<ChangeResult> | null): Promise<ChangeResult> =>
      prepared.apply({ isDryRun, hook: keepingUnder(condition, keeping), keepMemory });
    const form = recordMapper(this.options);
    const show = (done: ChangeResult): AppliedTemplateDto => ({
      ...toDoneChangeSetDto(zoneId, done, form),
      conflicts: prepared.conflicts.map(toConflictDto),
    });
    if (isDryRun) return show(await apply(null));
    return this.answersOnce.give({ request, response }, apply, (done) => ({ body: show(done) }));
  }
}

function toConflictDto({ wanted, existing }: TemplateConflict): TemplateConflictDto {
  const [{ name, type } = { name: '', type: '' }] = wanted;
  return {
    ...{ name, type, template: wanted.map(({ data }) => data), existing_count: existing.length },
    existing: existing.slice(0, SHOWN).map((record) => lineOf(record).slice(0, LONGEST_SHOWN)),
  };
}
