import { uuidOfName } from '../common/uuid.js';
import { FOR_ALL, type TemplateEntity, type TemplateRecord } from './template.entity.js';

const record = (name: string, type: string, data: string, priority: number | null = null): TemplateRecord => ({
  ...{ name, type, data },
  ...(priority !== null && { priority }),
});
const text = (name: string, value: string): TemplateRecord => record(name, 'TXT', `"${value}"`);

/** RFC 7505 (null MX), RFC 7208 §10.1.2 (SPF), RFC 7489 §6.3 (DMARC), RFC 6376 §3.6.1 (revoked DKIM keys). */
const NO_MAIL = [
  record('@', 'MX', '.', 0),
  text('@', 'v=spf1 -all'),
  text('*._domainkey', 'v=DKIM1; p='),
  text('_dmarc', 'v=DMARC1; p=reject; sp=reject; adkim=s; aspf=s'),
];
const MONITORED = text('_dmarc', 'v=DMARC1; p=none');

/** The records of `console/templates/`, which asks for the keys and hosts that a provider gives to each customer. */
export const BUILT_IN_TEMPLATES: readonly TemplateEntity[] = [
  // M3AAWG, Protecting Parked Domains (2015); RFC 8659 §4.2 (no certificates).
  builtIn('parked', 'No mail and no certificates', [
    ...NO_MAIL,
    text('*', 'v=spf1 -all'),
    record('@', 'CAA', '0 issue ";"'),
  ]),
  builtIn('no-mail', 'Sends and receives no mail', NO_MAIL),
  // RFC 8659 §4; letsencrypt.org/docs/caa.
  builtIn('caa-letsencrypt', "Certificates of Let's Encrypt only", [record('@', 'CAA', '0 issue "letsencrypt.org"')]),
  // support.google.com/a/answer/174125 (MX), 33786 (SPF).
  builtIn('google-workspace', 'Google Workspace mail; add its DKIM key', [
    record('@', 'MX', 'smtp.google.com.', 1),
    text('@', 'v=spf1 include:_spf.google.com ~all'),
    MONITORED,
  ]),
  // learn.microsoft.com/microsoft-365/enterprise/external-domain-name-system-records. The name of a zone does not tell its MX host.
  builtIn('microsoft-365', 'Microsoft 365 mail; add the MX and DKIM hosts of its admin center', [
    record('autodiscover', 'CNAME', 'autodiscover.outlook.com.'),
    text('@', 'v=spf1 include:spf.protection.outlook.com -all'),
    MONITORED,
  ]),
  // www.fastmail.help/hc/en-us/articles/360060591153.
  builtIn('fastmail', 'Fastmail', [
    record('@', 'MX', 'in1-smtp.messagingengine.com.', 10),
    record('@', 'MX', 'in2-smtp.messagingengine.com.', 20),
    text('@', 'v=spf1 include:spf.messagingengine.com ?all'),
    ...['fm1', 'fm2', 'fm3'].map((key) => record(`${key}._domainkey`, 'CNAME', `${key}.{zone}.dkim.fmhosted.com.`)),
    MONITORED,
  ]),
];

function builtIn(name: string, description: string, records: readonly TemplateRecord[]): TemplateEntity {
  const id = uuidOfName(`${name}.templates.zonewright`);
  return {
    ...{ id, tenantId: FOR_ALL, name, description },
    records: JSON.stringify(records),
    createdAt: 0,
    updatedAt: null,
  };
}

export function isBuiltIn({ id }: Pick<TemplateEntity, 'id'>): boolean {
  return BUILT_IN_TEMPLATES.some((one) => one.id === id);
}
