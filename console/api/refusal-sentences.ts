import type { Sentence, Told } from '../words/english-refusals.js';
import { words } from '../words/index.js';
import type { ErrorAnswer, FieldError } from './types.js';

/** The refusal as a sentence of the page, or of the service where the page has none. */
export function sentenceOf(answer: ErrorAnswer): string {
  const { reason, params, message, type } = answer;
  const fields = wordedFields(answer);
  if (fields.length > 0) return sentencesOf(fields);
  return said(reason, told(params)) ?? ownWords(TYPES, type) ?? message;
}

/** The refusal in the words of the page. */
export const worded = (answer: ErrorAnswer): ErrorAnswer => ({
  ...answer,
  message: sentenceOf(answer),
  errors: wordedFields(answer),
});

/** The errors of fields, each in such a sentence. */
export function wordedFields({ errors = [] }: Pick<ErrorAnswer, 'errors'>): FieldError[] {
  return errors.map((error) => ({
    ...error,
    message: said(error.code, { ...told(error.params), at: fieldAt(error.path) }) ?? withoutPath(error),
  }));
}

const QUOTED = 3;

function sentencesOf(fields: readonly FieldError[]): string {
  const quoted = fields.slice(0, QUOTED).map(({ message }) => message);
  const others = fields.length - quoted.length;
  return [...quoted, ...(others > 0 ? [words.answers.andOthers(others)] : [])].join(' ');
}

/** The compiler asks for a sentence for each word of the API, or for its absence. */
const SENTENCES: Readonly<Record<FieldError['code'], Sentence | null>> = words.refusals;

/** A service of another release may have words that this page has not. */
const said = (code: string, facts: Told): string | null => ownWords<Sentence | null>(SENTENCES, code)?.(facts) ?? null;

const TYPES: Readonly<Record<ErrorAnswer['type'], string | null>> = words.refusalTypes;

/** The service begins with the path of a field, such as `changes[0].record.ttl`, which only programs know. */
function withoutPath({ path, message }: FieldError): string {
  const own = path.replace(/^changes\[\d+\]\.(?:record\.)?/, '');
  const start = [path, own].find((one) => /^[\w.[\]]+$/.test(one) && message.startsWith(one));
  if (start === undefined) return message;
  const rest = message.slice(start.length);
  if (rest.startsWith(': ')) return rest.charAt(2).toUpperCase() + rest.slice(3);
  if (!rest.startsWith(' ')) return message;
  return `${ownWords(words.fieldNames, fieldAt(path)) ?? words.answers.value}${rest}`;
}

const ownWords = <T>(catalogue: Readonly<Record<string, T>>, word: string): T | undefined =>
  Object.hasOwn(catalogue, word) ? catalogue[word] : undefined;

function told(params: ErrorAnswer['params']): Told {
  const known = Object.entries(params).flatMap(([name, value]) =>
    value === null ? [] : [[name, words.answers.shown(value)] as const],
  );
  return Object.fromEntries(known);
}

/** `changes[0].record.ttl` and `ttl` are about a TTL; a field of record data has a label of its type. */
const fieldAt = (path: string): string => /(?:^|\.)(?<!\bfields\.)(\w+)(?:\[\d+\])?$/.exec(path)?.[1] ?? '';
