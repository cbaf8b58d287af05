import { targetName } from '../form/names.js';

/** A record that a template adds. */
export interface TemplateRecord {
  /** Absolute. */
  readonly name: string;
  readonly type: string;
  readonly data: string;
  readonly priority: number | null;
  /** Seconds; left out: that of the zone. */
  readonly ttl?: number | null;
}

export type FieldName = 'verification' | 'mailHost' | 'dkimKey' | 'dkimHost' | 'dkimHost2';

export interface TemplateField {
  readonly name: FieldName;
  readonly isRequired: boolean;
}

export type Values = Readonly<Partial<Record<FieldName, string>>>;

interface Template {
  readonly fields: readonly TemplateField[];
  readonly records: (values: Values, zone: Names) => readonly TemplateRecord[];
}

const optional = (name: FieldName): TemplateField => ({ name, isRequired: false });
const required = (name: FieldName): TemplateField => ({ name, isRequired: true });

/** The records of a provider, checked with its documentation in November 2026. */
export const TEMPLATES = {
  // support.google.com/a/answer/174125 (MX), 33786 (SPF), 180504 (DKIM), 183895 (verification).
  google: {
    fields: [optional('verification'), optional('dkimKey')],
    records: ({ verification, dkimKey }, { zone, below }) => [
      ...text(zone, verification),
      mx(zone, 1, 'smtp.google.com.'),
      ...text(zone, 'v=spf1 include:_spf.google.com ~all'),
      ...text(below('google._domainkey'), dkimKey),
      ...text(below('_dmarc'), 'v=DMARC1; p=none'),
    ],
  },
  // learn.microsoft.com/microsoft-365/enterprise/external-domain-name-system-records. New domains get MX hosts below mx.microsoft and
  // DKIM hosts below dkim.mail.microsoft, so neither can be derived from the zone name.
  microsoft: {
    fields: [required('mailHost'), optional('verification'), optional('dkimHost'), optional('dkimHost2')],
    records: ({ mailHost, verification, dkimHost, dkimHost2 }, { zone, below, target }) => [
      ...text(zone, verification),
      ...(mailHost === undefined ? [] : [mx(zone, 0, target(mailHost))]),
      alias(below('autodiscover'), 'autodiscover.outlook.com.'),
      ...text(zone, 'v=spf1 include:spf.protection.outlook.com -all'),
      ...(dkimHost === undefined ? [] : [alias(below('selector1._domainkey'), target(dkimHost))]),
      ...(dkimHost2 === undefined ? [] : [alias(below('selector2._domainkey'), target(dkimHost2))]),
      ...text(below('_dmarc'), 'v=DMARC1; p=none'),
    ],
  },
  // www.fastmail.help/hc/en-us/articles/360060591153 (full list of DNS records).
  fastmail: {
    fields: [],
    records: (_, { zone, below }) => [
      mx(zone, 10, 'in1-smtp.messagingengine.com.'),
      mx(zone, 20, 'in2-smtp.messagingengine.com.'),
      ...text(zone, 'v=spf1 include:spf.messagingengine.com ?all'),
      ...['fm1', 'fm2', 'fm3'].map((selector) =>
        alias(below(`${selector}._domainkey`), `${selector}.${zone}dkim.fmhosted.com.`),
      ),
      ...text(below('_dmarc'), 'v=DMARC1; p=none'),
    ],
  },
  // proton.me/support/custom-domain and proton.me/support/anti-spoofing-custom-domain.
  proton: {
    fields: [optional('verification'), optional('dkimHost')],
    records: ({ verification, dkimHost }, { zone, below, target }) => [
      ...text(zone, verification),
      mx(zone, 10, 'mail.protonmail.ch.'),
      mx(zone, 20, 'mailsec.protonmail.ch.'),
      ...text(zone, 'v=spf1 include:_spf.protonmail.ch ~all'),
      ...(dkimHost === undefined
        ? []
        : ['protonmail', 'protonmail2', 'protonmail3'].map((selector) =>
            // The hosts of the three keys differ in the selector only.
            alias(below(`${selector}._domainkey`), target(dkimHost).replace(/^protonmail[23]?\./i, `${selector}.`)),
          )),
      ...text(below('_dmarc'), 'v=DMARC1; p=quarantine'),
    ],
  },
  // M3AAWG, Protecting Parked Domains (2015); RFC 7505 (null MX), RFC 8659 §4.2 (no certificates).
  parked: {
    fields: [],
    records: (_, names) => [
      ...withoutMail(names),
      ...text(names.below('*'), 'v=spf1 -all'),
      { name: names.zone, type: 'CAA', data: '0 issue ";"', priority: null },
    ],
  },
  // RFC 7505 (null MX), RFC 7208 §10.1.2 (SPF), RFC 7489 §6.3 (DMARC), RFC 6376 §3.6.1 (revoked DKIM keys).
  noMail: { fields: [], records: (_, names) => withoutMail(names) },
} as const satisfies Readonly<Record<string, Template>>;

export type TemplateName = keyof typeof TEMPLATES;
export const TEMPLATE_NAMES = Object.keys(TEMPLATES) as TemplateName[];
export const isTemplate = (name: string): name is TemplateName => Object.hasOwn(TEMPLATES, name);
export const fieldsOf = (template: TemplateName): readonly TemplateField[] => TEMPLATES[template].fields;

/** The records of a template. Fields that are empty add none. */
export function recordsOf(template: TemplateName, typed: Values, zone: string): readonly TemplateRecord[] {
  const filled = Object.entries(typed).flatMap(([name, value]) =>
    value.trim() === '' ? [] : [[name, value.trim()] as const],
  );
  const { records }: Template = TEMPLATES[template];
  return records(Object.fromEntries(filled), namesOf(zone));
}

interface Names {
  readonly zone: string;
  readonly below: (labels: string) => string;
  /** A typed host name, completed. */
  readonly target: (typed: string) => string;
}

const namesOf = (zone: string): Names => ({
  zone,
  below: (labels) => (zone === '.' ? `${labels}.` : `${labels}.${zone}`),
  target: (typed) => targetName(typed, zone),
});

function withoutMail({ zone, below }: Names): TemplateRecord[] {
  return [
    mx(zone, 0, '.'),
    ...text(zone, 'v=spf1 -all'),
    ...text(below('*._domainkey'), 'v=DKIM1; p='),
    ...text(below('_dmarc'), 'v=DMARC1; p=reject; sp=reject; adkim=s; aspf=s'),
  ];
}

const mx = (name: string, priority: number, data: string): TemplateRecord => ({ name, type: 'MX', data, priority });
const alias = (name: string, data: string): TemplateRecord => ({ name, type: 'CNAME', data, priority: null });
const text = (name: string, value: string | undefined): TemplateRecord[] =>
  value === undefined ? [] : [{ name, type: 'TXT', data: quoted(unquoted(value)), priority: null }];

/** A string of a TXT record has up to 255 octets. */
const LONGEST = 255;

function quoted(value: string): string {
  const strings = value.match(new RegExp(`.{1,${LONGEST}}`, 'gs')) ?? [''];
  return strings.map((one) => `"${one.replace(/["\\]/g, (character) => `\\${character}`)}"`).join(' ');
}

/** The text of TXT data, whose strings are joined. Providers show values with or without quotes. */
export function unquoted(data: string): string {
  if (!data.startsWith('"')) return data;
  const strings = [...data.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, one = '']) => one);
  return strings.join('').replace(/\\(["\\])/g, '$1');
}
