import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../common/caller.js';
import { entityTag, IfMatch, type Precondition } from '../../http/conditions.js';
import { CurrentCaller, PathId } from '../../http/decorators.js';
import { Paging } from '../../http/lists/paging.js';
import type { StreamList } from '../../http/lists/stream-list.js';
import { ENTITY_TAG } from '../../http/openapi/headers.js';
import type { ApiRequest } from '../../http/request.js';
import { ApiIfMatch, Operation, Operations } from '../../http/v1/api-docs.js';
import type { TemplateEntity } from '../template.entity.js';
import { TemplatesService } from '../templates.service.js';
import {
  CreateTemplateDto,
  TemplateDto,
  TemplateListDto,
  toTemplateDto,
  UpdateTemplateDto,
} from './dto/template.dto.js';

@Operations('templates')
@Controller('v1/templates')
export class TemplatesController {
  constructor(
    private readonly templates: TemplatesService,
    private readonly paging: Paging,
  ) {}

  @Post()
  @HttpCode(200)
  @Operation({
    summary: 'Create a template',
    response: { type: TemplateDto, headers: ENTITY_TAG },
    errors: ['invalid_object', 'forbidden'],
    bodyErrors: ['duplicate_template', 'over_quota'],
  })
  async create(
    @Body() body: CreateTemplateDto,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TemplateDto> {
    const { name, description = null, records, for_all_tenants: isForAll = false } = body;
    return shown(await this.templates.create({ name, description, records }, isForAll, caller), response);
  }

  @Get()
  @Operation({
    summary: 'List templates',
    description: 'Those that names choose, with the built-in ones.',
    response: TemplateListDto,
  })
  list(@CurrentCaller() caller: Caller, @Req() request: ApiRequest): Promise<StreamList> {
    const source = {
      page: (after: string) => this.templates.page(caller, after),
      knows: () => Promise.resolve(false),
      toDto: toTemplateDto,
    };
    return this.paging.answer('templates', source, {}, request);
  }

  @Get(':template_id')
  @Operation({
    summary: 'Get a template',
    ids: ['template_id'],
    response: { type: TemplateDto, headers: ENTITY_TAG },
    errors: ['template_not_found'],
  })
  async get(
    @PathId('template_id') id: string,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TemplateDto> {
    return shown(await this.templates.get(id, caller), response);
  }

  @Patch(':template_id')
  @Operation({
    summary: 'Change a template',
    description: 'Fields that are left out keep their values. Domains keep their records.',
    ids: ['template_id'],
    parameters: [ApiIfMatch()],
    response: { type: TemplateDto, headers: ENTITY_TAG },
    errors: ['template_not_found', 'change_not_allowed', 'forbidden'],
    bodyErrors: ['invalid_object', 'duplicate_template'],
  })
  async update(
    @PathId('template_id') id: string,
    @Body() body: UpdateTemplateDto,
    @CurrentCaller() caller: Caller,
    @IfMatch() condition: Precondition | null,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TemplateDto> {
    const template = await this.templates.update(id, body, caller, (found) => condition?.assertHolds(tagOf(found)));
    return shown(template, response);
  }

  @Delete(':template_id')
  @Operation({
    summary: 'Delete a template',
    ids: ['template_id'],
    parameters: [ApiIfMatch()],
    response: { description: 'It is deleted; the body is empty. Domains keep their records.' },
    errors: ['template_not_found', 'change_not_allowed', 'forbidden'],
  })
  async delete(
    @PathId('template_id') id: string,
    @CurrentCaller() caller: Caller,
    @IfMatch() condition: Precondition | null,
  ): Promise<string> {
    await this.templates.delete(id, caller, (found) => condition?.assertHolds(tagOf(found)));
    return '';
  }
}

function shown(template: TemplateEntity, response: Response): TemplateDto {
  response.setHeader('ETag', tagOf(template));
  return toTemplateDto(template);
}

function tagOf({ createdAt, updatedAt }: TemplateEntity): string {
  return entityTag(0, updatedAt ?? createdAt);
}
