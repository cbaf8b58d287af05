import { Body, Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AdminOnly } from '../../../auth/access.decorators.js';
import type { Caller } from '../../../common/caller.js';
import type { CollectionQuery } from '../../../common/collection-query.js';
import { canonicalUuid } from '../../../common/uuid.js';
import { CurrentCaller } from '../../../http/decorators.js';
import type { ApiRequest } from '../../../http/request.js';
import { V2Query, type CollectionRules, V2Id } from '../../../http/v2/parameters.js';
import { V2Links } from '../../../http/v2/collection.js';
import { OwnershipTransfersService } from '../ownership-transfers.service.js';
import {
  CreateTransferAcceptDto,
  pathOfAccept,
  toTransferAcceptDto,
  TransferAcceptDto,
  TransferAcceptListDto,
} from './dto/ownership-transfer.dto.js';
import { V2_LOCATION, V2Operation, V2Operations } from '../../../http/v2/api-docs.js';

const ACCEPT_LIST: CollectionRules = {
  filters: ['status'],
  sortKeys: { created_at: 'created_at', id: 'id', updated_at: 'created_at' },
};

@V2Operations('zone transfers')
@Controller('v2/zones/tasks/transfer_accepts')
export class TransferAcceptsController {
  constructor(
    private readonly transfers: OwnershipTransfersService,
    private readonly links: V2Links,
  ) {}

  @Post()
  @V2Operation({
    summary: 'Accept a zone that was offered',
    description: 'With the key of the offer, which is used once.',
    response: { status: 201, type: TransferAcceptDto, headers: V2_LOCATION, description: 'It is accepted.' },
    bodyErrors: ['invalid_transfer_request', 'invalid_transfer_key', 'inside_foreign_zone', 'contains_foreign_zone'],
    errors: ['transfer_request_not_found', 'zone_not_found', 'over_quota'],
  })
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
  @V2Operation({
    summary: 'List accepted zones',
    description: 'For admins.',
    list: ACCEPT_LIST,
    response: TransferAcceptListDto,
  })
  async list(
    @V2Query(ACCEPT_LIST) query: CollectionQuery,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<object> {
    const { rows, hasNext } = await this.transfers.pageOfAccepts(caller, query);
    const link = (path: string): string => this.links.to(request, path);
    return this.links.collectionOf(
      'transfer_accepts',
      { rows, hasNext },
      (row) => toTransferAcceptDto(row, link),
      request,
    );
  }

  @Get(':accept_id')
  @V2Operation({
    summary: 'Get the acceptance of a zone',
    ids: { accept_id: 'transfer_accept_not_found' },
    response: TransferAcceptDto,
  })
  async get(
    @V2Id('accept_id') id: string,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<TransferAcceptDto> {
    return toTransferAcceptDto(await this.transfers.getAccept(id, caller), (path) => this.links.to(request, path));
  }
}
