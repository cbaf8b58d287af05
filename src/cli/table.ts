import { withoutControls } from './diff-drawing.js';

/** Rows as lines with aligned columns, fit for a terminal. Rows that come later do not make a column narrower. */
export class Table {
  private readonly widths: number[] = [];

  lines(rows: readonly (readonly string[])[]): string[] {
    const shown = rows.map((row) => row.map(withoutControls));
    for (const row of shown)
      for (const [at, cell] of row.entries()) this.widths[at] = Math.max(this.widths[at] ?? 0, cell.length);
    return shown.map((row) => this.line(row));
  }

  private line(row: readonly string[]): string {
    return row
      .map((cell, at) => cell.padEnd(this.widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  }
}
