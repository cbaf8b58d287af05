import { type FieldError, ServiceError } from '../../common/service-error.js';
import type { RecordTypes } from '../../dns/rdata/index.js';
import { readRecordContent, type RecordContent } from '../record-content.js';
import { valueOf } from '../value-text.js';

/** What all records of a set have in common. */
export interface SetFields {
  readonly name: string;
  readonly type: string;
  readonly ttl: number | null;
  readonly description: string | null;
}

/**
 * Reads the records of a set. The very same text twice is one record.
 * @param read `readNewRecord` where the name of the set is new
 * @throws ServiceError `invalid_object` with an error for each text at fault, `change_not_allowed` for an SOA
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
 * Text without quotes that ends with a backslash was more likely cut off in an escape than meant: the original takes none.
 * @param known what the set has already, which may have come another way
 * @throws ServiceError `invalid_object`
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

/** What is wrong with the name or the type is so for all records. */
function addFault(errors: FieldError[], path: string, fault: FieldError): void {
  if (fault.path === 'data' || fault.path === 'priority')
    errors.push({ ...fault, path, message: fault.message.replace(/^(data|priority):/, `${path}:`) });
  else if (!errors.some((other) => other.path === fault.path)) errors.push(fault);
}
