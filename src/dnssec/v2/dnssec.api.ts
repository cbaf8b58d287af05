import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiParam } from '../../http/openapi/decorators.js';
import { ApiV2Body, ApiV2Errors, ApiV2Id, ApiV2Operations } from '../../http/v2/api-docs.js';
import { DnssecDto } from '../forms/dnssec.dto.js';

/** The API description of DNSSEC in version 2, apart from the controller, so that its methods stay readable. */
export const ApiZoneDnssec = () => applyDecorators(ApiV2Operations('dnssec'));

const ofZone = (operationId: string, summary: string) =>
  applyDecorators(
    ApiOperation({ operationId, summary }),
    ApiV2Id('zone_id', 'zone_not_found'),
    ApiOkResponse({ type: DnssecDto }),
  );

export const ApiGetZoneDnssec = () =>
  ofZone('getZoneDnssec', 'Show whether a zone is signed, with which keys, and what is waited for');

export const ApiUpdateZoneDnssec = () =>
  applyDecorators(
    ofZone('updateZoneDnssec', 'Have a zone signed, or not signed any more'),
    ApiV2Body('signing_conflict', 'secondary_zone'),
  );

export const ApiNoteParentOfZone = () =>
  applyDecorators(ofZone('noteParentOfZoneDnssec', 'Say what DS the parent zone has'), ApiV2Body('signing_conflict'));

export const ApiResignZone = () =>
  applyDecorators(
    ofZone('resignZoneDnssec', 'Have all signatures of a zone made anew'),
    ApiBody({ schema: { type: 'object' }, required: false, description: 'None is needed.' }),
    ApiV2Body('signing_conflict'),
  );

export const ApiRollZone = () =>
  applyDecorators(
    ofZone('createZoneDnssecRollover', 'Have a new key take the place of another'),
    ApiV2Body('signing_conflict'),
  );

export const ApiCancelZoneRoll = () =>
  applyDecorators(
    ofZone('deleteZoneDnssecRollover', 'Stop a rollover, as long as the DS of the new key has not been asked for'),
    ApiParam({ name: 'rollover_id', type: String, format: 'uuid' }),
    ApiV2Errors('signing_conflict'),
  );
