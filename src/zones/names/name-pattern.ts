/** Matches anywhere in a name with its final dot, in any letter case. */
export type NamePattern = (name: string) => boolean;

export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/** Program steps. Enough for a pattern of 255 characters without nested quantifiers; bounds the time of a match. */
const MAX_STEPS = 4000;
/** RE2 permits 1000, which a long pattern can repeat 25 times. */
const MAX_REPETITIONS = 255;
const REPETITIONS = /(\d+)\}/g;
/** An escape, a character class, or a quantifier without minimum, which RE2 reads as text. */
const TOKENS = /\\[^]|\[\^?\]?(?:\\[^]|[^\]\\])*\]|\{,(\d*)\}/g;

/** Reads a regular expression of Python without look-around and back-references: RE2 needs linear time. @throws PatternError */
export async function parseNamePattern(text: string): Promise<NamePattern> {
  if (/[^\0-\x7f]/.test(text))
    throw new PatternError('names of zones have no characters outside ASCII: write A-labels (xn--…)');
  for (const [, maximum] of text.matchAll(REPETITIONS))
    if (Number(maximum) > MAX_REPETITIONS) throw new PatternError(`a quantifier is above ${MAX_REPETITIONS}`);
  const syntax = text.replace(TOKENS, (token, maximum?: string) => {
    if (token === String.raw`\Z`) return String.raw`\z`;
    return maximum === undefined ? token : `{0,${maximum}}`;
  });
  // 260 KB that only services with a blacklist need.
  const { RE2JS, RE2JSSyntaxException } = await import('re2js');
  try {
    const expression = RE2JS.compile(syntax, RE2JS.CASE_INSENSITIVE);
    if (expression.programSize() <= MAX_STEPS) return (name) => expression.test(name);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    throw new PatternError(`${error.getDescription()} in ${error.getPattern() ?? text}`);
  }
  throw new PatternError('it is too large once its quantifiers are expanded');
}
