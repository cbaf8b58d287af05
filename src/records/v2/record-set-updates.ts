import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { RecordTypes } from '../../dns/rdata/index.js';
import type { RecordSetUpdate } from '../record-sets.service.js';
import type { ShownRecordSet } from '../shown-record-set.js';
import type { UpdateRecordSetDto } from './dto/update-record-set.dto.js';
import { assertFewEnough } from './pipes/new-record-set.pipe.js';
import { textOfValue } from '../value-text.js';
import { assertNotCutOff, readRecordTexts } from './record-text.js';

/** Reads what a set is to become: its records can only be read once it is known what they are of. */
@Injectable()
export class RecordSetUpdates {
  constructor(private readonly types: RecordTypes) {}

  /** @throws ServiceError `invalid_object`, `change_not_allowed` */
  read(set: ShownRecordSet, body: UpdateRecordSetDto): RecordSetUpdate {
    const { ttl, description, records } = body;
    assertSame(set, body);
    const fields = { name: set.name, type: set.type, ttl: null, description: null };
    const contents = records && readRecordTexts(this.types, fields, records);
    assertFewEnough(this.types, set.type, contents?.length ?? 0);
    assertNotCutOff(set.type, records ?? [], set.values.map(textOfValue));
    return { contents, ttl, description };
  }
}

function assertSame(set: ShownRecordSet, { name = set.name, type = set.type }: UpdateRecordSetDto): void {
  const advice = 'create another record set instead';
  if (name.toLowerCase() !== set.name.toLowerCase())
    throw ServiceError.ofField('invalid_object', 'name', 'enum', `The name of a record set cannot change; ${advice}.`);
  if (type !== set.type)
    throw ServiceError.ofField('invalid_object', 'type', 'enum', `The type of a record set cannot change; ${advice}.`);
}
