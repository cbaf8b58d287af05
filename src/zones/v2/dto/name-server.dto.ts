import { ApiProperty } from '../../../http/openapi/decorators.js';

class NameServerDto {
  @ApiProperty({ example: 'ns1.example.net.' })
  hostname!: string;

  @ApiProperty({ type: 'integer', example: 1, description: 'Their order.' })
  priority!: number;
}

export class NameServerListDto {
  @ApiProperty({ type: [NameServerDto] })
  nameservers!: NameServerDto[];
}

export function toNameServerList(names: readonly string[]): NameServerListDto {
  return { nameservers: names.map((hostname, at) => ({ hostname, priority: at + 1 })) };
}
