import { ApiParam } from '../../http/openapi/decorators.js';
import { OPTIONAL_BODY } from '../../http/openapi/operation.js';
import { V2Operation, V2Operations } from '../../http/v2/api-docs.js';
import { V2Id } from '../../http/v2/parameters.js';
import { dnssecController } from '../forms/dnssec.controller.js';
import { DnssecDto } from '../forms/dnssec.dto.js';
import { KeyRequestDto } from '../forms/offline-key.dto.js';

const COMMON = { ids: { zone_id: 'zone_not_found' }, response: DnssecDto } as const;

export const ZoneDnssecController = dnssecController({
  paths: 'v2/zones/:zone_id/dnssec',
  tag: V2Operations('dnssec'),
  Id: V2Id,
  zoneId: 'zone_id',
  get: V2Operation({
    ...COMMON,
    id: 'getZoneDnssec',
    summary: 'Show whether a zone is signed, with which keys, and the next condition',
  }),
  update: V2Operation({
    ...COMMON,
    id: 'updateZoneDnssec',
    summary: 'Have a zone signed, or not signed any more',
    bodyErrors: ['signing_conflict', 'secondary_zone'],
  }),
  roll: V2Operation({
    ...COMMON,
    id: 'createZoneDnssecRollover',
    summary: 'Have a new key take the place of another',
    bodyErrors: ['signing_conflict'],
  }),
  cancelRoll: V2Operation({
    ...COMMON,
    id: 'deleteZoneDnssecRollover',
    summary: 'Stop a rollover, as long as the DS of the new key has not been asked for',
    parameters: [ApiParam({ name: 'rollover_id', type: String, format: 'uuid' })],
    errors: ['signing_conflict'],
  }),
  resign: V2Operation({
    ...COMMON,
    id: 'resignZoneDnssec',
    summary: 'Have all signatures of a zone made anew',
    requestBody: OPTIONAL_BODY,
    bodyErrors: ['signing_conflict'],
  }),
  noteParent: V2Operation({
    ...COMMON,
    id: 'noteParentOfZoneDnssec',
    summary: 'Say what DS the parent zone has',
    bodyErrors: ['signing_conflict'],
  }),
  requestKeys: V2Operation({
    ...COMMON,
    id: 'getKeyRequestOfZoneDnssec',
    summary: 'Show what the offline KSK of a zone has to sign',
    response: KeyRequestDto,
    errors: ['signing_conflict'],
  }),
  respond: V2Operation({
    ...COMMON,
    id: 'createKeyResponseOfZoneDnssec',
    summary: 'Store signatures of the offline KSK of a zone',
    bodyErrors: ['signing_conflict'],
  }),
});
