import type { FieldDescription, RecordType, RecordTypes, StoredRecord } from '../api/types.js';
import { type Entry, type RecordDraft } from '../changes/pending.js';
import { secondsIn, timeIn } from '../parts/duration.js';
import { fieldsOfWords, readFields, type TypedFields, typedFields } from './field-values.js';
import { defaultsOf } from './form-defaults.js';
import { fullName, type PastedLine, relativeName } from './names.js';
import type { FormStart } from './form-start.js';

/** The form content, exactly as typed. */
export interface FormContent {
  readonly type: string;
  readonly name: string;
  readonly ttl: string;
  readonly comment: string;
  readonly expires: string;
  readonly fields: TypedFields;
  /** Whether the data field is a single text. */
  readonly isText: boolean;
  readonly text: string;
  /** The number that stands before the text of an MX or SRV record. */
  readonly priority: string;
}

const FIRST_TYPE = 'A';

/** The fields of a type; the one that `priority` is stands first. */
export function descriptionsOf(type: RecordType | undefined): readonly FieldDescription[] {
  if (type === undefined) return [];
  return type.priority === null ? type.fields : [type.priority, ...type.fields];
}

/** @param name the name of a new record */
export function startContent(start: FormStart, types: RecordTypes, zone: string, name = ''): FormContent {
  const draft = start.kind === 'edit' ? (start.draft ?? start.before) : start.draft;
  if (draft === null) return withType({ ...emptyContent(), name }, firstType(types), types);
  return contentOf(draft, types, zone);
}

const firstType = ({ record_types: types }: RecordTypes): string =>
  types.find(({ name }) => name === FIRST_TYPE)?.name ?? types[0]?.name ?? FIRST_TYPE;

function emptyContent(): FormContent {
  return { type: '', name: '', ttl: '', comment: '', expires: '', fields: {}, isText: false, text: '', priority: '' };
}

/** A record in the form, by fields where they are known. */
export function contentOf(draft: RecordDraft | StoredRecord, types: RecordTypes, zone: string): FormContent {
  const type = types.record_types.find(({ name }) => name === draft.type);
  const hasFields = draft.fields !== undefined && draft.fields !== null && type !== undefined;
  const priority = draft.priority === null ? '' : String(draft.priority);
  return {
    type: draft.type,
    name: relativeName(draft.name, zone),
    ttl: draft.ttl === null ? '' : String(draft.ttl),
    comment: draft.description ?? '',
    expires: draft.expires_at ?? '',
    fields: typedFields(descriptionsOf(type), {
      ...(draft.fields ?? {}),
      ...(type?.priority && { priority: draft.priority }),
    }),
    isText: !hasFields,
    text: draft.data,
    priority,
  };
}

export function withType(content: FormContent, name: string, types: RecordTypes): FormContent {
  const type = types.record_types.find((one) => one.name === name);
  return {
    ...content,
    type: name,
    fields: typedFields(descriptionsOf(type), defaultsOf(name)),
    isText: type === undefined,
    text: '',
    priority: defaultsOf(name).priority ?? '',
  };
}

/** The data of a line of a zone file in the form: by fields where each word is one, otherwise as text. */
export function withLine(content: FormContent, { name, ttl, type, data }: PastedLine, types: RecordTypes): FormContent {
  const next = { ...withType(content, type, types), name, ttl };
  const fields = fieldsOfWords(descriptionsOf(types.record_types.find((one) => one.name === type)), data);
  return fields === null ? { ...next, isText: true, text: data } : { ...next, fields };
}

/** Whether the data is empty or as the form began with it. */
export function isUntouched({ isText, text, fields, type: name }: FormContent, type: RecordType | undefined): boolean {
  if (isText) return text === '';
  const defaults = defaultsOf(name);
  return descriptionsOf(type).every(({ name: field }) =>
    (fields[field] ?? []).every((value) => value === '' || value === defaults[field]),
  );
}

export interface ReadContent {
  /** `null` where something is missing that only the form knows of. */
  readonly record: RecordDraft | null;
  /** By the controls of the form. */
  readonly faults: Readonly<Record<string, 'missing' | 'not a number' | 'not a duration'>>;
}

const isInteger = (text: string): boolean => /^\s*\d+\s*$/.test(text);

/** The record in the form. The service validates it. */
export function readContent(content: FormContent, type: RecordType | undefined, zone: string): ReadContent {
  const ttl = secondsIn(content.ttl);
  const ttlFault = content.ttl.trim() !== '' && ttl === null ? ({ ttl: 'not a duration' } as const) : {};
  const data = content.isText ? readText(content, type) : readByFields(content, type, zone);
  const faults = { ...ttlFault, ...data.faults };
  if (Object.keys(faults).length > 0) return { record: null, faults };
  const record = {
    name: fullName(content.name, zone),
    type: content.type,
    ttl,
    description: content.comment === '' ? null : content.comment,
    ...(content.expires.trim() !== '' && { expires_at: timeIn(content.expires, new Date()) }),
    ...data.said,
  };
  return { record, faults: {} };
}

interface Said {
  readonly said: Pick<RecordDraft, 'data' | 'priority'> & Partial<Pick<RecordDraft, 'fields'>>;
  readonly faults: ReadContent['faults'];
}

function readText({ text, priority }: FormContent, type: RecordType | undefined): Said {
  const needsPriority = (type?.priority ?? null) !== null;
  const faults = needsPriority && !isInteger(priority) ? ({ 'fields.priority': 'not a number' } as const) : {};
  return { said: { data: text, priority: needsPriority ? Number(priority) : null }, faults };
}

function readByFields({ fields: typed }: FormContent, type: RecordType | undefined, zone: string): Said {
  const read = readFields(descriptionsOf(type), typed, zone);
  const faults = Object.fromEntries(Object.entries(read.faults).map(([name, fault]) => [`fields.${name}`, fault]));
  const description = type?.priority ?? null;
  // Until the service has written it.
  const data = (type?.fields ?? []).flatMap(({ name }) => typed[name] ?? []).join(' ');
  if (description === null) return { said: { data, fields: read.fields, priority: null }, faults };
  const { [description.name]: priority, ...fields } = read.fields;
  return { said: { data, fields, priority: typeof priority === 'number' ? priority : null }, faults };
}

/** The entry in the form. */
export function entryOf(start: FormStart, key: string, record: RecordDraft): Entry {
  if (start.kind === 'edit' && start.before !== null)
    return { action: 'update', key: start.key, before: start.before, record };
  return { action: 'create', key: start.kind === 'edit' ? start.key : key, record };
}
