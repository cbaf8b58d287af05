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
import {
  DeliveryDto,
  ListDeliveriesQueryDto,
  ReplayedDto,
  toDeliveryDto,
  DeliveryListDto,
} from './dto/delivery.dto.js';
import {
  CreateWebhookDto,
  toWarningsDto,
  toWebhookDto,
  toWebhookWithSecretDto,
  UpdateWebhookDto,
  WebhookDto,
  WebhookWithSecretDto,
  WebhookListDto,
} from './dto/webhook.dto.js';
import { CloudEventDto } from '../../v1/cloud-event.mapper.js';
import { OPTIONAL_BODY } from '../../../http/openapi/operation.js';
import { Operation, Operations } from '../../../http/v1/api-docs.js';

const DELIVERY = {
  operationId: 'receiveEvent',
  summary: 'One change',
  parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
    ...{ name, in: 'header' as const, required: true, schema: { type: 'string' as const } },
    description: 'Standard Webhooks 1.0.',
  })),
  requestBody: {
    required: true,
    content: { 'application/cloudevents+json': { schema: { $ref: `#/components/schemas/${CloudEventDto.name}` } } },
  },
  responses: {
    '2XX': { description: 'It is delivered.' },
    '410': { description: 'The webhook is disabled.' },
    default: { description: 'It is tried again later.' },
  },
};

@Operations('webhooks')
@Controller('v1/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly sent: DeliveriesService,
    private readonly paging: Paging,
  ) {}

  @Post()
  @HttpCode(200)
  @Operation({
    summary: 'Have changes sent to a URL',
    description:
      'Each change from now on is sent by POST as a CloudEvent 1.0, signed as Standard Webhooks has it. The secret is shown' +
      ' this once.',
    callbacks: { event: { '{$request.body#/url}': { post: DELIVERY } } },
    models: [CloudEventDto],
    response: WebhookWithSecretDto,
    bodyErrors: ['invalid_object', 'over_quota'],
  })
  async create(@Body() body: CreateWebhookDto, @CurrentCaller() caller: Caller): Promise<WebhookWithSecretDto> {
    const { url, description = null, enabled = true, domains = null, actions = null, labels = {} } = body;
    const fields = { url, description, enabled, domains, actions, labels };
    const webhook = await this.webhooks.create(fields, caller);
    return {
      ...toWebhookWithSecretDto(webhook, caller),
      ...toWarningsDto(await this.webhooks.unknownDomains(webhook)),
    };
  }

  @Get()
  @Operation({ summary: 'List webhooks', response: WebhookListDto })
  list(@CurrentCaller() caller: Caller, @Req() request: ApiRequest): Promise<StreamList> {
    const source = {
      page: (after: string, limit: number) => this.webhooks.page(caller, after, limit),
      knows: () => Promise.resolve(false),
      toDto: (webhook: WebhookEntity) => toWebhookDto(webhook, caller),
    };
    return this.paging.answer('webhooks', source, {}, request);
  }

  @Get(':webhook_id')
  @Operation({ summary: 'Get a webhook', ids: ['webhook_id'], response: WebhookDto, errors: ['webhook_not_found'] })
  async get(@PathId('webhook_id') id: string, @CurrentCaller() caller: Caller): Promise<WebhookDto> {
    return toWebhookDto(await this.webhooks.get(id, caller), caller);
  }

  @Patch(':webhook_id')
  @Operation({
    summary: 'Change a webhook',
    description: 'Fields that are left out keep their values. Once it is enabled again, what waits is sent.',
    ids: ['webhook_id'],
    response: WebhookDto,
    errors: ['webhook_not_found'],
    bodyErrors: ['invalid_object'],
  })
  async update(
    @PathId('webhook_id') id: string,
    @Body() body: UpdateWebhookDto,
    @CurrentCaller() caller: Caller,
  ): Promise<WebhookDto> {
    const webhook = await this.webhooks.update(id, body, caller);
    return { ...toWebhookDto(webhook, caller), ...toWarningsDto(await this.webhooks.unknownDomains(webhook)) };
  }

  @Delete(':webhook_id')
  @Operation({
    summary: 'Delete a webhook, and all that waits for it',
    ids: ['webhook_id'],
    response: { description: 'It is deleted; the body is empty.' },
    errors: ['webhook_not_found'],
  })
  async delete(@PathId('webhook_id') id: string, @CurrentCaller() caller: Caller): Promise<string> {
    await this.webhooks.delete(id, caller);
    return '';
  }

  @Post(':webhook_id/rotate')
  @HttpCode(200)
  @BodyOptional()
  @Operation({
    summary: 'Give a webhook another secret',
    description:
      'The new one is shown only once. Until `former_secret_until` both sign: `webhook-signature` has two signatures.',
    requestBody: OPTIONAL_BODY,
    ids: ['webhook_id'],
    response: WebhookWithSecretDto,
    errors: ['webhook_not_found'],
    bodyErrors: ['invalid_object'],
  })
  async rotate(@PathId('webhook_id') id: string, @CurrentCaller() caller: Caller): Promise<WebhookWithSecretDto> {
    return toWebhookWithSecretDto(await this.webhooks.rotate(id, caller), caller);
  }

  @Post(':webhook_id/test')
  @HttpCode(200)
  @BodyOptional()
  @Operation({
    summary: 'Send a webhook a test event',
    description: 'Its type is `zonewright.webhook.test`. Its result is in the list of deliveries.',
    requestBody: OPTIONAL_BODY,
    ids: ['webhook_id'],
    response: DeliveryDto,
    errors: ['webhook_not_found', 'over_quota'],
    bodyErrors: ['invalid_object'],
  })
  async test(@PathId('webhook_id') id: string, @CurrentCaller() caller: Caller): Promise<DeliveryDto> {
    return toDeliveryDto(await this.sent.test(id, caller));
  }

  @Get(':webhook_id/deliveries')
  @Operation({
    summary: 'List what waits for a webhook, was delivered in the last minutes, or could not be delivered',
    ids: ['webhook_id'],
    response: DeliveryListDto,
    errors: ['webhook_not_found', 'invalid_object'],
  })
  async deliveries(
    @PathId('webhook_id') webhookId: string,
    @Query() query: ListDeliveriesQueryDto,
    @CurrentCaller() caller: Caller,
    @Req() request: ApiRequest,
  ): Promise<StreamList> {
    const source = {
      page: await this.sent.pages({ webhookId, status: query.status ?? null }, caller),
      // The marker may have been deleted before the next page.
      knows: () => Promise.resolve(true),
      toDto: toDeliveryDto,
    };
    return this.paging.answer('deliveries', source, query, request);
  }

  @Post(':webhook_id/deliveries/replay')
  @HttpCode(200)
  @BodyOptional()
  @Operation({
    summary: 'Send all dead letters again',
    description: 'They are queued again like new ones.',
    requestBody: OPTIONAL_BODY,
    ids: ['webhook_id'],
    response: ReplayedDto,
    errors: ['webhook_not_found'],
    bodyErrors: ['invalid_object'],
  })
  async replayDead(@PathId('webhook_id') id: string, @CurrentCaller() caller: Caller): Promise<ReplayedDto> {
    return { replayed: await this.sent.replayDead(id, caller) };
  }

  @Post(':webhook_id/deliveries/:delivery_id/replay')
  @HttpCode(200)
  @BodyOptional()
  @Operation({
    summary: 'Send a dead letter again',
    description: 'It is queued again like a new one.',
    requestBody: OPTIONAL_BODY,
    ids: ['webhook_id', 'delivery_id'],
    response: DeliveryDto,
    errors: ['webhook_not_found'],
    bodyErrors: ['delivery_not_found', 'invalid_object'],
  })
  async replay(
    @PathId('webhook_id') id: string,
    @PathId('delivery_id') deliveryId: string,
    @CurrentCaller() caller: Caller,
  ): Promise<DeliveryDto> {
    return toDeliveryDto(await this.sent.replay(id, deliveryId, caller));
  }
}
