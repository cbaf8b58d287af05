import type { PlanFinding } from '../api/types.js';
import { entryAt, type FileEntry, startOfLine, type Token } from './file-entry.js';

/** A correction of a finding. */
export interface FileFix {
  readonly kind: 'dot' | 'quote' | 'leaveOut' | 'skipNameServers';
  /** The corrected file. It has the same number of lines. */
  readonly text: string;
}

/** The correction for a finding or an error, which has no kind, about a line of a file; `null`: none. */
export function fixOf(file: string, { kind, line, text = '' }: Partial<PlanFinding>): FileFix | null {
  if (kind === 'other_name_server') return { kind: 'skipNameServers', text: file };
  const entry = line === undefined ? null : entryAt(file, line);
  if (entry === null || line === undefined || entry.tokens.length === 0 || isDirective(entry)) return null;
  if (kind === 'missing_dot') return edited('dot', withDot(file, entry, line, text));
  if (kind === 'unspaced_spf') return edited('quote', withQuotes(file, entry));
  return edited('leaveOut', withoutEntry(file, entry));
}

/** Corrects all lost dots and quotes, each of which has one obvious correction. */
export function fixAll(file: string, findings: readonly PlanFinding[]): string {
  return findings.reduce((text, finding) => {
    const fix = isObvious(finding) ? fixOf(text, finding) : null;
    return fix?.text ?? text;
  }, file);
}

export const isObvious = ({ kind }: PlanFinding): boolean => kind === 'missing_dot' || kind === 'unspaced_spf';

const edited = (kind: FileFix['kind'], text: string | null): FileFix | null => (text === null ? null : { kind, text });

const isDirective = ({ tokens }: FileEntry): boolean => tokens[0]?.text.startsWith('$') ?? false;

/** @param meant the name with its final dot */
function withDot(file: string, entry: FileEntry, line: number, meant: string): string | null {
  const written = meant.slice(0, -1).toLowerCase();
  const isWritten = ({ text }: Token): boolean => text.toLowerCase() === written;
  const tokens = entry.tokens.filter(isWritten);
  if (tokens.length > 0) return dotted(file, tokens);
  for (let above = line - 1; entry.inheritsOwner && above > 0; above -= 1) {
    const start = startOfLine(file, above) ?? 0;
    if (/[\s;]/.test(file.charAt(start))) continue;
    const owner = entryAt(file, above)?.tokens[0];
    return owner !== undefined && isWritten(owner) ? dotted(file, [owner]) : null;
  }
  return null;
}

function dotted(file: string, tokens: readonly Token[]): string {
  return tokens.reduceRight((text, { end }) => `${text.slice(0, end)}.${text.slice(end)}`, file);
}

/** RFC 1035 §3.3: the maximum length of a character-string. */
const FULL_STRING = 255;

/** Puts the strings of a policy in one pair of quotes, with spaces between them. */
function withQuotes(file: string, { tokens }: FileEntry): string | null {
  const type = tokens.findIndex(({ text }) => /^(?:TXT|SPF)$/i.test(text));
  const [first, ...others] = tokens.slice(type + 1);
  if (type < 0 || first === undefined) return null;
  const policy = [first, ...others].map(({ text }) => contentOf(text)).reduce(joined);
  const strings = policy.match(new RegExp(`.{1,${FULL_STRING}}`, 'gs')) ?? [];
  const quoted = strings.map((string) => `"${string}"`).join(' ');
  const rest = others.reduceRight((text, { start, end }) => text.slice(0, start).trimEnd() + text.slice(end), file);
  const isOnOneLine = !file.slice(first.start, others.at(-1)?.end ?? first.end).includes('\n');
  // Line breaks in parentheses stay, so that later lines keep their numbers.
  const kept = isOnOneLine ? rest : others.reduceRight((text, { start, end }) => cut(text, start, end), file);
  return kept.slice(0, first.start) + quoted + kept.slice(first.end);
}

const cut = (text: string, start: number, end: number): string => text.slice(0, start) + text.slice(end);

const contentOf = (token: string): string => (token.startsWith('"') ? token.slice(1, -1) : token);

/** A string that was split at its maximum length continues without a space. */
const joined = (before: string, after: string): string =>
  before === '' || before.endsWith(' ') || after.startsWith(' ') || before.length % FULL_STRING === 0
    ? before + after
    : `${before} ${after}`;

/** Makes the entry a comment. An entry below that inherits its owner name gets the name. */
function withoutEntry(file: string, { start, end, tokens, inheritsOwner }: FileEntry): string {
  const comment = file.slice(start, end).replaceAll(/^|(?<=\n)/g, '; ');
  const rest = file.slice(end);
  const [owner] = tokens;
  const below = inheritsOwner || owner === undefined ? rest : rest.replace(INHERITING, `$1${safe(owner.text)}$2`);
  return file.slice(0, start) + comment + below;
}

/** The next entry, behind empty lines and comments, if it begins with a blank. */
const INHERITING = /^((?:\r?\n[ \t]*(?:;[^\n]*)?(?=\r?\n))*\r?\n)([ \t]+[^\s;])/;

/** For the replacement pattern of `replace`. */
const safe = (text: string): string => text.replaceAll('$', '$$$$');
