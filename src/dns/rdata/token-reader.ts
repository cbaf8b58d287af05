import { type DomainName, quoted } from '../name.js';
import { RdataError } from './rdata-error.js';

/** A token of record data (RFC 1035 §5.1): the text between blanks or quotes, its escapes still in it. */
export interface Token {
  readonly text: string;
  readonly quoted: boolean;
}

/** Reads the tokens of one record's data one after the other. `label` names what is read in the error. */
export class TokenReader {
  private at = 0;

  constructor(
    private readonly tokens: readonly Token[],
    /** Completes relative names in a master file. API data has none: its names are absolute, its numbers plain. */
    readonly origin?: DomainName,
  ) {}

  get isAtEnd(): boolean {
    return this.at === this.tokens.length;
  }

  /** The next token, which stays to be read; undefined at the end. */
  peek(): Token | undefined {
    return this.tokens[this.at];
  }

  skip(): void {
    this.at++;
  }

  /** @throws RdataError at the end */
  next(label: string): Token {
    const token = this.tokens[this.at++];
    if (!token) throw new RdataError(`the ${label} is missing: add it`);
    return token;
  }

  /**
   * The text of the next token, which may not stand in quotes: that of a name or a number.
   * @throws RdataError
   */
  unquoted(label: string): string {
    const token = this.next(label);
    if (token.quoted) throw new RdataError(`the ${label} ${quoted(token.text)} stands in quotes: leave them out`);
    return token.text;
  }

  /**
   * The texts of all tokens that are left, at least one.
   * @throws RdataError
   */
  allUnquoted(label: string): string[] {
    const texts = [this.unquoted(label)];
    while (!this.isAtEnd) texts.push(this.unquoted(label));
    return texts;
  }

  /** @throws RdataError where a token is left */
  assertAtEnd(): void {
    const extra = this.peek();
    if (extra) throw new RdataError(`${quoted(extra.text)} is one item too many: leave it out`);
  }
}
