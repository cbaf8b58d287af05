import { applyDecorators, Body, Controller, Get, Param, Patch, Req } from '@nestjs/common';
import type { CollectionQuery } from '../../../common/collection-query.js';
import { readField, ServiceError } from '../../../common/service-error.js';
import { canonicalUuid } from '../../../common/uuid.js';
import { NameError } from '../../../dns/name.js';
import { parseDomainName } from '../../../dns/owner-name.js';
import { HttpError } from '../../../http/errors/http-error.js';
import type { ApiRequest } from '../../../http/request.js';
import { V2Links } from '../../../http/v2/collection.js';
import { V2Query, type CollectionRules } from '../../../http/v2/parameters.js';
import { UpdateFloatingIpDto, FloatingIpDto, FloatingIpListDto } from './dto/floating-ip.dto.js';
import { ApiParam } from '../../../http/openapi/decorators.js';
import { ApiV2Errors, V2Operation, V2Operations } from '../../../http/v2/api-docs.js';

const FLOATING_IP_LIST: CollectionRules = {
  filters: [],
  sortKeys: { created_at: 'created_at', id: 'id', updated_at: 'updated_at' },
};

/** Schema of success responses, which generated clients need. */
const NEVER = 'There is none without Neutron: 404.';

const REGION = /^[^:/]{1,255}$/;

function ApiFloatingIpId(): MethodDecorator {
  return applyDecorators(
    ApiParam({ name: 'floatingip_id', type: String, description: '`<region>:<uuid>`' }),
    ApiV2Errors('bad_request', 'floating_ip_not_found'),
  );
}

/** Answers like a service without floating IPs, but validates requests. */
@V2Operations('floating IPs')
@Controller('v2/reverse/floatingips')
export class FloatingIpsController {
  constructor(private readonly links: V2Links) {}

  @Get()
  @V2Operation({
    summary: 'List PTR records of floating IPs',
    description: 'There are none without Neutron.',
    list: FLOATING_IP_LIST,
    response: FloatingIpListDto,
  })
  list(@V2Query(FLOATING_IP_LIST) _query: CollectionQuery, @Req() request: ApiRequest): object {
    return this.links.collectionOf('floatingips', { rows: [], hasNext: false }, () => ({}), request);
  }

  @Get(':floatingip_id')
  @V2Operation({
    summary: 'Get the PTR record of a floating IP',
    description: NEVER,
    parameters: [ApiFloatingIpId()],
    response: FloatingIpDto,
  })
  get(@Param('floatingip_id') id: string): never {
    throw notFound(id);
  }

  @Patch(':floatingip_id')
  @V2Operation({
    summary: 'Set or remove the PTR record of a floating IP',
    description: NEVER,
    parameters: [ApiFloatingIpId()],
    response: { status: 202, type: FloatingIpDto },
    bodyErrors: [],
  })
  update(@Param('floatingip_id') id: string, @Body() { ptrdname }: UpdateFloatingIpDto): never {
    if (ptrdname !== null) assertName(ptrdname);
    throw notFound(id);
  }
}

function notFound(id: string): ServiceError {
  const [region = '', uuid = '', ...others] = id.split(':');
  if (others.length > 0 || !REGION.test(region) || canonicalUuid(uuid) === null)
    throw new HttpError('bad_request', 'A floating IP is named by <region>:<uuid>.');
  return new ServiceError('floating_ip_not_found', 'There is no such floating IP: this service does not ask Neutron.');
}

function assertName(ptrdname: string): void {
  readField('ptrdname', NameError, () => parseDomainName(ptrdname));
}
