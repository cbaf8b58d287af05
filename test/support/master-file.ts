import {
  type MasterFileFault,
  type MasterFileOptions,
  MasterFileReader,
  type MasterFileRecord,
  type MasterFileSignature,
} from '../../src/dns/master-file/master-file-reader.js';
import { DomainName } from '../../src/dns/name.js';
import { RecordTypes, STANDARD_TYPES } from '../../src/dns/rdata/index.js';

export const EXAMPLE_ORG = DomainName.parse('example.org.');
export const ALL_TYPES = new RecordTypes(STANDARD_TYPES, { generic: true });

/** What came out of a master file. */
export interface Reading {
  readonly records: readonly MasterFileRecord[];
  readonly faults: readonly MasterFileFault[];
}

/** Reads a file for example.org. that arrives in these pieces; a string stands for its UTF-8. */
export function readPieces(pieces: Iterable<string | Uint8Array>, options: Partial<MasterFileOptions> = {}): Reading {
  const records: MasterFileRecord[] = [];
  const faults: MasterFileFault[] = [];
  const reader = new MasterFileReader(
    { origin: EXAMPLE_ORG, types: ALL_TYPES, ...options },
    { record: (record) => records.push(record), fault: (fault) => faults.push(fault) },
  );
  for (const piece of pieces) reader.push(Buffer.from(piece));
  reader.end();
  return { records, faults };
}

export function readAll(file: string | Uint8Array, options: Partial<MasterFileOptions> = {}): Reading {
  return readPieces([file], options);
}

/** The same, for a sink that passes over what the signer of the zone made. */
export function readSigned(file: string): { readonly records: number; readonly signatures: MasterFileSignature[] } {
  const signatures: MasterFileSignature[] = [];
  let records = 0;
  const reader = new MasterFileReader(
    { origin: EXAMPLE_ORG, types: ALL_TYPES },
    {
      record: () => {
        records++;
      },
      fault: ({ message }) => {
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

/** The records of a file that has no fault, each in one line. */
export function linesOf(file: string | Uint8Array, options: Partial<MasterFileOptions> = {}): string[] {
  const { records, faults } = readAll(file, options);
  if (faults.length > 0) throw new Error(faults.map(faultLine).join('\n'));
  return records.map(lineOf);
}

/** The faults of a file, each as `line:column message`. */
export function faultsOf(file: string | Uint8Array, options: Partial<MasterFileOptions> = {}): string[] {
  return readAll(file, options).faults.map(faultLine);
}

function faultLine({ line, column, message }: MasterFileFault): string {
  return `${line}:${column} ${message}`;
}
