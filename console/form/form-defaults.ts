/** Usual values of fields of a new record, by type and field. */
const DEFAULTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  MX: { priority: '10' },
  SRV: { priority: '10', weight: '0' },
  CAA: { flags: '0', tag: 'issue' },
  TLSA: { usage: '3', selector: '1', matching_type: '1' },
  SVCB: { priority: '1', target: '.' },
  HTTPS: { priority: '1', target: '.' },
};

export const defaultsOf = (type: string): Readonly<Record<string, string>> => DEFAULTS[type] ?? {};
