import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiParam, ApiSecurity, ApiTags } from '../../http/openapi/decorators.js';
import { ApiAdminHeaders, ApiErrors } from '../../http/v1/api-docs.js';
import { DnssecDto } from '../forms/dnssec.dto.js';

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
        ' long as no DS can have been set; otherwise when its removal has been said and caches do not have it any more.',
    }),
    ApiErrors('invalid_object', 'forbidden', 'signing_conflict', 'secondary_zone'),
    ApiErrors('payload_too_large', 'unsupported_content_type'),
    ApiOkResponse({ type: DnssecDto }),
  );

export const ApiNoteParent = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'noteParentOfDnssec',
      summary: 'Say what DS the parent zone has',
      description:
        '`published`: it has a DS of the domain. `removed`: no name server of it has any; a domain that is to be unsigned' +
        ' is so when caches do not have the DS any more. It is for parents that the service cannot look at: what it has seen' +
        ' to be otherwise is refused, and looked at again at once.',
    }),
    ApiErrors('invalid_object', 'forbidden', 'signing_conflict'),
    ApiErrors('payload_too_large', 'unsupported_content_type'),
    ApiOkResponse({ type: DnssecDto }),
  );

export const ApiResign = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'resignDnssec',
      summary: 'Have all signatures of a domain made anew',
      description: 'Also of a domain whose signing was halted, once somebody has seen to what was wrong.',
    }),
    ApiBody({ schema: { type: 'object' }, required: false, description: 'None is needed.' }),
    ApiErrors('invalid_object', 'forbidden', 'signing_conflict'),
    ApiErrors('payload_too_large', 'unsupported_content_type'),
    ApiOkResponse({ type: DnssecDto }),
  );

export const ApiRoll = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'createDnssecRollover',
      summary: 'Have a new key take the place of another',
      description:
        'Each step begins when every name server has the one before, and caches have nothing of what was there before.' +
        ' Before the old KSK or CSK goes, the parent zone has to have the DS of the new one in its place. `algorithm` has keys of' +
        ' another algorithm take the place of all keys (RFC 6781 §4.1.4).',
    }),
    ApiErrors('invalid_object', 'forbidden', 'signing_conflict'),
    ApiErrors('payload_too_large', 'unsupported_content_type'),
    ApiOkResponse({ type: DnssecDto }),
  );

export const ApiCancelRoll = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'deleteDnssecRollover',
      summary: 'Stop a rollover, as long as the DS of the new key has not been asked for',
    }),
    ApiParam({ name: 'rollover_id', type: String, format: 'uuid' }),
    ApiErrors('forbidden', 'signing_conflict'),
    ApiOkResponse({ type: DnssecDto }),
  );
