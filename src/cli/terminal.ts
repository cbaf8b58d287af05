import { withoutControls } from './diff-drawing.js';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Progress on standard error. Standard output has results only. */
export interface Progress {
  readonly advance: (amount: number) => void;
  readonly end: () => void;
}

/** A progress bar on a terminal, otherwise nothing. */
export async function startProgress(label: string, total: number, unit: string): Promise<Progress> {
  if (!process.stderr.isTTY) return { advance: () => undefined, end: () => undefined };
  const { default: cliProgress } = await import('cli-progress');
  const bar = new cliProgress.SingleBar({
    format: `${label} [{bar}] {percentage}% {rate} ${unit}/s, {eta_formatted} left`,
    stream: process.stderr,
    clearOnComplete: true,
    etaBuffer: 50,
  });
  const started = Date.now();
  let done = 0;
  bar.start(total, 0, { rate: 0 });
  return {
    advance: (amount) => {
      done += amount;
      bar.update(done, { rate: Math.round(done / Math.max(0.001, (Date.now() - started) / 1000)) });
    },
    end: () => bar.stop(),
  };
}

/** Aligns columns. Later rows never narrow a column. */
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

/** Ignores EPIPE: readers such as `head` close the pipe early. */
export async function writeToStandardOutput(text: Readable): Promise<void> {
  try {
    await pipeline(text, process.stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

/** Writes pieces of a report while work goes on, which a reader that closes the pipe does not end. */
export class ReportOutput {
  private isClosed = false;

  constructor() {
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      this.isClosed = true;
    });
  }

  async write(text: string): Promise<void> {
    if (text === '' || this.isClosed) return;
    // An error is that of the event.
    await new Promise<void>((resolve) => process.stdout.write(text, () => resolve()));
  }
}
