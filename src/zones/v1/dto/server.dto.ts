import { ApiProperty } from '../../../http/openapi/decorators.js';
import { formatInstant } from '../../../common/clock.js';
import { uuidOfName } from '../../../common/uuid.js';
import type { ZoneEntity } from '../../zone.entity.js';

export class ServerDto {
  @ApiProperty({ format: 'uuid', description: 'Computed from the name, so it stays the same.' })
  id!: string;

  @ApiProperty({ example: 'ns1.example.net.' })
  name!: string;

  @ApiProperty({ example: '2026-11-20T08:30:00.123456', description: 'When the domain was created.' })
  created_at!: string;

  @ApiProperty({ type: String, nullable: true, example: null })
  updated_at!: string | null;
}

export class ServerListDto {
  @ApiProperty({ type: [ServerDto] })
  servers!: ServerDto[];
}

export function toServerDto(name: string, domain: ZoneEntity): ServerDto {
  return { id: uuidOfName(name), name, created_at: formatInstant(domain.createdAt), updated_at: null };
}
