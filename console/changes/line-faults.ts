import type { FieldError } from '../api/types.js';

/** A line of a file that the service refuses. */
export interface LineFault {
  readonly line: number;
  /** The text of the line. */
  readonly text: string;
  readonly message: string;
}

interface FileFaults {
  readonly lines: readonly LineFault[];
  readonly general: readonly string[];
}

/** Faults of a file, by line where the error names one: `line 3, column 5`. */
export function faultsOfFile(text: string, errors: readonly FieldError[]): FileFaults {
  const texts = text.split(/\r\n|\n|\r/);
  const lines: LineFault[] = [];
  const general: string[] = [];
  for (const { path, message } of errors) {
    const line = Number(/^line (\d+)/.exec(path)?.[1] ?? 0);
    if (line === 0) general.push(message);
    else lines.push({ line, text: texts[line - 1] ?? '', message });
  }
  return { lines, general };
}
