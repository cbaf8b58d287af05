/**
 * The record types of octoDNS 1.22 as its YamlProvider reads and writes them. Each value is a text, or a mapping of
 * fields, whose order here is the order of the RDATA text.
 */
export interface OctodnsType {
  /** `value` only, not `values`. */
  readonly isSingle?: true;
  readonly form: OctodnsForm;
}

type OctodnsForm = 'word' | 'name' | 'strings' | 'service' | readonly OctodnsField[];

export interface OctodnsField {
  readonly key: string;
  /** `metres`: a number without its unit; `text`: a character string in presentation form, without its quotes. */
  readonly kind: 'number' | 'metres' | 'name' | 'word' | 'text';
  /** A former name of the field. */
  readonly alias?: string;
  readonly default?: string;
}

const number = (key: string, more: Partial<OctodnsField> = {}): OctodnsField => ({ key, kind: 'number', ...more });
const name = (key: string, more: Partial<OctodnsField> = {}): OctodnsField => ({ key, kind: 'name', ...more });
const word = (key: string): OctodnsField => ({ key, kind: 'word' });
const text = (key: string): OctodnsField => ({ key, kind: 'text' });
const metres = (key: string): OctodnsField => ({ key, kind: 'metres' });

const angle = (prefix: string): OctodnsField[] => [
  ...['degrees', 'minutes', 'seconds'].map((part) => number(`${prefix}_${part}`)),
  word(`${prefix}_direction`),
];

const TYPES: Readonly<Record<string, OctodnsType>> = {
  A: { form: 'word' },
  AAAA: { form: 'word' },
  CAA: { form: [number('flags', { default: '0' }), word('tag'), text('value')] },
  CNAME: { isSingle: true, form: 'name' },
  DNAME: { isSingle: true, form: 'name' },
  DS: { form: [number('key_tag'), number('algorithm'), number('digest_type'), word('digest')] },
  HTTPS: { form: 'service' },
  LOC: {
    form: [...angle('lat'), ...angle('long'), ...['altitude', 'size', 'precision_horz', 'precision_vert'].map(metres)],
  },
  MX: { form: [number('preference', { alias: 'priority' }), name('exchange', { alias: 'value' })] },
  NAPTR: {
    form: [
      ...[number('order'), number('preference'), text('flags'), text('service'), text('regexp')],
      name('replacement'),
    ],
  },
  NS: { form: 'name' },
  OPENPGPKEY: { form: 'word' },
  PTR: { form: 'name' },
  SPF: { form: 'strings' },
  SRV: { form: [number('priority'), number('weight'), number('port'), name('target')] },
  SSHFP: { form: [number('algorithm'), number('fingerprint_type'), word('fingerprint')] },
  SVCB: { form: 'service' },
  TLSA: {
    form: [
      number('certificate_usage', { default: '0' }),
      number('selector', { default: '0' }),
      number('matching_type', { default: '0' }),
      word('certificate_association_data'),
    ],
  },
  TXT: { form: 'strings' },
  URI: { form: [number('priority'), number('weight'), text('target')] },
};

export function octodnsType(type: string): OctodnsType | undefined {
  return Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
}

export const OCTODNS_TYPES: readonly string[] = Object.keys(TYPES);

/** Parameters of SVCB that octoDNS knows by name, by key (RFC 9460 §14.3.2). Others have the name `key` and number. */
export const SERVICE_PARAMETERS: readonly { readonly name: string; readonly isList: boolean }[] = [
  { name: 'mandatory', isList: true },
  { name: 'alpn', isList: true },
  { name: 'no-default-alpn', isList: false },
  { name: 'port', isList: false },
  { name: 'ipv4hint', isList: true },
  { name: 'ech', isList: false },
  { name: 'ipv6hint', isList: true },
];
