import { formerType, genericType } from './generic.js';
import type { RecordType } from './record-type.js';
import { isDataType, typeCode } from './type-names.js';

/** A set of types, as one service offers or knows them. */
export class RecordTypes implements Iterable<RecordType> {
  /** Without those that are only kept. */
  readonly names: readonly string[];
  private readonly namedTypes: Map<string, RecordType>;
  private readonly codedTypes: Map<number, RecordType>;
  /** Types that have only a number, each made when it is first asked for. */
  private readonly genericTypes = new Map<number, RecordType | undefined>();
  private readonly opaqueTypes = new Map<number, RecordType>();
  private readonly withheld = new Set<number>();
  private readonly generic: boolean;

  /** With `generic`, types that have only a number belong to the set as well (RFC 3597). */
  constructor(types: readonly RecordType[], { generic = false }: { readonly generic?: boolean } = {}) {
    this.names = types.map((type) => type.name);
    this.namedTypes = new Map(types.map((type) => [type.name, type]));
    this.codedTypes = new Map(types.map((type) => [type.code, type]));
    this.generic = generic;
  }

  /**
   * Whether types that have only a number belong to the set.
   * @internal
   */
  get includesNumbers(): boolean {
    return this.generic;
  }

  /** The types that have a name, in the order in which they were given. */
  [Symbol.iterator](): Iterator<RecordType> {
    return this.namedTypes.values();
  }

  /** Adds a type whose records may be left, unless its name or its code belongs to another. */
  keep(type: RecordType): void {
    if (this.namedTypes.has(type.name) || this.codedTypes.has(type.code)) return;
    this.namedTypes.set(type.name, type);
    this.codedTypes.set(type.code, type);
  }

  /** Does not offer a type by its number, since records of that code are kept under a name. */
  withhold(code: number): void {
    this.withheld.add(code);
  }

  /** The type of that exact name, or of a name like TYPE65280. */
  byName(name: string): RecordType | undefined {
    return this.namedTypes.get(name) ?? this.byNumber(name);
  }

  byCode(code: number): RecordType | undefined {
    return this.codedTypes.get(code) ?? this.byNumber(`TYPE${code}`);
  }

  /**
   * The type of a stored record: also that of a record whose octets are not of its type, which is kept under its number beside
   * those that are (RFC 3597 §5).
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

  /** A type that has a name here is not offered by its number too: it would be two types with one code. */
  private byNumber(name: string): RecordType | undefined {
    const code = this.generic && name.startsWith('TYPE') ? typeCode(name) : undefined;
    if (code === undefined || this.codedTypes.has(code) || this.withheld.has(code)) return undefined;
    if (!this.genericTypes.has(code)) this.genericTypes.set(code, genericType(name));
    return this.genericTypes.get(code);
  }
}
