import type { Finding } from '../api/types.js';
import { words } from '../words/index.js';

/** The compiler asks for a sentence for each kind of the API. */
const sentences = (): Readonly<Record<Finding['kind'], (type: string, text: string) => string>> => words.findings;

/** The finding as a sentence of the page, or of a newer service where the page has none. */
export function findingSentence({ kind, type, text = '', message }: Finding): string {
  const known = sentences();
  return Object.hasOwn(known, kind) ? known[kind](type, text) : message;
}
