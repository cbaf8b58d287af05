import { type ErrorCode, type FieldError, ServiceError } from './service-error.js';

/** Labels of a zone or of a record set, by key (behaviour 7.7). */
export type Labels = Readonly<Record<string, string>>;

/** Names the owner of a record set or of a zone: `zonewright apply --owner` (behaviour 17.14). */
export const OWNER_LABEL = 'owner';

/** With the value `true`, PTR records follow the addresses of a zone or of a record set (behaviour 26.1). */
const REVERSE_LABEL = 'reverse';

/** One condition of a list; `value: null`: any. */
export interface LabelFilter {
  readonly key: string;
  readonly value: string | null;
}

export const MOST_LABELS = 16;
const LONGEST = 63;
export const MOST_FILTERS = 8;
/** Characters of a key that an error quotes: a key may be as long as the body. */
const QUOTED = 64;
const KEY = /^(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?\/)?[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i;
const VALUE = /^[a-z0-9._/-]*$/i;
const KEY_FORM = `a key is 1 to ${LONGEST} of the characters A-Z a-z 0-9 . _ -, as in "team" or "example.org/team"`;
const VALUE_FORM = `a value is a text of at most ${LONGEST} of the characters A-Z a-z 0-9 . _ / -`;

/** @throws ServiceError `invalid_object` with one error for each invalid label */
export function readLabels(sent: unknown): Labels {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    throw ServiceError.ofField('invalid_object', 'labels', 'type', 'labels: an object of texts is needed.');
  const entries = Object.entries(sent);
  if (entries.length > MOST_LABELS)
    throw ServiceError.ofField(
      'invalid_object',
      'labels',
      'maximum',
      `labels: ${entries.length} are more than ${MOST_LABELS}; remove some.`,
    );
  const faults = entries.flatMap(([key, value]) => faultOf(key, value) ?? []);
  if (faults.length > 0) throw ServiceError.ofFields('invalid_object', faults);
  return inOrder(entries as [string, string][]);
}

function faultOf(key: string, value: unknown): FieldError | null {
  const path = `labels.${key.slice(0, QUOTED)}`;
  if (!isKey(key)) return { path, validator: 'format', message: `${path}: ${KEY_FORM}.` };
  return isValue(value) ? null : { path, validator: 'format', message: `${path}: ${VALUE_FORM}.` };
}

/** The texts `key` and `key=value`, all of which must hold. @throws ServiceError with this code */
export function readLabelFilters(texts: readonly unknown[], code: ErrorCode): readonly LabelFilter[] {
  if (texts.length > MOST_FILTERS)
    throw ServiceError.ofField(code, 'label', 'maximum', `label: at most ${MOST_FILTERS} are allowed.`);
  return texts.map((text) => {
    const [, key, value = null] = typeof text === 'string' ? (/^([^=]*)(?:=(.*))?$/.exec(text) ?? []) : [];
    if (key !== undefined && isKey(key) && (value === null || isValue(value))) return { key, value };
    const message = `label: write key or key=value; ${KEY_FORM}, ${VALUE_FORM}.`;
    throw ServiceError.ofField(code, 'label', 'format', message);
  });
}

function isKey(text: string): boolean {
  return text.length <= LONGEST && KEY.test(text);
}

function isValue(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST && VALUE.test(value);
}

/** Equal labels have equal JSON. */
function inOrder(entries: readonly (readonly [string, string])[]): Labels {
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

export interface LabelsColumn {
  readonly labels: string | null;
}

export function labelsOf({ labels }: LabelsColumn): Labels {
  // Only `labelsColumn` writes the column.
  return labels === null ? NO_LABELS : (JSON.parse(labels) as Labels);
}

const NO_LABELS: Labels = {};

export function isFollowedBack(of: LabelsColumn): boolean {
  return of.labels !== null && labelsOf(of)[REVERSE_LABEL] === 'true';
}

export function labelsColumn(labels: Labels): string | null {
  return Object.keys(labels).length === 0 ? null : JSON.stringify(labels);
}

export function hasLabels(labels: Labels, filters: readonly LabelFilter[]): boolean {
  return filters.every(({ key, value }) => Object.hasOwn(labels, key) && (value === null || labels[key] === value));
}
