import { Injectable, type PipeTransform } from '@nestjs/common';
import { ServiceError } from '../../../common/service-error.js';
import { isWildcardKey } from '../../../dns/name-key.js';
import { storedOwnerName } from '../../../dns/owner-name.js';
import { RecordTypes } from '../../../dns/rdata/index.js';
import { readNewRecord, readOwner } from '../../record-content.js';
import type { NewRecordSet } from '../../record-sets.service.js';
import type { CreateRecordSetDto } from '../dto/create-record-set.dto.js';
import { assertNotCutOff, readRecordTexts } from '../record-text.js';

/** Reads a new record set: its name, its type, and each of its records. */
@Injectable()
export class NewRecordSetPipe implements PipeTransform<CreateRecordSetDto, NewRecordSet> {
  constructor(private readonly types: RecordTypes) {}

  /** @throws ServiceError `invalid_object`, `change_not_allowed` */
  transform({ name, type, records = [], ttl = null, description = null }: CreateRecordSetDto): NewRecordSet {
    const sent = { name, type, ttl, description };
    const contents = readRecordTexts(this.types, sent, records, readNewRecord);
    assertNotCutOff(type, records);
    const owner = readOwner(this.types, sent);
    assertMayBeWildcard(this.types, sent, owner.key);
    assertFewEnough(this.types, type, contents.length);
    return { ...sent, name: storedOwnerName(name, owner), ownerKey: owner.key, contents };
  }
}

/** Rule 5.10 in the words of version 2, where the name is at fault and not the place. @throws ServiceError `invalid_object` */
function assertMayBeWildcard(
  types: RecordTypes,
  { name, type }: Pick<NewRecordSet, 'name' | 'type'>,
  ownerKey: string,
): void {
  const reason = types.byName(type)?.placement.notAtWildcard;
  if (reason === undefined || !isWildcardKey(ownerKey)) return;
  throw ServiceError.ofField(
    'invalid_object',
    'name',
    'format',
    `${type} cannot stand at a wildcard, ${name}: ${reason}.`,
  );
}

/** @throws ServiceError `change_not_allowed` for several records of a type that a name has once */
export function assertFewEnough(types: RecordTypes, type: string, count: number): void {
  if (count < 2 || types.byName(type)?.placement.isSingle !== true) return;
  throw ServiceError.ofField('change_not_allowed', 'records', 'maximum', `A ${type} record set has one record.`);
}
