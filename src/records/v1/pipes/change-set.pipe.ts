import { Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { readLabels } from '../../../common/labels.js';
import { type FieldError, type FieldValidator, ServiceError } from '../../../common/service-error.js';
import { RecordTypes } from '../../../dns/rdata/index.js';
import { readShape } from '../../../http/bodies/shape.pipe.js';
import { assertTtlKept } from '../../../zones/v1/shared-fields.mapper.js';
import { readNewRecord, readOwner, readRecordContent } from '../../record-content.js';
import { NO_NOTES, type RecordOperation, type ReplacingContent } from '../../changes/record-operation.js';
import { RecordsOptions } from '../../records.options.js';
import { type EntryFault, refusalOfEntries } from '../change-set-refusal.js';
import {
  CreateEntryDto,
  DeleteEntryDto,
  ENTRY_DTOS,
  LabelEntryDto,
  ReplaceEntryDto,
  UpdateEntryDto,
} from '../dto/change-set.dto.js';
import { readMessage } from '../change-message.mapper.js';
import { ownerKeyOf } from '../query-parameters.mapper.js';
import { recordFieldsOf } from './record.pipe.js';

export interface ChangeSet {
  readonly operations: readonly RecordOperation[];
  readonly message: string | undefined;
}

/** Reads a change set (behaviour 9.1): entry shapes and record data. A refusal names every faulty entry. */
@Injectable()
export class ChangeSetPipe implements PipeTransform<object, ChangeSet> {
  constructor(
    private readonly types: RecordTypes,
    private readonly options: RecordsOptions,
  ) {}

  transform(body: object): ChangeSet {
    const entries = this.entriesOf(body);
    const message = readMessage('message' in body ? body.message : undefined);
    const faults: EntryFault[] = [];
    const operations = entries.flatMap((entry, index) => attempt(index, faults, () => this.read(entry)) ?? []);
    if (faults.length > 0) throw refusalOfEntries(faults);
    return { operations, message };
  }

  /** Checks the list before its entries: it may be as long as the body. */
  private entriesOf(body: object): readonly unknown[] {
    const [unknownKey] = Object.keys(body).filter((key) => key !== 'changes' && key !== 'message');
    if (unknownKey !== undefined)
      throw fault(unknownKey.slice(0, QUOTED_KEY), 'additionalProperties', 'not a known field; leave it out');
    if (!('changes' in body)) throw fault('changes', 'required', 'required');
    const { changes } = body;
    const { maxChanges } = this.options;
    if (!Array.isArray(changes)) throw fault('changes', 'type', 'a list of entries is needed');
    if (changes.length === 0) throw fault('changes', 'minimum', 'at least one entry is needed');
    if (changes.length > maxChanges)
      throw fault('changes', 'maximum', `${changes.length} entries are more than ${maxChanges}; send them in parts`);
    return changes;
  }

  private read(entry: unknown): RecordOperation {
    const dto = readShape<EntryDto>(dtoOf(entry), entry);
    if (dto instanceof CreateEntryDto)
      return {
        action: 'create',
        content: under('record', () => readNewRecord(this.types, recordFieldsOf(dto.record, this.options))),
      };
    if (dto instanceof UpdateEntryDto)
      return {
        action: 'update',
        id: dto.id,
        fields: under('record', () => recordFieldsOf(dto.record, this.options)),
        expect: (found) => assertTtlKept(dto.record.ttl, found),
      };
    if (dto instanceof DeleteEntryDto) return { action: 'delete', id: dto.id };
    if (dto instanceof LabelEntryDto) return this.readLabelEntry(dto);
    return this.readReplacement(dto);
  }

  private readLabelEntry({ name, type, labels }: LabelEntryDto): RecordOperation {
    this.assertType(type);
    return { action: 'label set', ownerKey: ownerKeyOf(name), name, type, labels: readLabels(labels) };
  }

  private assertType(type: string): void {
    if (this.types.byName(type) === undefined) throw fault('type', 'enum', `not one of ${this.types.names.join(', ')}`);
  }

  private readReplacement({ name, type, records }: ReplaceEntryDto): RecordOperation {
    this.assertType(type);
    const ownerKey = ownerKeyOf(name);
    const errors: FieldError[] = [];
    const contents = records.flatMap((record, at) => {
      try {
        return under(`records[${at}]`, () => this.readMember({ ownerKey, name, type }, record));
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        errors.push(...error.errors);
        return [];
      }
    });
    if (errors.length > 0) throw new ServiceError('invalid_object', errors[0]?.message ?? '', errors);
    return {
      ...{ action: 'replace', ownerKey, type, contents },
      expect: ({ ttl }, found) => assertTtlKept(ttl, found),
      // The rules for new names do not apply to an existing set.
      expectNew: () => void readOwner(this.types, { name, type }),
    };
  }

  private readMember(
    set: { readonly ownerKey: string; readonly name: string; readonly type: string },
    record: ReplaceEntryDto['records'][number],
  ): ReplacingContent {
    const said = recordFieldsOf(record, this.options);
    const content = readRecordContent(this.types, {
      ...said,
      name: record.name ?? set.name,
      type: record.type ?? set.type,
    });
    if (content.type !== set.type) throw fault('type', 'enum', `the record set is of type ${set.type}; leave it out`);
    if (content.ownerKey !== set.ownerKey)
      throw fault('name', 'enum', `the record set is at ${set.name}; leave it out`);
    return { ...content, leftOut: NO_NOTES.filter((field) => said[field] === undefined) };
  }
}

type EntryDto = CreateEntryDto | UpdateEntryDto | DeleteEntryDto | ReplaceEntryDto | LabelEntryDto;

/** Characters of a key that an error quotes: a key may be as long as the body. */
const QUOTED_KEY = 64;

function dtoOf(entry: unknown): Type<EntryDto> {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    throw ServiceError.ofField('invalid_object', '', 'type', 'An entry is an object.');
  const { action } = entry as { readonly action?: unknown };
  if (action === undefined) throw fault('action', 'required', 'required');
  if (typeof action === 'string' && Object.hasOwn(ENTRY_DTOS, action))
    return ENTRY_DTOS[action as keyof typeof ENTRY_DTOS];
  throw fault('action', 'enum', `not one of ${Object.keys(ENTRY_DTOS).join(', ')}`);
}

function fault(path: string, validator: FieldValidator, problem: string): ServiceError {
  return ServiceError.ofField('invalid_object', path, validator, `${path}: ${problem}.`);
}

/** Returns the result of `read`, and prefixes the fields of its errors with `path`. */
function under<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const errors = error.errors.map((one) => ({ ...one, path: one.path === '' ? path : `${path}.${one.path}` }));
    throw error.withErrors(errors);
  }
}

function attempt<T>(index: number, faults: EntryFault[], read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    faults.push({ index, error });
    return null;
  }
}
