import { ApiProperty } from '../../http/openapi/decorators.js';
import { RecordDto, type RecordMapper, type RecordToShow } from './record.mapper.js';

/** A record that differs between two states of a domain (behaviour 11.2). */
export class DifferenceDto {
  @ApiProperty({ enum: ['create', 'update', 'delete'], example: 'update' })
  action!: string;

  @ApiProperty({ type: RecordDto, nullable: true, description: 'In the first state; `null` where it was not there.' })
  before!: RecordDto | null;

  @ApiProperty({ type: RecordDto, nullable: true, description: 'In the second state; `null` where it was not there.' })
  after!: RecordDto | null;
}

type RecordOfZone = Omit<RecordToShow, 'zoneId'>;

export interface DifferenceToShow {
  readonly before: RecordOfZone | null;
  readonly after: RecordOfZone | null;
}

export function toDifferenceDto(
  zoneId: string,
  form: RecordMapper,
  { before, after }: DifferenceToShow,
): DifferenceDto {
  const shown = (record: RecordOfZone | null) => (record === null ? null : form({ ...record, zoneId }));
  return { action: actionOf(before, after), before: shown(before), after: shown(after) };
}

function actionOf(before: RecordOfZone | null, after: RecordOfZone | null): string {
  if (before === null) return 'create';
  return after === null ? 'delete' : 'update';
}
