import { Injectable, type PipeTransform } from '@nestjs/common';
import { readLabels } from '../../../common/labels.js';
import { ServiceError, type FieldError } from '../../../common/service-error.js';
import { isWildcardKey } from '../../../dns/name-key.js';
import { storedOwnerName } from '../../../dns/owner-name.js';
import { RecordTypes } from '../../../dns/rdata/index.js';
import { readNewRecord, readOwner, readRecordContent, type RecordContent } from '../../record-content.js';
import type { NewRecordSet, RecordSetUpdate } from '../../record-sets.service.js';
import type { CreateRecordSetDto, UpdateRecordSetDto } from '../dto/record-set.dto.js';
import { RecordsOptions } from '../../records.options.js';
import { type RecordSetView, textOfValue, valueOf } from '../../record-set-view.js';

@Injectable()
export class NewRecordSetPipe implements PipeTransform<CreateRecordSetDto, NewRecordSet> {
  constructor(private readonly types: RecordTypes) {}

  transform({
    name,
    type,
    records = [],
    ttl = null,
    description = null,
    labels = {},
  }: CreateRecordSetDto): NewRecordSet {
    const sent = { name, type, ttl, description };
    const contents = readRecordTexts(this.types, sent, records, readNewRecord);
    assertNotCutOff(type, records);
    const owner = readOwner(this.types, sent);
    assertMayBeWildcard(this.types, sent, owner.key);
    assertFewEnough(this.types, type, contents.length);
    return { ...sent, name: storedOwnerName(name, owner), ownerKey: owner.key, labels: readLabels(labels), contents };
  }
}

/** Rule 5.10, which in version 2 blames the name instead of the place. @throws ServiceError `invalid_object` */
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

/** @throws ServiceError `change_not_allowed` for several records of a singleton type */
export function assertFewEnough(types: RecordTypes, type: string, count: number): void {
  if (count < 2 || types.byName(type)?.placement.isSingle !== true) return;
  throw ServiceError.ofField('change_not_allowed', 'records', 'maximum', `A ${type} record set has one record.`);
}

/** Reads updates of sets. The type of the set decides how to read the records. */
@Injectable()
export class RecordSetUpdates {
  constructor(private readonly options: RecordsOptions) {}

  read(set: RecordSetView, body: UpdateRecordSetDto): RecordSetUpdate {
    const { ttl, description, labels, records } = body;
    assertSame(set, body);
    const fields = { name: set.name, type: set.type, ttl: null, description: null };
    const shown = set.values.map(textOfValue);
    // Records sent back unchanged may have a disabled type or a type that only transfers create.
    const { types, knownTypes } = this.options;
    const taken = records && isSame(records, shown) ? knownTypes : types;
    const contents = records && readRecordTexts(taken, fields, records);
    assertFewEnough(taken, set.type, contents?.length ?? 0);
    assertNotCutOff(set.type, records ?? [], shown);
    return { contents, ttl, description, labels: labels && readLabels(labels) };
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

export interface SetFields {
  readonly name: string;
  readonly type: string;
  readonly ttl: number | null;
  readonly description: string | null;
}

/**
 * Reads the records of a set, and drops repeated texts.
 * @throws ServiceError `invalid_object` with an error for each invalid text, `change_not_allowed` for an SOA
 */
export function readRecordTexts(
  types: RecordTypes,
  set: SetFields,
  texts: readonly string[],
  read: typeof readRecordContent = readRecordContent,
): RecordContent[] {
  const firstAt = new Map(texts.map((text, at) => [text, at]).reverse() as [string, number][]);
  const errors: FieldError[] = [];
  const contents: RecordContent[] = [];
  const seen = new Map<string, string>();
  for (const text of new Set(texts)) {
    const path = `records[${firstAt.get(text) ?? 0}]`;
    const content = attempt(errors, path, () => read(types, { ...set, ...valueOf(types, set.type, text) }));
    if (content === undefined) continue;
    const same = seen.get(content.fingerprint);
    if (same !== undefined) errors.push({ path, validator: 'enum', message: `${path} has the same value as ${same}.` });
    seen.set(content.fingerprint, path);
    contents.push(content);
  }
  if (errors.length > 0) throw ServiceError.ofFields('invalid_object', errors);
  return contents;
}

const TEXT_TYPES: ReadonlySet<string> = new Set(['TXT', 'SPF']);

/**
 * Unquoted text that ends with a backslash was probably cut off in an escape. Designate refuses it, too.
 * @param known values of the set, which other interfaces may have stored
 */
export function assertNotCutOff(type: string, texts: readonly string[], known: readonly string[] = []): void {
  if (!TEXT_TYPES.has(type)) return;
  texts.forEach((text, at) => {
    if (text.startsWith('"') || !text.endsWith('\\') || known.includes(text)) return;
    const message = `records[${at}] ends with a backslash: send text with one in quotes, as "\\\\".`;
    throw ServiceError.ofField('invalid_object', `records[${at}]`, 'format', message);
  });
}

function attempt(errors: FieldError[], path: string, read: () => RecordContent): RecordContent | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'invalid_object') throw error;
    for (const fault of error.errors) addFault(errors, path, fault);
    return undefined;
  }
}

/** Reports an error of name or type once, not for each record. */
function addFault(errors: FieldError[], path: string, fault: FieldError): void {
  if (fault.path === 'data' || fault.path === 'priority')
    errors.push({ ...fault, path, message: fault.message.replace(/^(data|priority):/, `${path}:`) });
  else if (!errors.some((other) => other.path === fault.path)) errors.push(fault);
}
