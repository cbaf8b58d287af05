import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import type { RecordSetUpdate } from '../record-sets.service.js';
import { RecordsOptions } from '../records.options.js';
import type { RecordSetView } from '../record-set-view.js';
import type { UpdateRecordSetDto } from './dto/update-record-set.dto.js';
import { assertFewEnough } from './pipes/new-record-set.pipe.js';
import { textOfValue } from '../value-text.js';
import { assertNotCutOff, readRecordTexts } from './record-text.js';

/** Reads what a set is to become: its records can only be read once it is known what they are of. */
@Injectable()
export class RecordSetUpdates {
  constructor(private readonly options: RecordsOptions) {}

  /** @throws ServiceError `invalid_object`, `change_not_allowed` */
  read(set: RecordSetView, body: UpdateRecordSetDto): RecordSetUpdate {
    const { ttl, description, records } = body;
    assertSame(set, body);
    const fields = { name: set.name, type: set.type, ttl: null, description: null };
    const shown = set.values.map(textOfValue);
    // What is sent back as it was read may be of a type that only masters bring, or that was switched off.
    const { types, knownTypes } = this.options;
    const taken = records && isSame(records, shown) ? knownTypes : types;
    const contents = records && readRecordTexts(taken, fields, records);
    assertFewEnough(taken, set.type, contents?.length ?? 0);
    assertNotCutOff(set.type, records ?? [], shown);
    return { contents, ttl, description };
  }
}

function isSame(records: readonly string[], shown: readonly string[]): boolean {
  return [...records].sort().join('\n') === [...shown].sort().join('\n');
}

function assertSame(set: RecordSetView, { name = set.name, type = set.type }: UpdateRecordSetDto): void {
  const advice = 'create another record set instead';
  if (name.toLowerCase() !== set.name.toLowerCase())
    throw ServiceError.ofField('invalid_object', 'name', 'enum', `The name of a record set cannot change; ${advice}.`);
  if (type !== set.type)
    throw ServiceError.ofField('invalid_object', 'type', 'enum', `The type of a record set cannot change; ${advice}.`);
}
