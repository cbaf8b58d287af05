/** What one proxy says of the request that it was sent (RFC 7239 §4). Names of parameters are in lower case. */
export type ForwardedElement = ReadonlyMap<string, string>;

/** RFC 9110 §5.6.2 and §5.6.4. */
const TOKEN = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y;
const QUOTED = /"((?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x7e\x80-\xff])*)"/y;
const BLANKS = /[\t ]*/y;

/**
 * Reads a `Forwarded` header, or several that were joined by commas, by the grammar of RFC 7239 §4. Blanks around semicolons are
 * borne, since proxies are configured by hand. Time and memory grow with the length of the text alone.
 * @returns the elements, that of the client's own proxy first; `null` for a text that is no such header
 */
export function parseForwarded(text: string): readonly ForwardedElement[] | null {
  const reading = new Reading(text);
  const elements: ForwardedElement[] = [];
  do {
    const element = readElement(reading);
    if (element === null) return null;
    // RFC 9110 §5.6.1.2: a list may have empty elements.
    if (element.size > 0) elements.push(element);
  } while (reading.takes(','));
  return reading.isAtEnd ? elements : null;
}

function readElement(reading: Reading): ForwardedElement | null {
  const element = new Map<string, string>();
  do {
    const name = reading.match(TOKEN)?.[0].toLowerCase();
    if (name === undefined) continue;
    const value = reading.takes('=') ? readValue(reading) : null;
    // RFC 7239 §4: each parameter occurs once in an element.
    if (value === null || element.has(name)) return null;
    element.set(name, value);
  } while (reading.takes(';'));
  return element;
}

function readValue(reading: Reading): string | null {
  const quoted = reading.match(QUOTED);
  if (quoted !== null) return (quoted[1] ?? '').replace(/\\(.)/g, '$1');
  return reading.match(TOKEN)?.[0] ?? null;
}

class Reading {
  private at = 0;

  constructor(private readonly text: string) {}

  get isAtEnd(): boolean {
    return this.at === this.text.length;
  }

  /** Takes what stands here, and not behind blanks. */
  match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found !== null) this.at = pattern.lastIndex;
    return found;
  }

  /** Takes a delimiter; blanks may stand around commas and semicolons, and none around an equals sign. */
  takes(delimiter: ',' | ';' | '='): boolean {
    if (delimiter !== '=') this.match(BLANKS);
    if (this.text[this.at] !== delimiter) return false;
    this.at += 1;
    if (delimiter !== '=') this.match(BLANKS);
    return true;
  }
}
