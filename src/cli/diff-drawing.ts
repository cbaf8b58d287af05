import { styleText } from 'node:util';
import { formatInstant } from '../common/clock.js';
import type { Difference } from '../history/record-differences.js';
import type { RecordSnapshot } from '../plugins/change-listener.js';

export class DiffDrawing {
  constructor(private readonly hasColours: boolean) {}

  header(before: string, after: string): string {
    return `--- ${before}\n+++ ${after}\n`;
  }

  record({ before, after }: Pick<Difference, 'before' | 'after'>): string {
    return (
      (before === null ? '' : this.line('red', `-${textOf(before)}`)) +
      (after === null ? '' : this.line('green', `+${textOf(after)}`))
    );
  }

  label({ name, type, label }: { readonly name: string; readonly type: string; readonly label: string }): string {
    return this.line('green', `+${withoutControls(name)} ${type} label ${label}`);
  }

  private line(colour: 'red' | 'green', text: string): string {
    return `${this.hasColours ? styleText(colour, text, { validateStream: false }) : text}\n`;
  }
}

/** Uses color if standard output supports it (NO_COLOR). */
export function drawingForOutput(): DiffDrawing {
  return new DiffDrawing(process.stdout.isTTY && process.stdout.hasColors());
}

/** `www.example.org. 300 A 192.0.2.3 ; description`, fit for a terminal. */
function textOf({ name, ttl, type, priority, data, description, expiresAt = null }: RecordSnapshot): string {
  const expiry = expiresAt === null ? null : `; until ${formatInstant(expiresAt)}`;
  const fields = [name, ttl, type, priority, data, description === null ? null : `; ${description}`, expiry];
  return withoutControls(fields.filter((field) => field !== null).join(' '));
}

/** Escapes control characters: text of tenants must not steer the terminal. */
export function withoutControls(text: string): string {
  return text.replace(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`);
}

/** Characters. */
const PIECE = 65_536;

/** Formats a whole diff in pieces; empty without differences. */
export async function* drawnDifferences(
  differences: AsyncIterable<Difference>,
  titles: readonly [string, string],
  onDifference: () => void = () => undefined,
): AsyncGenerator<string> {
  const drawing = drawingForOutput();
  let header = drawing.header(...titles);
  let piece = '';
  for await (const difference of differences) {
    onDifference();
    piece += header + drawing.record(difference);
    header = '';
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
