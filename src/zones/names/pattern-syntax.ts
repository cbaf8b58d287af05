/**
 * Reads patterns of zone names: regular expressions as Python and JavaScript both have them, without what cannot be matched
 * in linear time (look-around, back-references).
 */

/** What a pattern consists of. */
export type PatternNode =
  | { readonly kind: 'characters'; readonly set: CharacterSet }
  | { readonly kind: 'assertion'; readonly isHere: Assertion }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly min: number; readonly max: number };

/** Holds 1 at the code of each character that is meant. Names are ASCII, and are compared in lower case. */
export type CharacterSet = Uint8Array;

/** Whether a position in a text, given by the index of the character behind it, is what the pattern asks for. */
export type Assertion = (text: string, at: number) => boolean;

/** Text that is no pattern; the message says what is wrong. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/** @throws PatternError */
export function parsePattern(text: string): PatternNode {
  return new PatternReader(text.replace(FLAGS, '')).read();
}

/** At the beginning. They make no difference: names are compared without case, and are one line. */
const FLAGS = /^\(\?[ims]+\)/;
/** What stands behind `(?` where the group is one without a meaning of its own. */
const GROUP_BEGINNING = /^(?:[ims]*:|P?<[a-z_]\w*>)/i;
const QUANTIFIER = /^\{(?!\})(\d{0,9})(?:(,)(\d{0,9}))?\}/;
const TWO_DIGITS = /^[0-9a-f]{2}/i;
/** No name is longer. */
const MOST_REPETITIONS = 255;

class PatternReader {
  private at = 0;

  constructor(private readonly text: string) {}

  read(): PatternNode {
    const node = this.choice();
    if (this.at < this.text.length) throw new PatternError('a ) closes nothing');
    return node;
  }

  private choice(): PatternNode {
    const options = [this.sequence()];
    while (this.take('|')) options.push(this.sequence());
    return { kind: 'choice', options };
  }

  private sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.at < this.text.length && !this.isNext('|') && !this.isNext(')')) parts.push(this.repeated());
    return { kind: 'sequence', parts };
  }

  private repeated(): PatternNode {
    const part = this.atom();
    const range = this.quantifier();
    if (range === null) return part;
    if (part.kind === 'assertion') throw new PatternError('there is nothing to repeat');
    // Whether as much or as little as possible is taken makes no difference here.
    this.take('?');
    if (this.isNext('*') || this.isNext('+') || this.isNext('?') || this.isQuantifierNext())
      throw new PatternError('a quantifier stands behind another');
    const [min, max] = range;
    if (min > max) throw new PatternError('a quantifier has its limits in the wrong order');
    if (min > MOST_REPETITIONS || (max > MOST_REPETITIONS && max !== Infinity))
      throw new PatternError(`a quantifier is above ${MOST_REPETITIONS}`);
    return { kind: 'repeat', part, min, max };
  }

  private quantifier(): readonly [min: number, max: number] | null {
    if (this.take('*')) return [0, Infinity];
    if (this.take('+')) return [1, Infinity];
    if (this.take('?')) return [0, 1];
    const [whole, min, comma, max] = this.match(QUANTIFIER) ?? [];
    if (whole === undefined) return null;
    this.at += whole.length;
    if (comma === undefined) return [Number(min), Number(min)];
    return [Number(min), max === '' ? Infinity : Number(max)];
  }

  private isQuantifierNext(): boolean {
    return this.match(QUANTIFIER) !== null;
  }

  private atom(): PatternNode {
    const character = this.next();
    if (character === '(') return this.group();
    if (character === '[') return characters(this.characterClass());
    if (character === '.') return characters(complementOf(setOf('')));
    if (character === '^') return { kind: 'assertion', isHere: isBegin };
    if (character === '$') return { kind: 'assertion', isHere: isEnd };
    if (character === '\\') return this.escaped();
    if ('*+?'.includes(character)) throw new PatternError('there is nothing to repeat');
    return characters(setOf(character));
  }

  private group(): PatternNode {
    if (this.take('?')) {
      const [beginning] = this.match(GROUP_BEGINNING) ?? [];
      if (beginning === undefined)
        throw new PatternError('look-around, conditions and back-references are not possible');
      this.at += beginning.length;
    }
    const inner = this.choice();
    if (!this.take(')')) throw new PatternError('a ( is not closed');
    return inner;
  }

  private escaped(): PatternNode {
    const isHere = ASSERTIONS.get(this.text[this.at] ?? '');
    if (isHere === undefined) return characters(this.escapedSet());
    this.at += 1;
    return { kind: 'assertion', isHere };
  }

  /** What a backslash stands for that has been read. */
  private escapedSet(): CharacterSet {
    const character = this.next();
    const known = SETS.get(character);
    if (known !== undefined) return known;
    const [hex] = character === 'x' ? (this.match(TWO_DIGITS) ?? []) : [];
    if (hex !== undefined) {
      this.at += hex.length;
      return setOf(String.fromCharCode(parseInt(hex, 16)));
    }
    if (/[a-z0-9]/i.test(character)) throw new PatternError(`\\${character} stands for nothing here`);
    return setOf(character);
  }

  private characterClass(): CharacterSet {
    const isNegated = this.take('^');
    const members = [this.classMember()];
    while (!this.take(']')) members.push(this.classMember());
    const set = folded(unionOf(members));
    return isNegated ? complementOf(set) : set;
  }

  private classMember(): CharacterSet {
    const from = this.classCharacters();
    if (!this.isNext('-') || this.text[this.at + 1] === ']') return from;
    this.at += 1;
    const [first, last] = [onlyOf(from), onlyOf(this.classCharacters())];
    if (first === null || last === null || first > last) throw new PatternError('a range of characters has no order');
    return setBetween(first, last);
  }

  private classCharacters(): CharacterSet {
    if (this.at === this.text.length) throw new PatternError('a [ is not closed');
    const character = this.next();
    return character === '\\' ? this.escapedSet() : setOf(character);
  }

  private next(): string {
    const character = this.text[this.at];
    if (character === undefined) throw new PatternError('it ends too early');
    this.at += 1;
    return character;
  }

  private take(character: string): boolean {
    if (!this.isNext(character)) return false;
    this.at += 1;
    return true;
  }

  private isNext(character: string): boolean {
    return this.text[this.at] === character;
  }

  private match(expression: RegExp): RegExpExecArray | null {
    return expression.exec(this.text.slice(this.at));
  }
}

function characters(set: CharacterSet): PatternNode {
  return { kind: 'characters', set: folded(set) };
}

const ASCII = 128;
/** Between a letter in upper case and the same in lower case. */
const CASE = 0x20;

function setOf(members: string): CharacterSet {
  const set = new Uint8Array(ASCII);
  for (const member of members) set[asciiOf(member)] = 1;
  return set;
}

function asciiOf(character: string): number {
  const code = character.codePointAt(0) ?? ASCII;
  if (code < ASCII) return code;
  throw new PatternError('names of zones have no characters outside ASCII: write A-labels (xn--…)');
}

function setBetween(first: number, last: number): CharacterSet {
  return new Uint8Array(ASCII).fill(1, first, last + 1);
}

function unionOf(sets: readonly CharacterSet[]): CharacterSet {
  return new Uint8Array(ASCII).map((_, code) => (sets.some((set) => set[code] === 1) ? 1 : 0));
}

function complementOf(set: CharacterSet): CharacterSet {
  return set.map((isMember) => 1 - isMember);
}

/** With each letter in both cases. */
function folded(set: CharacterSet): CharacterSet {
  return set.map((isMember, code) => (isLetter(code) ? isMember | (set[code ^ CASE] ?? 0) : isMember));
}

function isLetter(code: number): boolean {
  return /[a-z]/i.test(String.fromCharCode(code));
}

/** The code of the one character that is meant, `null` where there are others. */
function onlyOf(set: CharacterSet): number | null {
  const first = set.indexOf(1);
  return first >= 0 && first === set.lastIndexOf(1) ? first : null;
}

const DIGITS = setBetween(0x30, 0x39);
const WORD = unionOf([DIGITS, folded(setBetween(0x61, 0x7a)), setOf('_')]);
const BLANKS = setOf(' \t\n\r\f\v');
const SETS: ReadonlyMap<string, CharacterSet> = new Map([
  ['d', DIGITS],
  ['D', complementOf(DIGITS)],
  ['w', WORD],
  ['W', complementOf(WORD)],
  ['s', BLANKS],
  ['S', complementOf(BLANKS)],
]);

const isBegin: Assertion = (_, at) => at === 0;
const isEnd: Assertion = (text, at) => at === text.length;
const isWordBoundary: Assertion = (text, at) => isWordAt(text, at - 1) !== isWordAt(text, at);
const ASSERTIONS: ReadonlyMap<string, Assertion> = new Map([
  ['A', isBegin],
  ['Z', isEnd],
  ['z', isEnd],
  ['b', isWordBoundary],
  ['B', (text, at) => !isWordBoundary(text, at)],
]);

function isWordAt(text: string, at: number): boolean {
  return WORD[text.charCodeAt(at)] === 1;
}
