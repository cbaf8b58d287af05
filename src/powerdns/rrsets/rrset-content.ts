import { ServiceError } from '../../common/service-error.js';
import { isGenericText } from '../../dns/rdata/generic-rdata.js';
import type { RecordTypes } from '../../dns/rdata/index.js';
import { readRecordContent, type RecordContent } from '../../records/record-content.js';
import type { AnnotatedRecord } from '../../records/annotated-sets.repository.js';
import { textOfValue, valueOf } from '../../records/record-set-view.js';
import { unprocessable } from '../input.js';

/** Types whose text must be quoted, the most common client mistake. */
const QUOTED_TYPES: ReadonlySet<string> = new Set(['TXT', 'SPF']);
/** Types whose target is a host name. */
const HOST_TYPES: ReadonlySet<string> = new Set(['MX', 'NS', 'SRV']);
const QUOTED = 200;

interface SetOfContent {
  readonly name: string;
  readonly type: string;
  readonly ttl: number | null;
}

export function readContent(types: RecordTypes, set: SetOfContent, sentText: string): RecordContent {
  const { name, type } = set;
  const text = withSingleBlanks(sentText);
  const what = `Record ${name}/${type} '${text.slice(0, QUOTED)}'`;
  if (QUOTED_TYPES.has(type) && !text.startsWith('"') && !isGenericText(text))
    throw unprocessable(`${what}: Not in expected format (text stands in quotes)`);
  try {
    return readRecordContent(types, { ...set, ...valueOf(types, type, text) });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw unprocessable(`${what}: ${wordsFor(type, text)} (parsed as ${type}: ${error.message})`);
  }
}

const NEEDLESS_BLANKS = /^[ \t]|[ \t]$|[ \t]{2}|\t/;
/** Quoted text, an escaped character, or blanks. */
const BLANKS = /("(?:\\[^]|[^"\\])*"|\\[^])|[ \t]+/g;

/** Collapses and trims blanks outside of quotes, like PowerDNS since 5.1. */
function withSingleBlanks(text: string): string {
  if (!NEEDLESS_BLANKS.test(text)) return text;
  return text.replace(BLANKS, (blanks: string, kept: string | undefined, at: number) => {
    if (kept !== undefined) return kept;
    return at === 0 || at + blanks.length === text.length ? '' : ' ';
  });
}

const SPECIAL_OUTSIDE_QUOTES = /^(?:"(?:\\[^]|[^"\\])*"|\\[^]|[^"\\();])*([();])/;

function wordsFor(type: string, text: string): string {
  if (text === '') return `missing field at the end of record content '': Not in expected format`;
  const [, character] = SPECIAL_OUTSIDE_QUOTES.exec(text) ?? [];
  if (character !== undefined) return `Invalid character '${character}' in record content: Not in expected format`;
  return HOST_TYPES.has(type) ? `IN ${type}: non-hostname content or Not in expected format` : 'Not in expected format';
}

/** The display text of a stored record; `null` for an unknown type or unreadable data. */
export function textOfStored(types: RecordTypes, record: AnnotatedRecord): string | null {
  const type = types.stored(record.type);
  if (type === undefined) return null;
  if (!QUOTED_TYPES.has(record.type) || record.data.startsWith('"')) return textOfValue(record);
  try {
    return type.toText(Buffer.from(record.rdata, 'hex'));
  } catch {
    return null;
  }
}
