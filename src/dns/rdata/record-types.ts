import { formerType, genericType } from './generic.js';
import type { RecordType } from './record-type.js';
import { isDataType, typeCode, registeredName } from './type-names.js';
import { quoted } from '../name.js';

/** The record types that a service offers or knows. */
export class RecordTypes implements Iterable<RecordType> {
  /** Names of the offered types. */
  readonly names: readonly string[];
  private readonly namedTypes: Map<string, RecordType>;
  private readonly codedTypes: Map<number, RecordType>;
  private readonly genericTypes = new Map<number, RecordType | undefined>();
  private readonly opaqueTypes = new Map<number, RecordType>();
  private readonly withheld = new Set<number>();
  private readonly generic: boolean;

  /** @param generic whether to offer types without a mnemonic (RFC 3597) */
  constructor(types: readonly RecordType[], { generic = false }: { readonly generic?: boolean } = {}) {
    this.names = types.map((type) => type.name);
    this.namedTypes = new Map(types.map((type) => [type.name, type]));
    this.codedTypes = new Map(types.filter((type) => type.isUnserved !== true).map((type) => [type.code, type]));
    this.generic = generic;
  }

  /** Whether the set includes types without a mnemonic. @internal */
  get includesNumbers(): boolean {
    return this.generic;
  }

  /** Iterates over the named types in their order. */
  [Symbol.iterator](): Iterator<RecordType> {
    return this.namedTypes.values();
  }

  /** Adds a type for remaining records, unless its name or code is taken. */
  keep(type: RecordType): void {
    if (this.namedTypes.has(type.name) || this.codedTypes.has(type.code)) return;
    this.namedTypes.set(type.name, type);
    this.codedTypes.set(type.code, type);
  }

  /** Stops offering a type by its number, because records of that code are stored under a name. */
  withhold(code: number): void {
    this.withheld.add(code);
  }

  /** Finds a type by its exact name, or by a name like TYPE65280. */
  byName(name: string): RecordType | undefined {
    return this.namedTypes.get(name) ?? this.byNumber(name);
  }

  byCode(code: number): RecordType | undefined {
    return this.codedTypes.get(code) ?? this.byNumber(`TYPE${code}`);
  }

  /**
   * Finds the type of a stored record. Malformed octets of a known type are stored under its number (RFC 3597 §5).
   * @internal
   */
  stored(name: string): RecordType | undefined {
    return this.byName(name) ?? this.opaque(name);
  }

  private opaque(name: string): RecordType | undefined {
    const code = name.startsWith('TYPE') ? typeCode(name) : undefined;
    if (code === undefined || !isDataType(code)) return undefined;
    let type = this.opaqueTypes.get(code);
    if (type === undefined) this.opaqueTypes.set(code, (type = formerType(name, code)));
    return type;
  }

  /** A named type is not also offered by its number: two types would have one code. */
  private byNumber(name: string): RecordType | undefined {
    const code = this.generic && name.startsWith('TYPE') ? typeCode(name) : undefined;
    if (code === undefined || this.codedTypes.has(code) || this.withheld.has(code)) return undefined;
    if (!this.genericTypes.has(code)) this.genericTypes.set(code, genericType(name));
    return this.genericTypes.get(code);
  }
}

/** Registered types that zones must not have, by code, with the remedy. */
const REASONS: ReadonlyMap<number, string> = new Map([
  [3, 'is obsolete, and BIND loads no zone with it: use MX'],
  [4, 'is obsolete, and BIND loads no zone with it: use MX'],
  [6, 'is made by the service: set its fields on the zone'],
  [24, 'is of the DNSSEC of RFC 2535, which is obsolete: leave it out'],
  [30, 'is of the DNSSEC of RFC 2535, which is obsolete: leave it out'],
  ...[46, 47, 48, 50, 51].map((code) => [code, 'is made by signing the zone: leave it out'] as const),
  [63, 'is a digest of the whole zone, which the next change makes wrong: leave it out'],
]);

/** Quoted characters of a name, which may be as long as the body. */
const MAX_QUOTED = 64;

/** Only unregistered names are "not a record type". */
export function typeRefusal(types: RecordTypes, name: string): string {
  const code = typeCode(name.toUpperCase());
  if (code === undefined)
    return `${quoted(name.slice(0, MAX_QUOTED))} is not a record type: write one like A, or TYPE and its number`;
  const shown = registeredName(code);
  const reason = REASONS.get(code);
  if (reason !== undefined) return `${shown} ${reason}`;
  if (!isDataType(code)) return `${shown} stands in messages and never in a zone: leave it out`;
  const type = types.byCode(code);
  if (type === undefined)
    return `${shown} records are not taken here: leave them out (taken are ${types.names.join(', ')})`;
  if (type.name === `TYPE${code}`)
    return `${shown} has no text form here: write ${type.name}, with data like \\# 4 c0000201`;
  return `write ${type.name} for ${quoted(name.slice(0, MAX_QUOTED))}`;
}
