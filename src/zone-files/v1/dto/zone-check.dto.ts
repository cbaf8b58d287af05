import { ApiProperty } from '../../../http/openapi/decorators.js';
import type { ZoneFinding } from '../../zone-check.service.js';

class FindingDto {
  @ApiProperty({ example: 'ns1.example.org.' })
  name!: string;

  @ApiProperty({ example: 'NS' })
  type!: string;

  @ApiProperty({ example: 'ns1.example.org. is a name server inside the zone without an address.' })
  message!: string;
}

export class ZoneCheckDto {
  @ApiProperty({ type: [FindingDto], description: 'Name servers refuse a zone that has these.' })
  errors!: FindingDto[];

  @ApiProperty({ type: [FindingDto], description: 'The zone loads, but probably does not work as intended.' })
  warnings!: FindingDto[];
}

export function toZoneCheckDto(findings: readonly ZoneFinding[]): ZoneCheckDto {
  const of = (severity: ZoneFinding['severity']) =>
    findings
      .filter((finding) => finding.severity === severity)
      .map(({ name, type, message }) => ({ name, type, message }));
  return { errors: of('error'), warnings: of('warning') };
}
