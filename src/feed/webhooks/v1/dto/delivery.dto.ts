import { OptionalChoice } from '../../../../http/bodies/dto-fields.js';
import { formatInstant, formatInstantOrNull } from '../../../../common/clock.js';
import { ListQueryDto, PageLinksDto } from '../../../../http/lists/paging.js';
import { ApiProperty, ApiNullableText } from '../../../../http/openapi/decorators.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../delivery.entity.js';
import type { DeliveryView } from '../../delivery.repository.js';

const TIME = { type: String, nullable: true, example: '2026-11-20T08:30:00.123456' } as const;

export class ListDeliveriesQueryDto extends ListQueryDto {
  @OptionalChoice({ enum: DELIVERY_STATUSES, description: '`dead`: dead letters.' })
  status?: DeliveryStatus;
}

export class DeliveryDto {
  @ApiProperty({ format: 'uuid', example: '019aa5f4-9c1e-7f3a-8000-5d1f0b2c7e94' })
  id!: string;

  @ApiProperty({ example: '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4:4', description: 'Of the event, and `webhook-id`.' })
  event_id!: string;

  @ApiProperty({ example: 'zonewright.record.created' })
  event_type!: string;

  @ApiNullableText({ format: 'uuid', description: 'Null for a test.' })
  domain_id!: string | null;

  @ApiProperty({ enum: DELIVERY_STATUSES, example: 'delivered' })
  status!: DeliveryStatus;

  @ApiProperty({ type: 'integer', example: 1 })
  attempts!: number;

  @ApiProperty({ type: 'integer', nullable: true, example: 204, description: 'The status of the latest answer.' })
  answer!: number | null;

  @ApiNullableText({ example: null, description: 'Why the latest attempt failed.' })
  fault!: string | null;

  @ApiProperty({ ...TIME, nullable: false })
  created_at!: string;

  @ApiProperty({ ...TIME, description: 'When the latest attempt ended.' })
  attempted_at!: string | null;

  @ApiProperty({ ...TIME, nullable: false, description: 'After this time it becomes a dead letter.' })
  retry_until!: string;
}

export class DeliveryListDto extends PageLinksDto {
  @ApiProperty({ type: [DeliveryDto], description: 'The oldest first.' })
  deliveries!: DeliveryDto[];
}

export class ReplayedDto {
  @ApiProperty({ type: 'integer', example: 12, description: 'How many dead letters wait again.' })
  replayed!: number;
}

export function toDeliveryDto(delivery: DeliveryView): DeliveryDto {
  const { id, eventId, eventType, zoneId, status, attempts, answer, fault } = delivery;
  const { createdAt, attemptedAt, retryUntil } = delivery;
  return {
    ...{ id, event_id: eventId, event_type: eventType, domain_id: zoneId === '' ? null : zoneId },
    ...{ status, attempts, answer, fault },
    created_at: formatInstant(createdAt),
    attempted_at: formatInstantOrNull(attemptedAt),
    retry_until: formatInstant(retryUntil),
  };
}
