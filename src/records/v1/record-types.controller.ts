import { hash } from 'node:crypto';
import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { RecordTypes } from '../../dns/rdata/index.js';
import { ApiListRecordTypes, ApiRecordTypes } from './record-types.api.js';
import { type RecordTypesDto, toRecordTypesDto } from './record-types.mapper.js';

interface Answer {
  readonly body: RecordTypesDto;
  readonly entityTag: string;
}

/** What records may be made of, for programs that make forms (behaviour 4.8). */
@ApiRecordTypes()
@Controller('v1/record-types')
export class RecordTypesController {
  /** It stays as it is while the service runs, and is made when somebody asks. */
  private answer: Answer | null = null;

  constructor(private readonly types: RecordTypes) {}

  @Get()
  @ApiListRecordTypes()
  list(@Res({ passthrough: true }) response: Response): RecordTypesDto {
    const { body, entityTag } = (this.answer ??= answerOf(this.types));
    response.setHeader('ETag', entityTag);
    return body;
  }
}

function answerOf(types: RecordTypes): Answer {
  const body = toRecordTypesDto(types);
  return { body, entityTag: `"${hash('sha256', JSON.stringify(body), 'base64url').slice(0, 22)}"` };
}
