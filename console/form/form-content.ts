import type { FieldDescription, RecordType, RecordTypes, StoredRecord } from '../api/types.js';
import { type Entry, type RecordDraft } from '../changes/pending.js';
import { readFields, type TypedFields, typedFields } from './field-values.js';
import { fullName, relativeName } from './names.js';
import type { FormStart } from './form-start.js';

/** What stands in the controls of the form, exactly as it was typed. */
export interface FormContent {
  readonly type: string;
  readonly name: string;
  readonly ttl: string;
  readonly comment: string;
  readonly expires: string;
  readonly fields: TypedFields;
  /** Whether the data is entered as one text. */
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

export function startContent(start: FormStart, types: RecordTypes, zone: string): FormContent {
  const draft = start.kind === 'edit' ? (start.draft ?? start.before) : start.draft;
  if (draft === null) return withType(emptyContent(), firstType(types), types);
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
    fields: typedFields(descriptionsOf(type), null),
    isText: type === undefined,
    text: '',
  };
}

export interface ReadContent {
  /** `null` where something is missing that only the form knows of. */
  readonly record: RecordDraft | null;
  /** By the controls of the form. */
  readonly faults: Readonly<Record<string, 'missing' | 'not a number'>>;
}

const isInteger = (text: string): boolean => /^\s*\d+\s*$/.test(text);

/** The record that somebody means. What needs judgement is left to the service. */
export function readContent(content: FormContent, type: RecordType | undefined, zone: string): ReadContent {
  const ttl = content.ttl.trim() === '' ? null : Number(content.ttl);
  const ttlFault = content.ttl.trim() !== '' && !isInteger(content.ttl) ? ({ ttl: 'not a number' } as const) : {};
  const data = content.isText ? readText(content, type) : readByFields(content, type);
  const faults = { ...ttlFault, ...data.faults };
  if (Object.keys(faults).length > 0) return { record: null, faults };
  const record = {
    name: fullName(content.name, zone),
    type: content.type,
    ttl,
    description: content.comment === '' ? null : content.comment,
    ...(content.expires.trim() !== '' && { expires_at: content.expires.trim() }),
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

function readByFields({ fields: typed }: FormContent, type: RecordType | undefined): Said {
  const read = readFields(descriptionsOf(type), typed);
  const faults = Object.fromEntries(Object.entries(read.faults).map(([name, fault]) => [`fields.${name}`, fault]));
  const description = type?.priority ?? null;
  // Until the service has written it.
  const data = (type?.fields ?? []).flatMap(({ name }) => typed[name] ?? []).join(' ');
  if (description === null) return { said: { data, fields: read.fields, priority: null }, faults };
  const { [description.name]: priority, ...fields } = read.fields;
  return { said: { data, fields, priority: typeof priority === 'number' ? priority : null }, faults };
}

/** The entry that the form stands for. */
export function entryOf(start: FormStart, key: string, record: RecordDraft): Entry {
  if (start.kind === 'edit' && start.before !== null)
    return { action: 'update', key: start.key, before: start.before, record };
  return { action: 'create', key: start.kind === 'edit' ? start.key : key, record };
}
