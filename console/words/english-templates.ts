import { changes, count, records } from './numbers.js';

/** Texts of the templates: records of mail providers, and of domains without mail. */
export const englishTemplates = {
  button: 'Add from template',
  title: 'Add from template',
  choose: 'Template',
  missing: 'Choose a template.',
  names: {
    google: 'Google Workspace',
    microsoft: 'Microsoft 365',
    fastmail: 'Fastmail',
    proton: 'Proton Mail',
    parked: 'Parked domain',
    noMail: 'No mail',
  },
  says: {
    google: 'Delivers mail to Gmail, and permits Google to send mail for this domain.',
    microsoft: 'Delivers mail to Exchange Online, and lets Outlook find its settings.',
    fastmail: 'Delivers mail to Fastmail, and lets Fastmail sign mail of this domain.',
    proton: 'Delivers mail to Proton Mail, and permits Proton to send mail for this domain.',
    parked:
      'For a domain that has no website and no mail: receivers reject its mail, and CAs issue no certificates for it.',
    noMail: 'For a domain with a website but no mail: receivers reject mail that claims to come from it.',
  },
  fields: {
    google: {
      verification: {
        label: 'Verification text',
        hint: 'From the Google Admin console, such as google-site-verification=…',
      },
      dkimKey: {
        label: 'DKIM key',
        hint: 'From the Google Admin console, Authenticate email. It begins with v=DKIM1.',
      },
    },
    microsoft: {
      mailHost: {
        label: 'MX host',
        hint: 'From the Microsoft 365 admin center, such as example-org.mail.protection.outlook.com.',
      },
      verification: { label: 'Verification text', hint: 'From the Microsoft 365 admin center, such as MS=ms12345678.' },
      dkimHost: { label: 'Target of selector1', hint: 'From the Microsoft Defender portal, DKIM.' },
      dkimHost2: { label: 'Target of selector2', hint: 'From the Microsoft Defender portal, DKIM.' },
    },
    fastmail: {},
    proton: {
      verification: { label: 'Verification text', hint: 'From the Proton settings, such as protonmail-verification=…' },
      dkimHost: {
        label: 'First DKIM target',
        hint: 'From the Proton settings, such as protonmail.domainkey.….domains.proton.ch. The other two follow from it.',
      },
    },
    parked: {},
    noMail: {},
  } as Readonly<Record<string, Readonly<Record<string, { readonly label: string; readonly hint: string }>>>>,
  table: 'Records to add',
  columns: { name: 'Name', type: 'Type', data: 'Data', state: 'State' },
  states: { new: 'New', present: 'Already in the zone', kept: 'Not added' },
  conflicts: 'Conflicts with the zone',
  conflict: (name: string, type: string) => `${name} ${type}`,
  existing: 'In the zone now:',
  replace: (n: number) => `Replace: delete ${n === 1 ? 'this record' : `these ${records(n)}`}`,
  keep: (n: number) => `Keep: do not add ${count(n, 'record', 'records')} of the template`,
  notPermitted: 'Your token cannot delete records, so these stay.',
  nothing: 'The zone already has these records.',
  submit: 'Add to changes',
  added: (n: number) => `The template added ${changes(n)}. Review them before you apply.`,
};
