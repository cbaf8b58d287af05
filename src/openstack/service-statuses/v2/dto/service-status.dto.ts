import { formatInstant } from '../../../../common/clock.js';
import { ApiProperty } from '../../../../http/openapi/decorators.js';
import { V2CollectionDto } from '../../../../http/v2/collection.js';
import { V2ResourceDto } from '../../../../http/v2/resources.js';
import type { ServiceStatusEntity } from '../../service-status.repository.js';

export class ServiceStatusDto extends V2ResourceDto {
  @ApiProperty({ example: 'central' })
  service_name!: string;

  @ApiProperty({ example: 'dns1.example.net' })
  hostname!: string;

  @ApiProperty({ enum: ['UP', 'DOWN'], description: 'Down after 30 seconds without a heartbeat.' })
  status!: 'UP' | 'DOWN';

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'Always empty.' })
  stats!: object;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'Always empty.' })
  capabilities!: object;

  @ApiProperty({ example: '2026-11-20T08:30:00.123456' })
  heartbeated_at!: string;
}

export class ServiceStatusListDto extends V2CollectionDto {
  @ApiProperty({ type: [ServiceStatusDto] })
  service_statuses!: ServiceStatusDto[];
}

export function fieldsOfServiceStatus(service: ServiceStatusEntity): Omit<ServiceStatusDto, keyof V2ResourceDto> {
  const { serviceName, hostname, status, heartbeatedAt } = service;
  return {
    service_name: serviceName,
    hostname,
    status,
    stats: {},
    capabilities: {},
    heartbeated_at: formatInstant(heartbeatedAt),
  };
}
