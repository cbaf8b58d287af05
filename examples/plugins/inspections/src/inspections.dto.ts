import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { formatInstant } from 'zonewright';
import type { InspectionEntity } from './inspection.entity.js';

/** The body of `POST /admin/inspections`. */
export class InspectZoneDto {
  @IsString()
  zone!: string;
}

/** The query of `GET /admin/inspections`. */
export class ListInspectionsDto {
  @IsOptional()
  @Min(1)
  @Max(1000)
  @IsInt()
  @Type(() => Number)
  limit?: number;
}

export interface InspectionDto {
  readonly zone: string;
  readonly errors: number;
  readonly warnings: number;
  readonly inspected_at: string;
}

export function toInspectionDto({ zone, errors, warnings, at }: InspectionEntity): InspectionDto {
  return { zone, errors, warnings, inspected_at: formatInstant(at) };
}
