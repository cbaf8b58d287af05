import { applyDecorators } from '@nestjs/common';
import { CloudEventDto } from '../../v1/cloud-event.mapper.js';
import {
  ApiBody,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiSecurity,
  ApiTags,
} from '../../../http/openapi/decorators.js';
import { ApiAdminHeaders, ApiErrors } from '../../../http/v1/api-docs.js';
import { DeliveryDto, DeliveryListDto, ReplayedDto } from './dto/delivery.dto.js';
import { WebhookDto, WebhookListDto, WebhookWithSecretDto } from './dto/webhook.dto.js';

export const ApiWebhooks = () =>
  applyDecorators(
    ApiTags('webhooks'),
    ApiSecurity('token'),
    ApiAdminHeaders(),
    ApiErrors('access_denied', 'unsupported_accept', 'rate_limited', 'unknown', 'unavailable'),
  );

const ofWebhook = (...decorators: MethodDecorator[]) =>
  applyDecorators(
    ApiParam({ name: 'webhook_id', type: String, format: 'uuid' }),
    ApiErrors('webhook_not_found'),
    ...decorators,
  );

/** What can be wrong with a body, also where there need not be one. */
const BODY_ERRORS = ['invalid_object', 'payload_too_large', 'unsupported_content_type'] as const;

const withoutBody = () =>
  applyDecorators(
    ApiBody({ schema: { type: 'object' }, required: false, description: 'None is needed.' }),
    ApiErrors(...BODY_ERRORS),
  );

/** What the target of a webhook is sent. */
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

export const ApiCreateWebhook = () =>
  applyDecorators(
    ApiOperation({
      summary: 'Have changes sent to a URL',
      description:
        'Each change from now on is sent by POST as a CloudEvent 1.0, signed as Standard Webhooks has it. The secret is shown' +
        ' this once.',
      callbacks: { event: { '{$request.body#/url}': { post: DELIVERY } } },
    }),
    ApiExtraModels(CloudEventDto),
    ApiOkResponse({ type: WebhookWithSecretDto }),
    ApiErrors('over_quota', ...BODY_ERRORS),
  );

export const ApiListWebhooks = () =>
  applyDecorators(ApiOperation({ summary: 'List webhooks' }), ApiOkResponse({ type: WebhookListDto }));

export const ApiGetWebhook = () =>
  ofWebhook(ApiOperation({ summary: 'Get a webhook' }), ApiOkResponse({ type: WebhookDto }));

export const ApiUpdateWebhook = () =>
  ofWebhook(
    ApiOperation({
      summary: 'Change a webhook',
      description: 'Fields that are left out keep their values. Once it is enabled again, what waits is sent.',
    }),
    ApiOkResponse({ type: WebhookDto }),
    ApiErrors(...BODY_ERRORS),
  );

export const ApiDeleteWebhook = () =>
  ofWebhook(
    ApiOperation({ summary: 'Delete a webhook, and all that waits for it' }),
    ApiOkResponse({ description: 'It is deleted; the body is empty.' }),
  );

export const ApiRotateWebhook = () =>
  ofWebhook(
    ApiOperation({
      summary: 'Give a webhook another secret',
      description:
        'The new one is shown only once. Until `former_secret_until` both sign: `webhook-signature` has two signatures.',
    }),
    ApiOkResponse({ type: WebhookWithSecretDto }),
    withoutBody(),
  );

export const ApiTestWebhook = () =>
  ofWebhook(
    ApiOperation({
      summary: 'Send a webhook a test event',
      description: 'Its type is `zonewright.webhook.test`. Its result is in the list of deliveries.',
    }),
    ApiOkResponse({ type: DeliveryDto }),
    ApiErrors('over_quota'),
    withoutBody(),
  );

export const ApiListDeliveries = () =>
  ofWebhook(
    ApiOperation({
      summary: 'List what waits for a webhook, was delivered in the last minutes, or could not be delivered',
    }),
    ApiOkResponse({ type: DeliveryListDto }),
    ApiErrors('invalid_object'),
  );

export const ApiReplayDead = () =>
  ofWebhook(
    ApiOperation({ summary: 'Send all dead letters again', description: 'They are queued again like new ones.' }),
    ApiOkResponse({ type: ReplayedDto }),
    withoutBody(),
  );

export const ApiReplayDelivery = () =>
  ofWebhook(
    ApiOperation({ summary: 'Send a dead letter again', description: 'It is queued again like a new one.' }),
    ApiParam({ name: 'delivery_id', type: String, format: 'uuid' }),
    ApiOkResponse({ type: DeliveryDto }),
    ApiErrors('delivery_not_found'),
    withoutBody(),
  );
