import { genericType } from './generic.js';
import type { RecordType } from './record-type.js';

/** The types that one service offers. */
export class RecordTypes {
  readonly names: readonly string[];
  private readonly namedTypes: ReadonlyMap<string, RecordType>;
  private readonly codedTypes: ReadonlyMap<number, RecordType>;
  private readonly generic: boolean;

  /** With `generic`, types known by their number only are offered as well. */
  constructor(types: readonly RecordType[], { generic = false }: { readonly generic?: boolean } = {}) {
    this.names = types.map((type) => type.name);
    this.namedTypes = new Map(types.map((type) => [type.name, type]));
    this.codedTypes = new Map(types.map((type) => [type.code, type]));
    this.generic = generic;
  }

  byName(name: string): RecordType | undefined {
    return this.namedTypes.get(name) ?? this.byNumber(name);
  }

  byCode(code: number): RecordType | undefined {
    return this.codedTypes.get(code) ?? this.byNumber(`TYPE${code}`);
  }

  /** A type that has a name here has no number beside it: it would be two types with one code. */
  private byNumber(name: string): RecordType | undefined {
    const type = this.generic ? genericType(name) : undefined;
    return type && !this.codedTypes.has(type.code) ? type : undefined;
  }
}
