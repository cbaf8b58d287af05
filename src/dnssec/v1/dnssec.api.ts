import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiSecurity, ApiTags } from '../../http/openapi/decorators.js';
import { ApiAdminHeaders, ApiErrors } from '../../http/v1/api-docs.js';
import { DnssecDto } from './dto/dnssec.dto.js';

/** The API description of DNSSEC, apart from the controller, so that its methods stay readable. */
export const ApiDnssec = () =>
  applyDecorators(
    ApiTags('dnssec'),
    ApiSecurity('token'),
    ApiAdminHeaders(),
    ApiErrors('access_denied', 'zone_not_found', 'unsupported_accept', 'rate_limited', 'unknown', 'unavailable'),
    ApiParam({ name: 'domain_id', type: String, format: 'uuid' }),
  );

export const ApiGetDnssec = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'getDnssec',
      summary: 'Show whether a domain is signed, with which keys, and what is waited for',
    }),
    ApiOkResponse({ type: DnssecDto }),
  );

export const ApiUpdateDnssec = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'updateDnssec',
      summary: 'Have a domain signed, or not signed any more',
      description:
        'The answer does not wait for signatures. What is left out is as the configuration says. Signing ends at once as' +
        ' long as no DS can have been set.',
    }),
    ApiErrors('invalid_object', 'forbidden', 'signing_conflict', 'secondary_zone'),
    ApiOkResponse({ type: DnssecDto }),
  );
