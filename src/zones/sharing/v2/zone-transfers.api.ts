import { applyDecorators } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiResponse } from '../../../http/openapi/decorators.js';
import { ApiV2Body, ApiV2Collection, ApiV2Errors, ApiV2Id, V2_LOCATION } from '../../../http/v2/api-docs.js';
import type { CollectionRules } from '../../../http/v2/collection-query.js';
import { TransferAcceptDto, TransferAcceptListDto } from './dto/transfer-accept.dto.js';
import { TransferRequestDto, TransferRequestListDto } from './dto/transfer-request.dto.js';

export const REQUEST_LIST: CollectionRules = {
  filters: ['status'],
  sortKeys: { created_at: 'created_at', id: 'id', updated_at: 'updated_at' },
};

export const ACCEPT_LIST: CollectionRules = {
  filters: ['status'],
  sortKeys: { created_at: 'created_at', id: 'id', updated_at: 'created_at' },
};

export const ApiCreateTransferRequest = () =>
  applyDecorators(
    ApiOperation({
      summary: 'Offer a zone to another project',
      description: 'The answer has a key, which the other project needs. The body may be left out.',
    }),
    ApiV2Id('zone_id', 'zone_not_found'),
    ApiV2Body('duplicate_transfer_request'),
    ApiResponse({ status: 201, type: TransferRequestDto, headers: V2_LOCATION, description: 'It is offered.' }),
  );

export const ApiListTransferRequests = () =>
  applyDecorators(
    ApiOperation({
      summary: 'List transfer requests',
      description: 'Those that the project made, and those made for it alone.',
    }),
    ApiV2Collection(REQUEST_LIST),
    ApiOkResponse({ type: TransferRequestListDto }),
  );

export const ApiGetTransferRequest = () =>
  applyDecorators(
    ApiOperation({ summary: 'Get a transfer request' }),
    ApiV2Id('request_id', 'transfer_request_not_found'),
    ApiOkResponse({ type: TransferRequestDto }),
  );

export const ApiUpdateTransferRequest = () =>
  applyDecorators(
    ApiOperation({ summary: 'Update a transfer request', description: 'Fields that are left out keep their values.' }),
    ApiV2Id('request_id', 'transfer_request_not_found'),
    ApiV2Body(),
    ApiOkResponse({ type: TransferRequestDto }),
  );

export const ApiDeleteTransferRequest = () =>
  applyDecorators(
    ApiOperation({ summary: 'Delete a transfer request', description: 'Its acceptance is deleted with it.' }),
    ApiV2Id('request_id', 'transfer_request_not_found'),
    ApiNoContentResponse({ description: 'It is deleted.' }),
  );

export const ApiCreateTransferAccept = () =>
  applyDecorators(
    ApiOperation({
      summary: 'Accept a zone that was offered',
      description: 'With the key of the offer, which is used once.',
    }),
    ApiV2Body('invalid_transfer_request', 'invalid_transfer_key', 'inside_foreign_zone', 'contains_foreign_zone'),
    ApiV2Errors('transfer_request_not_found', 'zone_not_found', 'over_quota'),
    ApiResponse({ status: 201, type: TransferAcceptDto, headers: V2_LOCATION, description: 'It is accepted.' }),
  );

export const ApiListTransferAccepts = () =>
  applyDecorators(
    ApiOperation({ summary: 'List accepted zones', description: 'For admins.' }),
    ApiV2Collection(ACCEPT_LIST),
    ApiOkResponse({ type: TransferAcceptListDto }),
  );

export const ApiGetTransferAccept = () =>
  applyDecorators(
    ApiOperation({ summary: 'Get the acceptance of a zone' }),
    ApiV2Id('accept_id', 'transfer_accept_not_found'),
    ApiOkResponse({ type: TransferAcceptDto }),
  );
