import { ApiNullableText, ApiProperty } from '../../http/openapi/decorators.js';
import { formatInstant } from '../../common/clock.js';
import { agreedDs, longestTtl } from '../parent/parent-observation.js';
import type { StoredObservation } from '../parent/zone-parent.repository.js';
import { ParentServerDto, toParentServerDto } from './dnssec.dto.js';

export class ParentLookDto {
  @ApiNullableText({ example: 'org.', description: 'The zone above; `null`: it was not found.' })
  zone!: string | null;

  @ApiProperty({ example: false, description: 'Whether this service has that zone.' })
  hosted!: boolean;

  @ApiProperty({
    type: [String],
    nullable: true,
    description: 'The DS that all of its name servers have; `null`: they do not agree.',
  })
  ds!: string[] | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 86400, description: 'The longest TTL of a DS, in seconds.' })
  ds_ttl!: number | null;

  @ApiProperty({ type: [ParentServerDto] })
  servers!: ParentServerDto[];

  @ApiNullableText({ example: null, description: 'Why none was asked.' })
  problem!: string | null;

  @ApiProperty({ example: '2026-11-24T08:29:58.000000', description: 'When that was, UTC.' })
  seen_at!: string;
}

export function toParentLookDto({ observation, seenAt }: StoredObservation): ParentLookDto {
  const ds = agreedDs(observation);
  return {
    zone: observation.zone,
    hosted: observation.isHosted,
    ds: ds && [...ds],
    ds_ttl: longestTtl(observation),
    servers: observation.servers.map(toParentServerDto),
    problem: observation.problem,
    seen_at: formatInstant(seenAt),
  };
}
