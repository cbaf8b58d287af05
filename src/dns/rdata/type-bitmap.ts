import { quoted } from '../name.js';
import type { WireReader, WireWriter } from '../message/wire.js';
import type { Field } from './field.js';
import { wordsForm } from './json-form.js';
import { RdataError } from './rdata-error.js';
import { isDataType, registeredName, typeCode, typeName } from './type-names.js';

/** Ascending type codes. Wire form has blocks of 256 bits (RFC 4034 §4.1.2). */
export const typeBitmap: Field<readonly number[]> = {
  form: 'record types, or none',
  parse(tokens, label) {
    const names = tokens.isAtEnd ? [] : tokens.allUnquoted(label);
    return [...new Set(names.map(parseType))].sort((a, b) => a - b);
  },
  print: (value) => value.map(typeName).join(' '),
  json: { ...wordsForm('record_type', (value: readonly number[]) => value.map(typeName)), optional: true },
  read: readBlocks,
  write: writeBlocks,
  check(value, label) {
    const meta = value.find((code) => !isDataType(code));
    if (meta === undefined) return;
    throw new RdataError(`the ${label} have ${registeredName(meta)}, of which zones have no records: leave it out`);
  },
};

function parseType(name: string): number {
  const code = typeCode(name);
  if (code === undefined)
    throw new RdataError(`${quoted(name)} is not a record type: write its name in capitals, or TYPE and its number`);
  return code;
}

function readBlocks(wire: WireReader): number[] {
  const types: number[] = [];
  while (wire.remaining > 0) {
    const block = wire.uint8() << 8;
    if (block <= (types.at(-1) ?? -1)) throw malformedError();
    const octets = wire.octets(wire.uint8());
    // Refuses empty blocks and trailing zeros: each set has one wire form.
    if (octets.length > 32 || !octets.at(-1)) throw malformedError();
    octets.forEach((octet, at) => {
      for (let bit = 0; bit < 8; bit++) if (octet & (0x80 >> bit)) types.push(block + 8 * at + bit);
    });
  }
  return types;
}

function writeBlocks(types: readonly number[], out: WireWriter): void {
  for (const block of new Set(types.map((code) => code >> 8))) {
    const codes = types.filter((code) => code >> 8 === block).map((code) => code & 0xff);
    const octets = new Uint8Array((Math.max(...codes) >> 3) + 1);
    for (const code of codes) octets[code >> 3] = (octets[code >> 3] ?? 0) | (0x80 >> (code & 7));
    out.uint8(block).uint8(octets.length).octets(octets);
  }
}

function malformedError(): RdataError {
  return new RdataError('the octets of the type list are malformed: write the types by name');
}
