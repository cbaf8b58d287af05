import type {
  MasterFileError,
  MasterFileOptions,
  MasterFileRecord,
  MasterFileSignature,
} from '../../src/dns/master-file/master-file.js';
import { MasterFileReader } from '../../src/dns/master-file/master-file-reader.js';
import { DomainName } from '../../src/dns/name.js';
import { RecordTypes, STANDARD_TYPES } from '../../src/dns/rdata/index.js';

export const EXAMPLE_ORG = DomainName.parse('example.org.');
export const ALL_TYPES = new RecordTypes(STANDARD_TYPES, { generic: true });

/** The result of reading a master file. */
export interface Reading {
  readonly records: readonly MasterFileRecord[];
  readonly errors: readonly MasterFileError[];
}

/** Reads a file for example.org. in these chunks; a string is sent as UTF-8. */
export function readPieces(pieces: Iterable<string | Uint8Array>, options: Partial<MasterFileOptions> = {}): Reading {
  const records: MasterFileRecord[] = [];
  const errors: MasterFileError[] = [];
  const reader = new MasterFileReader(
    { origin: EXAMPLE_ORG, types: ALL_TYPES, ...options },
    { record: (record) => records.push(record), error: (error) => errors.push(error) },
  );
  for (const piece of pieces) reader.push(Buffer.from(piece));
  reader.end();
  return { records, errors };
}

export function readAll(file: string | Uint8Array, options: Partial<MasterFileOptions> = {}): Reading {
  return readPieces([file], options);
}

/** Reads a signed file into a sink that skips the signer's records. */
export function readSigned(file: string): { readonly records: number; readonly signatures: MasterFileSignature[] } {
  const signatures: MasterFileSignature[] = [];
  let records = 0;
  const reader = new MasterFileReader(
    { origin: EXAMPLE_ORG, types: ALL_TYPES },
    {
      record: () => {
        records++;
      },
      error: ({ message }) => {
        throw new Error(message);
      },
      signature: (signature) => signatures.push(signature),
    },
  );
  reader.push(Buffer.from(file));
  reader.end();
  return { records, signatures };
}

/** A record in one line: `owner ttl type data`, all names absolute. */
export function lineOf({ owner, ttl, type, rdata }: MasterFileRecord): string {
  return `${owner.toString()} ${ttl ?? '-'} ${type.name} ${type.toText(rdata)}`;
}

/** The records of a file that has no error, each in one line. */
export function linesOf(file: string | Uint8Array, options: Partial<MasterFileOptions> = {}): string[] {
  const { records, errors } = readAll(file, options);
  if (errors.length > 0) throw new Error(errors.map(errorLine).join('\n'));
  return records.map(lineOf);
}

/** The errors of a file, each as `line:column message`. */
export function errorsOf(file: string | Uint8Array, options: Partial<MasterFileOptions> = {}): string[] {
  return readAll(file, options).errors.map(errorLine);
}

function errorLine({ line, column, message }: MasterFileError): string {
  return `${line}:${column} ${message}`;
}
