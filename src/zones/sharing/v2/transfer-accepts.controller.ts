import { Body, Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AdminOnly } from '../../../auth/access.decorators.js';
import type { Caller } from '../../../common/caller.js';
import type { CollectionQuery } from '../../../common/collection-query.js';
import { canonicalUuid } from '../../../common/uuid.js';
import { CurrentCaller } from '../../../http/decorators.js';
import type { ApiRequest } from '../../../http/request.js';
import { ApiV2Operations } from '../../../http/v2/api-docs.js';
import { V2Query } from '../../../http/v2/collection-query.js';
import { V2Links } from '../../../http/v2/collection.js';
import { V2Id } from '../../../http/v2/path-uuid.js';
import { OwnershipTransfersService } from '../ownership-transfers.service.js';
import { CreateTransferAcceptDto, pathOfAccept, toTransferAcceptDto } from './dto/transfer-accept.dto.js';
import type { TransferAcceptDto } from './dto/transfer-accept.dto.js';
import { ACCEPT_LIST, ApiCreateTransferAccept } from './zone-transfers.api.js';
import { ApiGetTransferAccept, ApiListTransferAccepts } from './zone-transfers.api.js';

@ApiV2Operations('zone transfers')
@Controller('v2/zones/tasks/transfer_accepts')
export class TransferAcceptsController {
  constructor(
    private readonly transfers: OwnershipTransfersService,
    private readonly links: V2Links,
  ) {}

  @Post()
  @ApiCreateTransferAccept()
  async create(
    @Body() { zone_transfer_request_id: requestId, key }: CreateTransferAcceptDto,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<TransferAcceptDto> {
    const accept = await this.transfers.accept(canonicalUuid(requestId) ?? '', key, caller);
    response.setHeader('Location', this.links.to(request, pathOfAccept(accept.id)));
    return toTransferAcceptDto(accept, (path) => this.links.to(request, path), key);
  }

  @Get()
  @AdminOnly()
  @ApiListTransferAccepts()
  async list(
    @V2Query(ACCEPT_LIST) query: CollectionQuery,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<object> {
    const { rows, hasNext } = await this.transfers.pageOfAccepts(caller, query);
    const entries = rows.map((accept) => toTransferAcceptDto(accept, (path) => this.links.to(request, path)));
    const next = hasNext ? (rows.at(-1)?.id ?? null) : null;
    return this.links.collectionOf('transfer_accepts', { entries, next, total: null }, request);
  }

  @Get(':accept_id')
  @ApiGetTransferAccept()
  async get(
    @V2Id('accept_id') id: string,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<TransferAcceptDto> {
    return toTransferAcceptDto(await this.transfers.getAccept(id, caller), (path) => this.links.to(request, path));
  }
}
