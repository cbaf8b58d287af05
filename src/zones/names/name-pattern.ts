import { parsePattern, type CharacterSet, PatternError, type PatternNode, type Assertion } from './pattern-syntax.js';

/** Where a match can stand: it needs a character or an assertion to go on, goes on in several ways, or is complete. */
type State =
  | { readonly kind: 'characters'; readonly set: CharacterSet; readonly next: number }
  | { readonly kind: 'assertion'; readonly isHere: Assertion; readonly next: number }
  | { readonly kind: 'split'; readonly ways: readonly number[] }
  | { readonly kind: 'match' };

const MATCH = 0;

/**
 * A pattern of names that is found anywhere in a name, in any case. All ways to match are followed side by side (Thompson's
 * construction), so that a name takes no longer than its length times that of the pattern, whatever the pattern is.
 */
export class NamePattern {
  private constructor(
    private readonly states: readonly State[],
    private readonly start: number,
  ) {}

  /** @throws PatternError */
  static parse(text: string): NamePattern {
    const writer = new StateWriter();
    const start = writer.write(parsePattern(text), MATCH);
    return new NamePattern(writer.states, start);
  }

  /** @param name with its final dot */
  matches(name: string): boolean {
    const text = name.toLowerCase();
    const seen = new Int16Array(this.states.length).fill(-1);
    let moved: number[] = [];
    for (let at = 0; at <= text.length; at += 1) {
      // A match may begin at each position.
      const reached = this.reach([this.start, ...moved], { text, at, seen });
      if (seen[MATCH] === at) return true;
      moved = this.move(reached, text.charCodeAt(at));
    }
    return false;
  }

  /** The states that are reached without reading a character. */
  private reach(from: number[], { text, at, seen }: Position): number[] {
    const reached: number[] = [];
    for (let index = from.pop(); index !== undefined; index = from.pop()) {
      if (seen[index] === at) continue;
      seen[index] = at;
      reached.push(index);
      const state = this.states[index];
      if (state?.kind === 'split') from.push(...state.ways);
      if (state?.kind === 'assertion' && state.isHere(text, at)) from.push(state.next);
    }
    return reached;
  }

  private move(reached: readonly number[], code: number): number[] {
    const moved: number[] = [];
    for (const index of reached) {
      const state = this.states[index];
      if (state?.kind === 'characters' && state.set[code] === 1) moved.push(state.next);
    }
    return moved;
  }
}

interface Position {
  readonly text: string;
  readonly at: number;
  /** For each state, the last position in the text at which it was reached. */
  readonly seen: Int16Array;
}

/** A pattern of 255 characters needs no more, unless quantifiers stand inside others. */
const MOST_STEPS = 2000;

/** Writes the states of a pattern, from its end to its beginning. */
class StateWriter {
  readonly states: State[] = [{ kind: 'match' }];
  private steps = 0;

  /**
   * @param next the state behind the node
   * @returns the state at its beginning
   */
  write(node: PatternNode, next: number): number {
    this.steps += 1;
    if (this.steps > MOST_STEPS) throw new PatternError('it is too large once its quantifiers are expanded');
    switch (node.kind) {
      case 'characters':
        return this.add({ kind: 'characters', set: node.set, next });
      case 'assertion':
        return this.add({ kind: 'assertion', isHere: node.isHere, next });
      case 'sequence':
        return node.parts.reduceRight((behind, part) => this.write(part, behind), next);
      case 'choice':
        return this.add({ kind: 'split', ways: node.options.map((option) => this.write(option, next)) });
      case 'repeat':
        return this.writeRepeat(node, next);
    }
  }

  private writeRepeat({ part, min, max }: Extract<PatternNode, { kind: 'repeat' }>, next: number): number {
    const [behind, written] = max === Infinity ? this.writeLoop(part, min, next) : [next, 0];
    let first = behind;
    for (let count = min; max !== Infinity && count < max; count += 1)
      first = this.add({ kind: 'split', ways: [this.write(part, first), next] });
    for (let count = written; count < min; count += 1) first = this.write(part, first);
    return first;
  }

  /** Any number of times, but once at least where `min` says so. Returns how often it is written at least. */
  private writeLoop(part: PatternNode, min: number, next: number): [first: number, written: number] {
    const ways = [next];
    const loop = this.add({ kind: 'split', ways });
    const first = this.write(part, loop);
    ways.push(first);
    return min === 0 ? [loop, 0] : [first, 1];
  }

  private add(state: State): number {
    return this.states.push(state) - 1;
  }
}
