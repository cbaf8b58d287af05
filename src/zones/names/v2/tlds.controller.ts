import { Controller } from '@nestjs/common';
import { AdminOnly } from '../../../auth/access.decorators.js';
import { V2Operations } from '../../../http/v2/api-docs.js';
import { resourceController } from '../../../http/v2/resource-controller.js';
import { TldsService } from '../tlds.service.js';
import { CreateTldDto, fieldsOfTld, TldDto, TldListDto, UpdateTldDto } from './dto/zone-name-rules.dto.js';

@V2Operations('TLDs')
@AdminOnly()
@Controller('v2/tlds')
export class TldsController extends resourceController(TldsService, {
  path: 'tlds',
  one: 'a TLD',
  many: 'TLDs',
  id: 'tld_id',
  list: {
    filters: ['name'],
    sortKeys: { created_at: 'created_at', id: 'id', updated_at: 'updated_at', name: 'name' },
  },
  dto: TldDto,
  listDto: TldListDto,
  createDto: CreateTldDto,
  updateDto: UpdateTldDto,
  toNew: (body) => body,
  toChanges: (body) => body,
  fieldsOf: fieldsOfTld,
  notFound: 'tld_not_found',
  duplicate: 'duplicate_tld',
}) {}
