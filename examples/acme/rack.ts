import { type Field, fields, RdataError, recordType } from '../../src/index.js';

/** A place in a rack: `U` and a number from 1 to 60, in one octet. */
const rackUnit: Field<number> = {
  form: 'U and a number from 1 to 60',
  parse: (tokens, label) => readUnit(tokens.unquoted(label)),
  print: (unit) => `U${unit}`,
  read: (wire) => wire.uint8(),
  write: (unit, out) => out.uint8(unit),
  check(unit, label) {
    if (unit < 1 || unit > 60) throw new RdataError(`the ${label} U${unit} is in no rack: they have U1 to U60`);
  },
};

/** The location of a machine. The code is reserved for private use (RFC 6895 §3.1). */
export const RACK = recordType({
  name: 'RACK',
  code: 65300,
  rfc: 'RFC 6895 §3.1',
  fields: { rack: fields.characterString, unit: rackUnit },
  placement: { isSingle: true, notAtApex: 'only machines stand in racks' },
  example: { name: 'host.example.org.', data: '"room 7" U12' },
});

function readUnit(text: string): number {
  const digits = /^U([1-9][0-9]?)$/.exec(text)?.[1];
  if (digits === undefined) throw new RdataError(`the unit ${JSON.stringify(text)} is not written like U12`);
  return Number(digits);
}
