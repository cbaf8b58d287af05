import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Req } from '@nestjs/common';
import type { Caller } from '../../../common/caller.js';
import { BodyOptional } from '../../../http/bodies/media-types.js';
import { CurrentCaller, PathId } from '../../../http/decorators.js';
import type { StreamList } from '../../../http/lists/stream-list.js';
import { Paging } from '../../../http/lists/paging.js';
import type { ApiRequest } from '../../../http/request.js';
import { DeliveriesService } from '../deliveries.service.js';
import type { WebhookEntity } from '../webhook.entity.js';
import { WebhooksService } from '../webhooks.service.js';
import { type DeliveryDto, ListDeliveriesQueryDto, type ReplayedDto, toDeliveryDto } from './dto/delivery.dto.js';
import {
  CreateWebhookDto,
  toWarningsDto,
  toWebhookDto,
  toWebhookWithSecretDto,
  UpdateWebhookDto,
  type WebhookDto,
  type WebhookWithSecretDto,
} from './dto/webhook.dto.js';
import {
  ApiCreateWebhook,
  ApiDeleteWebhook,
  ApiGetWebhook,
  ApiListDeliveries,
  ApiListWebhooks,
  ApiReplayDead,
  ApiReplayDelivery,
  ApiRotateWebhook,
  ApiTestWebhook,
  ApiUpdateWebhook,
  ApiWebhooks,
} from './webhooks.api.js';

@ApiWebhooks()
@Controller('v1/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly sent: DeliveriesService,
    private readonly paging: Paging,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiCreateWebhook()
  async create(@Body() body: CreateWebhookDto, @CurrentCaller() caller: Caller): Promise<WebhookWithSecretDto> {
    const { url, description = null, enabled = true, domains = null, actions = null } = body;
    const fields = { url, description, enabled, domains, actions };
    const webhook = await this.webhooks.create(fields, caller);
    return {
      ...toWebhookWithSecretDto(webhook, caller),
      ...toWarningsDto(await this.webhooks.unknownDomains(webhook)),
    };
  }

  @Get()
  @ApiListWebhooks()
  list(@CurrentCaller() caller: Caller, @Req() request: ApiRequest): Promise<StreamList> {
    const source = {
      page: (after: string, limit: number) => this.webhooks.page(caller, after, limit),
      knows: () => Promise.resolve(false),
      toDto: (webhook: WebhookEntity) => toWebhookDto(webhook, caller),
    };
    return this.paging.answer('webhooks', source, {}, request);
  }

  @Get(':webhook_id')
  @ApiGetWebhook()
  async get(@PathId('webhook_id') id: string, @CurrentCaller() caller: Caller): Promise<WebhookDto> {
    return toWebhookDto(await this.webhooks.get(id, caller), caller);
  }

  @Patch(':webhook_id')
  @ApiUpdateWebhook()
  async update(
    @PathId('webhook_id') id: string,
    @Body() body: UpdateWebhookDto,
    @CurrentCaller() caller: Caller,
  ): Promise<WebhookDto> {
    const webhook = await this.webhooks.update(id, body, caller);
    return { ...toWebhookDto(webhook, caller), ...toWarningsDto(await this.webhooks.unknownDomains(webhook)) };
  }

  @Delete(':webhook_id')
  @ApiDeleteWebhook()
  async delete(@PathId('webhook_id') id: string, @CurrentCaller() caller: Caller): Promise<string> {
    await this.webhooks.delete(id, caller);
    return '';
  }

  @Post(':webhook_id/rotate')
  @HttpCode(200)
  @BodyOptional()
  @ApiRotateWebhook()
  async rotate(@PathId('webhook_id') id: string, @CurrentCaller() caller: Caller): Promise<WebhookWithSecretDto> {
    return toWebhookWithSecretDto(await this.webhooks.rotate(id, caller), caller);
  }

  @Post(':webhook_id/test')
  @HttpCode(200)
  @BodyOptional()
  @ApiTestWebhook()
  async test(@PathId('webhook_id') id: string, @CurrentCaller() caller: Caller): Promise<DeliveryDto> {
    return toDeliveryDto(await this.sent.test(id, caller));
  }

  @Get(':webhook_id/deliveries')
  @ApiListDeliveries()
  async deliveries(
    @PathId('webhook_id') webhookId: string,
    @Query() query: ListDeliveriesQueryDto,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<StreamList> {
    const source = {
      page: await this.sent.pages({ webhookId, status: query.status ?? null }, caller),
      // What a page ended with may be gone when the next one is asked for.
      knows: () => Promise.resolve(true),
      toDto: toDeliveryDto,
    };
    return this.paging.answer('deliveries', source, query, request);
  }

  @Post(':webhook_id/deliveries/replay')
  @HttpCode(200)
  @BodyOptional()
  @ApiReplayDead()
  async replayDead(@PathId('webhook_id') id: string, @CurrentCaller() caller: Caller): Promise<ReplayedDto> {
    return { replayed: await this.sent.replayDead(id, caller) };
  }

  @Post(':webhook_id/deliveries/:delivery_id/replay')
  @HttpCode(200)
  @BodyOptional()
  @ApiReplayDelivery()
  async replay(
    @PathId('webhook_id') id: string,
    @PathId('delivery_id') deliveryId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<DeliveryDto> {
    return toDeliveryDto(await this.sent.replay(id, deliveryId, caller));
  }
}
