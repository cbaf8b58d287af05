import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../../common/caller.js';
import type { CollectionQuery } from '../../../common/collection-query.js';
import { BodyOptional } from '../../../http/bodies/media-types.js';
import { CurrentCaller } from '../../../http/decorators.js';
import type { ApiRequest } from '../../../http/request.js';
import { ApiV2Operations } from '../../../http/v2/api-docs.js';
import { V2Query } from '../../../http/v2/collection-query.js';
import { V2Links } from '../../../http/v2/collection.js';
import { V2Id } from '../../../http/v2/path-uuid.js';
import type { OwnershipTransferRequest } from '../ownership-transfer.repository.js';
import { OwnershipTransfersService } from '../ownership-transfers.service.js';
import { toOwnershipOffer, TransferOfferDto, toTransferRequestDto } from './dto/transfer-request.dto.js';
import type { TransferRequestDto } from './dto/transfer-request.dto.js';
import { ApiCreateTransferRequest, ApiDeleteTransferRequest, ApiGetTransferRequest } from './zone-transfers.api.js';
import { ApiListTransferRequests, ApiUpdateTransferRequest, REQUEST_LIST } from './zone-transfers.api.js';

@ApiV2Operations('zone transfers')
@Controller('v2/zones')
export class TransferRequestsController {
  constructor(
    private readonly transfers: OwnershipTransfersService,
    private readonly links: V2Links,
  ) {}

  @Post(':zone_id/tasks/transfer_requests')
  @BodyOptional()
  @ApiCreateTransferRequest()
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
  @ApiListTransferRequests()
  async list(
    @V2Query(REQUEST_LIST) query: CollectionQuery,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<object> {
    const { rows, hasNext } = await this.transfers.page(caller, query);
    const entries = rows.map((offered) => this.shown(offered, caller, request));
    const next = hasNext ? (rows.at(-1)?.id ?? null) : null;
    return this.links.collectionOf('transfer_requests', { entries, next, total: null }, request);
  }

  @Get('tasks/transfer_requests/:request_id')
  @ApiGetTransferRequest()
  async get(
    @V2Id('request_id') id: string,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<TransferRequestDto> {
    return this.shown(await this.transfers.get(id, caller), caller, request);
  }

  @Patch('tasks/transfer_requests/:request_id')
  @ApiUpdateTransferRequest()
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
  @ApiDeleteTransferRequest()
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
