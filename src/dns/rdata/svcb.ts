import { type DomainName, quoted } from '../name.js';
import { domainName, uint16 } from './fields.js';
import { recordType, type RecordType } from './record-type.js';
import { latin1, octetsToText, textToOctets } from './character-string.js';
import type { Field } from './field.js';
import { jsonOfText, type JsonForm, JsonTypeError, listOf, textOctets, word } from './json-form.js';
import { RdataError } from './rdata-error.js';
import {
  ALPN,
  INVALID_KEY,
  MANDATORY,
  mandatoryKeys,
  NO_DEFAULT_ALPN,
  svcParamKey,
  type SvcParamKind,
  svcParamKind,
  svcParamName,
  svcParamNames,
} from './svc-param-kinds.js';

export interface ServiceBinding {
  readonly priority: number;
  readonly target: DomainName;
  readonly parameters: readonly SvcParam[];
}

interface SvcParam {
  readonly key: number;
  readonly value: Uint8Array;
}

const parametersForm: JsonForm<readonly SvcParam[]> = {
  kind: 'parameter',
  values: svcParamNames().map(({ name, form }) => ({ value: name, label: form })),
  repeats: true,
  optional: true,
  toTokens: (json, label) => listOf(json, label).map((param) => word(wordOfParam(param))),
  toJson: (params) => params.map((param) => ({ key: svcParamName(param.key), value: jsonOfText(printedValue(param)) })),
};

/** RFC 9460 §2.1, §2.2: text in any order, octets by ascending key. */
const svcParams: Field<readonly SvcParam[]> = {
  form: 'key="value" …',
  parse(tokens) {
    const params: SvcParam[] = [];
    while (!tokens.isAtEnd) params.push(parseParam(tokens.unquoted('parameter')));
    return params.sort((a, b) => a.key - b.key);
  },
  print: (params) => params.map(printParam).join(' '),
  read(wire) {
    const params: SvcParam[] = [];
    while (wire.remaining > 0) params.push({ key: wire.uint16(), value: wire.octets(wire.uint16()) });
    return params;
  },
  write(params, out) {
    for (const { key, value } of params) out.uint16(key).uint16(value.length).octets(value);
  },
  check(params) {
    params.forEach((param, at) => {
      assertParam(param, params[at - 1]?.key ?? -1);
    });
    assertConsistent(params);
  },
  isReadEverywhere: (params) =>
    params.every(({ key, value }) => svcParamKind(key)?.isReadEverywhere?.(value) !== false),
  json: parametersForm,
};

/** Address and parameters of a service. The owner name has its scheme. */
export const SVCB = serviceBindingType({ name: 'SVCB', code: 64, rfc: 'RFC 9460 §2' }, '_dns.example.org.');

export const HTTPS = serviceBindingType({ name: 'HTTPS', code: 65, rfc: 'RFC 9460 §9' }, 'www.example.org.');

/** The priority is inside `data`. Clients ignore parameters of an alias (RFC 9460 §2.4.2), but servers load them. */
function serviceBindingType(
  about: Pick<RecordType, 'name' | 'code' | 'rfc'>,
  owner: string,
): RecordType<ServiceBinding> {
  return recordType({
    ...about,
    fields: { priority: uint16, target: domainName, parameters: svcParams },
    example: { name: owner, data: '1 svc.example.org. alpn="h2,h3" port="8443"' },
  });
}

function wordOfParam(param: unknown): string {
  if (typeof param !== 'object' || param === null || !('key' in param)) throw malformedParam();
  const { key, value = '', ...others }: { readonly key: unknown; readonly value?: unknown } = param;
  if (typeof key !== 'string' || key.includes('=') || Object.keys(others).length > 0) throw malformedParam();
  return `${key}=${octetsToText(textOctets(value, `value of ${key}`))}`;
}

function malformedParam(): JsonTypeError {
  return new JsonTypeError('a parameter is an object with key and value, like {"key": "alpn", "value": "h2"}');
}

function parseParam(text: string): SvcParam {
  const [, name = '', written = ''] = /^([^=]*)=?([^]*)$/.exec(text) ?? [];
  const key = svcParamKey(name);
  if (key === undefined)
    throw new RdataError(`${quoted(name)} is not a parameter: use a registered name, like alpn, or key and its number`);
  const octets = textToOctets(unquote(written));
  assertNoEscapes(name, key, written);
  if (octets.length > 0xffff) throw new RdataError(`the value of ${name} is longer than 65535 octets: shorten it`);
  const kind = svcParamKind(key);
  if (kind?.name !== name || octets.length === 0) return { key, value: octets };
  return { key, value: kind.parse(latin1(octets)) ?? throwMalformed(kind) };
}

/** A key by its number, like key667, takes octets of any form, with escapes. */
function assertNoEscapes(name: string, key: number, written: string): void {
  const kind = svcParamKind(key);
  if (kind?.name !== name || kind.isWithoutEscapes !== true || !written.includes('\\')) return;
  throw new RdataError(
    `the parameter ${name} has an escape, which RFC 9460 forbids there: write the characters themselves`,
  );
}

function unquote(text: string): string {
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1) : text;
}

function printParam(param: SvcParam): string {
  const name = svcParamName(param.key);
  const printed = printedValue(param);
  return printed.length === 0 ? name : `${name}=${octetsToText(printed)}`;
}

/** Returns octets if the key is printed by its number. */
function printedValue({ key, value }: SvcParam): Uint8Array {
  const kind = svcParamKind(key);
  return kind?.name === svcParamName(key) ? Buffer.from(kind.print(value), 'latin1') : value;
}

function assertParam({ key, value }: SvcParam, keyBefore: number): void {
  if (key <= keyBefore) {
    throw new RdataError(
      `the parameter ${svcParamName(key)} is given twice or out of order: keep one of each, by ascending key`,
    );
  }
  if (key === INVALID_KEY) throw new RdataError('key65535 is reserved: use another key');
  const kind = svcParamKind(key);
  if (kind?.isValid(value) === false) throwMalformed(kind);
}

function throwMalformed(kind: SvcParamKind): never {
  throw new RdataError(`the parameter ${kind.name} is malformed: it must be ${kind.form}`);
}

/** RFC 9460 §7.1.1, §8. */
function assertConsistent(params: readonly SvcParam[]): void {
  const valueOf = new Map(params.map(({ key, value }) => [key, value]));
  if (valueOf.has(NO_DEFAULT_ALPN) && !valueOf.has(ALPN))
    throw new RdataError('no-default-alpn leaves no protocol: give alpn as well');
  const missing = mandatoryKeys(valueOf.get(MANDATORY) ?? new Uint8Array()).find((key) => !valueOf.has(key));
  if (missing !== undefined)
    throw new RdataError(`${svcParamName(missing)} is mandatory, but missing: give it a value`);
}
