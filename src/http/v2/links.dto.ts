import { ApiProperty, ApiPropertyOptional } from '../openapi/decorators.js';

export class V2SelfLinkDto {
  @ApiProperty({ example: 'http://127.0.0.1:9001/v2/zones/019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4' })
  self!: string;
}

class V2PageLinksDto {
  @ApiProperty({ example: 'http://127.0.0.1:9001/v2/zones?limit=20', description: 'This page.' })
  self!: string;

  @ApiPropertyOptional({ description: 'The next page; absent on the last.' })
  next?: string;
}

/** What every list has beside its entries. */
export class V2CollectionDto {
  @ApiProperty({ type: V2PageLinksDto })
  links!: V2PageLinksDto;
}

class V2MetadataDto {
  @ApiProperty({ type: 'integer', example: 1, description: 'Entries on all pages.' })
  total_count!: number;
}

/** What a list has that says how long it is. */
export class V2CountedCollectionDto extends V2CollectionDto {
  @ApiPropertyOptional({ type: V2MetadataDto, description: 'Not with `OpenStack-DNS-Hide-Counts: true`.' })
  metadata?: V2MetadataDto;
}
