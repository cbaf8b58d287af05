import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiResponse } from '../../../http/openapi/decorators.js';
import { ApiV2Body, ApiV2Collection, ApiV2Errors } from '../../../http/v2/api-docs.js';
import type { CollectionRules } from '../../../http/v2/collection-query.js';
import { FloatingIpDto, FloatingIpListDto } from './dto/floating-ip.dto.js';

export const FLOATING_IP_LIST: CollectionRules = {
  filters: [],
  sortKeys: { created_at: 'created_at', id: 'id', updated_at: 'updated_at' },
};

/** The answers of success are the original's: clients that are generated need a type for them. */
const NEVER = 'There is none without Neutron: 404.';

const ApiFloatingIpId = () =>
  applyDecorators(
    ApiParam({ name: 'floatingip_id', type: String, description: '`<region>:<uuid>`' }),
    ApiV2Errors('bad_request', 'floating_ip_not_found'),
  );

export const ApiListFloatingIps = () =>
  applyDecorators(
    ApiOperation({ summary: 'List PTR records of floating IPs', description: 'There are none without Neutron.' }),
    ApiOkResponse({ type: FloatingIpListDto }),
    ApiV2Collection(FLOATING_IP_LIST),
  );

export const ApiGetFloatingIp = () =>
  applyDecorators(
    ApiOperation({ summary: 'Get the PTR record of a floating IP', description: NEVER }),
    ApiOkResponse({ type: FloatingIpDto }),
    ApiFloatingIpId(),
  );

export const ApiUpdateFloatingIp = () =>
  applyDecorators(
    ApiOperation({ summary: 'Set or remove the PTR record of a floating IP', description: NEVER }),
    ApiResponse({ status: 202, type: FloatingIpDto }),
    ApiFloatingIpId(),
    ApiV2Body(),
  );
