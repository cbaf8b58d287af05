import { ApiProperty, ApiPropertyOptional } from '../openapi/decorators.js';

export class LinksDto {
  @ApiProperty({ example: 'http://127.0.0.1:9001/v1/domains?limit=20', description: 'This page.' })
  self!: string;

  @ApiPropertyOptional({ description: 'The next page; absent on the last.' })
  next?: string;
}

/** What a list has beside its entries when `limit` was sent (behaviour 6.4). */
export class PageLinksDto {
  @ApiPropertyOptional({ type: LinksDto, description: 'Only with `limit`.' })
  links?: LinksDto;
}
