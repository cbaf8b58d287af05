import { englishFields } from './english-fields.js';
import { englishCommonTypes, englishOtherTypes } from './english-types.js';
import { count, duration, number, records } from './numbers.js';

const list = new Intl.ListFormat('en');

export const englishForm = {
  add: 'Add record',
  edit: 'Edit record',
  type: 'Type',
  name: 'Name',
  fullName: (full: string) => `= ${full}`,
  allowedNames: (names: readonly string[]) => `Your token can change only ${list.format(names)}.`,
  nameHint: 'Use @ for the zone itself. End with a dot for a full name.',
  ttl: 'TTL',
  ttlHint: (typed: number | null, ofZone: number) =>
    typed === null
      ? `Seconds, or a value like 5m or 1h. Leave it empty for the zone’s TTL, ${duration(ofZone)}.`
      : `= ${duration(typed)}`,
  ttlOfSet: (type: string, ttl: number) =>
    `All ${type} records at this name share one TTL: ${duration(ttl)}, the lowest.`,
  comment: 'Comment',
  expires: 'Expires at',
  expiresHint: 'A duration from now, like 1d, or a time, like 2027-01-31 18:00. Leave it empty to keep the record.',
  useName: (name: string) => `Use ${name}`,
  preview: 'Preview',
  common: englishCommonTypes,
  others: englishOtherTypes,
  commonTypes: 'Common types',
  otherTypes: 'Other types',
  typeOption: (type: string, purpose: string | undefined) => (purpose === undefined ? type : `${type}: ${purpose}`),
  presetsLabel: 'Usual values',
  presets: { '': 'Zone default', '5m': '5 min', '1h': '1 h', '1d': '1 day' },
  otherValue: 'Another value…',
  knownValues: (label: string) => `Values of ${label}`,
  notDuration: 'Enter seconds, or a value like 5m or 1h.',
  spfLookups: (n: number, most: number) => `SPF: ${n} of ${most} DNS lookups. Records that it includes add their own.`,
  spfTooMany: (n: number, most: number) =>
    `SPF: ${count(n, 'DNS lookup', 'DNS lookups')}. Receivers stop after ${most} and report an error. Remove some terms.`,
  fieldHints: englishFields,
  data: 'Data',
  text: 'Data as text',
  asText: 'Enter data as text',
  asFields: 'Enter data in fields',
  parameter: 'Parameter',
  addValue: 'Add another value',
  removeValue: (label: string, position: number) => `Remove ${label} ${position}`,
  example: (example: string) => `For example ${example}`,
  choice: (value: string | number, label: string) => `${value} – ${label}`,
  choose: 'Choose…',
  octets: (n: number) =>
    n > 255
      ? `${count(n, 'octet', 'octets')}, sent as ${number.format(Math.ceil(n / 255))} strings of up to 255`
      : count(n, 'octet', 'octets'),
  notNumber: (label: string) => `${label} has to be a whole number.`,
  missing: (label: string) => `Enter the ${label}.`,
  submit: 'Add to changes',
  checking: 'Checking…',
  pastedLine: 'Filled in from the pasted record.',
};

export const englishBulk = {
  title: (n: number) => `Edit ${records(n)}`,
  ttl: 'TTL',
  ttlHint: (typed: number | null) =>
    typed === null
      ? 'Seconds, or a value like 5m or 1h. Leave it empty to keep the TTL of each record.'
      : `= ${duration(typed)}`,
  comment: 'Comment',
  commentHint: 'Leave it empty to keep the comment of each record.',
  find: 'Find in data',
  replace: 'Replace with',
  add: 'Add to changes',
  nothing: 'Choose at least one change.',
  none: 'None of the selected records would change.',
  badTtl: 'Enter seconds, or a value like 5m or 1h.',
};
