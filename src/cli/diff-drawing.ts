import { styleText } from 'node:util';
import type { RecordDifference } from '../history/record-differences.js';
import type { RecordSnapshot } from '../zones/journal-format.js';

/** Text of a diff as it is to be read: with colours on a terminal, plain elsewhere. */
export class DiffDrawing {
  constructor(private readonly hasColours: boolean) {}

  /** What is compared with what, above the differences. */
  header(before: string, after: string): string {
    return `--- ${before}\n+++ ${after}\n`;
  }

  /** One line for what was and one for what is, each where there is such. */
  record({ before, after }: Pick<RecordDifference, 'before' | 'after'>): string {
    return (
      (before === null ? '' : this.line('red', `-${textOf(before)}`)) +
      (after === null ? '' : this.line('green', `+${textOf(after)}`))
    );
  }

  private line(colour: 'red' | 'green', text: string): string {
    return `${this.hasColours ? styleText(colour, text, { validateStream: false }) : text}\n`;
  }
}

/** Standard output decides, and NO_COLOR and its like with it. */
export function drawingForOutput(): DiffDrawing {
  return new DiffDrawing(process.stdout.isTTY && process.stdout.hasColors());
}

/** `www.example.org. 300 A 192.0.2.3 ; description`, fit for a terminal. */
function textOf({ name, ttl, type, priority, data, description }: RecordSnapshot): string {
  const fields = [name, ttl, type, priority, data, description === null ? null : `; ${description}`];
  return withoutControls(fields.filter((field) => field !== null).join(' '));
}

/** Text of tenants must not steer the terminal of an operator. */
export function withoutControls(text: string): string {
  return text.replace(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`);
}
