/** DNS lookups that receivers allow (RFC 7208 §4.6.4). */
export const MOST_SPF_LOOKUPS = 10;

const MECHANISMS: ReadonlySet<string> = new Set(['include', 'a', 'mx', 'ptr', 'exists']);

/**
 * Counts the terms of an SPF value that cause DNS queries; records that it includes cause more. `null`: no SPF value.
 * Receivers ignore mechanisms after `all`, and `redirect` next to `all` (RFC 7208 §5.1, §6.1).
 */
export function spfLookups(text: string): number | null {
  const [version = '', ...terms] = text.trim().toLowerCase().split(/ +/);
  if (version !== 'v=spf1') return null;
  const all = terms.findIndex((term) => /^[+?~-]?all$/.test(term));
  const mechanisms = all < 0 ? terms : terms.slice(0, all);
  const lookups = mechanisms.filter((term) => MECHANISMS.has(/^[+?~-]?([a-z]+)(?=$|[:/])/.exec(term)?.[1] ?? ''));
  const redirects = all < 0 && terms.some((term) => term.startsWith('redirect=')) ? 1 : 0;
  return lookups.length + redirects;
}

/** The value of TXT data in presentation form: its strings joined, as receivers do (RFC 7208 §3.3). */
export function joinedStrings(data: string): string {
  const strings = data.match(/"(?:[^"\\]|\\.)*"|[^\s"]+/gs) ?? [];
  return strings.map((string) => string.replace(/^"|"$/g, '').replace(/\\(.)/gs, '$1')).join('');
}
