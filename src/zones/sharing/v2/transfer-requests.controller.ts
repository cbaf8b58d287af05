import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../../common/caller.js';
import type { CollectionQuery } from '../../../common/collection-query.js';
import { BodyOptional } from '../../../http/bodies/media-types.js';
import { CurrentCaller } from '../../../http/decorators.js';
import type { ApiRequest } from '../../../http/request.js';
import { V2Query, type CollectionRules, V2Id } from '../../../http/v2/parameters.js';
import { V2Links } from '../../../http/v2/collection.js';
import type { OwnershipTransferRequest } from '../ownership-transfer.repository.js';
import { OwnershipTransfersService } from '../ownership-transfers.service.js';
import {
  toOwnershipOffer,
  TransferOfferDto,
  toTransferRequestDto,
  TransferRequestDto,
  TransferRequestListDto,
} from './dto/ownership-transfer.dto.js';
import { V2_LOCATION, V2Operation, V2Operations } from '../../../http/v2/api-docs.js';

const REQUEST_LIST: CollectionRules = {
  filters: ['status'],
  sortKeys: { created_at: 'created_at', id: 'id', updated_at: 'updated_at' },
};

@V2Operations('zone transfers')
@Controller('v2/zones')
export class TransferRequestsController {
  constructor(
    private readonly transfers: OwnershipTransfersService,
    private readonly links: V2Links,
  ) {}

  @Post(':zone_id/tasks/transfer_requests')
  @BodyOptional()
  @V2Operation({
    summary: 'Offer a zone to another project',
    description: 'The answer has a key, which the other project needs. The body may be left out.',
    ids: { zone_id: 'zone_not_found' },
    response: { status: 201, type: TransferRequestDto, headers: V2_LOCATION, description: 'It is offered.' },
    bodyErrors: ['duplicate_transfer_request'],
  })
  async create(
    @V2Id('zone_id') zoneId: string,
    @Body() body: TransferOfferDto,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TransferRequestDto> {
    const offered = await this.transfers.offer(zoneId, caller, toOwnershipOffer(body));
    response.setHeader('Location', this.links.to(request, pathOf(offered)));
    return this.shown(offered, caller, request);
  }

  @Get('tasks/transfer_requests')
  @V2Operation({
    summary: 'List transfer requests',
    description: 'Those that the project made, and those made for it alone.',
    list: REQUEST_LIST,
    response: TransferRequestListDto,
  })
  async list(
    @V2Query(REQUEST_LIST) query: CollectionQuery,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<object> {
    const { rows, hasNext } = await this.transfers.page(caller, query);
    const toDto = (offered: OwnershipTransferRequest): TransferRequestDto => this.shown(offered, caller, request);
    return this.links.collectionOf('transfer_requests', { rows, hasNext }, toDto, request);
  }

  @Get('tasks/transfer_requests/:request_id')
  @V2Operation({
    summary: 'Get a transfer request',
    ids: { request_id: 'transfer_request_not_found' },
    response: TransferRequestDto,
  })
  async get(
    @V2Id('request_id') id: string,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<TransferRequestDto> {
    return this.shown(await this.transfers.get(id, caller), caller, request);
  }

  @Patch('tasks/transfer_requests/:request_id')
  @V2Operation({
    summary: 'Update a transfer request',
    description: 'Fields that are left out keep their values.',
    ids: { request_id: 'transfer_request_not_found' },
    response: TransferRequestDto,
    bodyErrors: [],
  })
  async update(
    @V2Id('request_id') id: string,
    @Body() body: TransferOfferDto,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<TransferRequestDto> {
    return this.shown(await this.transfers.update(id, caller, toOwnershipOffer(body)), caller, request);
  }

  @Delete('tasks/transfer_requests/:request_id')
  @HttpCode(204)
  @V2Operation({
    summary: 'Delete a transfer request',
    description: 'Its acceptance is deleted with it.',
    ids: { request_id: 'transfer_request_not_found' },
    response: { status: 204, description: 'It is deleted.' },
  })
  delete(@V2Id('request_id') id: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.transfers.delete(id, caller);
  }

  private shown(offered: OwnershipTransferRequest, caller: Caller, request: ApiRequest): TransferRequestDto {
    return toTransferRequestDto(offered, this.links.self(request, pathOf(offered)), caller);
  }
}

function pathOf({ id }: OwnershipTransferRequest): string {
  return `/v2/zones/tasks/transfer_requests/${id}`;
}
