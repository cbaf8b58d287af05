import { Body, Controller, Get, Param, Patch, Req } from '@nestjs/common';
import type { CollectionQuery } from '../../../common/collection-query.js';
import { readField } from '../../../common/read-field.js';
import { ServiceError } from '../../../common/service-error.js';
import { canonicalUuid } from '../../../common/uuid.js';
import { NameError } from '../../../dns/name.js';
import { parseDomainName } from '../../../dns/owner-name.js';
import { HttpError } from '../../../http/errors/http-error.js';
import type { ApiRequest } from '../../../http/request.js';
import { ApiV2Operations } from '../../../http/v2/api-docs.js';
import { V2Links } from '../../../http/v2/collection.js';
import { V2Query } from '../../../http/v2/collection-query.js';
import { UpdateFloatingIpDto } from './dto/floating-ip.dto.js';
import { ApiGetFloatingIp, ApiListFloatingIps, ApiUpdateFloatingIp, FLOATING_IP_LIST } from './floating-ips.api.js';

const REGION = /^[^:/]{1,255}$/;

/** Answers as a service does that knows of no floating IP: what is right about a request is checked all the same. */
@ApiV2Operations('floating IPs')
@Controller('v2/reverse/floatingips')
export class FloatingIpsController {
  constructor(private readonly links: V2Links) {}

  @Get()
  @ApiListFloatingIps()
  list(@V2Query(FLOATING_IP_LIST) _query: CollectionQuery, @Req() request: ApiRequest): object {
    return this.links.collectionOf('floatingips', { entries: [], next: null, total: null }, request);
  }

  @Get(':floatingip_id')
  @ApiGetFloatingIp()
  get(@Param('floatingip_id') id: string): never {
    throw notFound(id);
  }

  @Patch(':floatingip_id')
  @ApiUpdateFloatingIp()
  update(@Param('floatingip_id') id: string, @Body() { ptrdname }: UpdateFloatingIpDto): never {
    if (ptrdname !== null) assertName(ptrdname);
    throw notFound(id);
  }
}

/** @throws HttpError `bad_request` for what is no id of a floating IP */
function notFound(id: string): ServiceError {
  const [region = '', uuid = '', ...others] = id.split(':');
  if (others.length > 0 || !REGION.test(region) || canonicalUuid(uuid) === null)
    throw new HttpError('bad_request', 'A floating IP is named by <region>:<uuid>.');
  return new ServiceError('floating_ip_not_found', 'There is no such floating IP: this service does not ask Neutron.');
}

function assertName(ptrdname: string): void {
  readField('ptrdname', NameError, () => parseDomainName(ptrdname));
}
