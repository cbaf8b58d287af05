import type { RefusalFacts } from '../../common/refusal-facts.js';
import { ServiceError } from '../../common/service-error.js';

/** Where in the file, and what: in the order of the file. */
export interface ImportError {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** Why, where it is a record that is refused. */
  readonly facts?: RefusalFacts | undefined;
}

/** So many are counted; a file that has more is another kind of file. */
const MAX_FAULTS = 1000;

/** What is wrong with a zone file, gathered while it is read. */
export class ImportErrors {
  private readonly faults: ImportError[] = [];

  add({ line, column, message, facts }: ImportError): void {
    if (!this.areMany) this.faults.push({ line, column, message, facts });
  }

  /** In the order of the file. */
  get list(): readonly ImportError[] {
    return this.faults;
  }

  get areAny(): boolean {
    return this.faults.length > 0;
  }

  get areMany(): boolean {
    return this.faults.length >= MAX_FAULTS;
  }

  /** @throws ServiceError `invalid_object` with the number of faults, which lists the first of them by line */
  assertNone(): void {
    if (this.faults.length === 0) return;
    const count = `${this.areMany ? 'at least ' : ''}${this.faults.length}`;
    throw new ServiceError(
      'invalid_object',
      `The zone file has ${count} fault${this.faults.length === 1 ? '' : 's'}; nothing was stored.`,
      // Records that were held back come behind those that follow them in the file.
      this.faults.toSorted(inOrderOfFile).map(({ line, column, message, facts }) => ({
        path: `line ${line}, column ${column}`,
        validator: 'format',
        message,
        facts,
      })),
    );
  }
}

function inOrderOfFile(one: ImportError, other: ImportError): number {
  return one.line - other.line || one.column - other.column;
}
