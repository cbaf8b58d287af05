import { type DynamicModule, Module } from '@nestjs/common';
import type { EventForm } from '../change-events.js';
import { changeEvents } from '../v1/change-event.mapper.js';
import { AllowedTargets, TargetAddresses } from './calls/allowed-targets.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryLedger } from './queue/delivery-ledger.js';
import { DeliveryQueue } from './queue/delivery-queue.js';
import { DeliverySender } from './delivery-sender.js';
import { DeliverySettler } from './delivery-settler.js';
import { DeliveryRepository } from './delivery.repository.js';
import { QueueTurns } from './queue/queue-turns.js';
import { TargetClient } from './calls/target-client.js';
import { cloudEventOf } from './v1/message.mapper.js';
import { WebhooksController } from './v1/webhooks.controller.js';
import { WebhookEventRepository } from './queue/webhook-event.repository.js';
import { WebhookQueueRepository } from './queue/webhook-queue.repository.js';
import { WebhookUsageRepository } from './queue/webhook-usage.repository.js';
import { WebhookRepository } from './webhook.repository.js';
import { WebhookWriter } from './webhook-writer.js';
import { WebhookNotices } from './webhook-listener.js';
import { WebhooksCleanup } from './webhooks-cleanup.js';
import { WebhooksOptions } from './webhooks.options.js';
import { WebhooksService } from './webhooks.service.js';

/** The version 1 extension `webhooks`. Global, because listeners of other modules add to the queues. */
@Module({})
export class WebhooksModule {
  static register(limits: WebhooksOptions['limits'], form: EventForm): DynamicModule {
    const options: WebhooksOptions = { limits, form, events: changeEvents(form), sayMessage: cloudEventOf };
    const shared = [{ provide: WebhooksOptions, useValue: options }, WebhookRepository, DeliveryQueue, DeliverySender];
    return {
      module: WebhooksModule,
      global: true,
      controllers: [WebhooksController],
      providers: [
        ...[...shared, AllowedTargets, TargetAddresses, TargetClient, WebhookNotices, WebhooksCleanup],
        ...[DeliveriesService, DeliveryLedger, DeliverySettler, QueueTurns, WebhooksService, WebhookWriter],
        ...[DeliveryRepository, WebhookEventRepository, WebhookQueueRepository, WebhookUsageRepository],
      ],
      exports: [WebhooksOptions, WebhookRepository, DeliveryQueue, DeliverySender, WebhookNotices],
    };
  }
}
