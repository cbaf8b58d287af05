/**
 * Rules of a type for names and for other records at the name. Errors and the documentation quote the texts. `V` is the
 * argument of value rules: typed values in the file of a type, RDATA in a RecordType.
 */
export interface Placement<V> {
  /** No other type at its name. */
  readonly isAlone?: true;
  /** A name has at most one record of the type. */
  readonly isSingle?: true;
  /** Not at the apex, with the reason: `CNAME cannot stand at the apex: …`. */
  readonly notAtApex?: string;
  /** Not at a wildcard name, with the reason: `NS cannot stand at a wildcard: …`. */
  readonly notAtWildcard?: string;
  /** Types that it excludes at its name, except at the apex. */
  readonly notBeside?: readonly string[];
  /** No record of any type below its name, with the effect on them: `DNAME …`. */
  readonly nothingBelow?: string;
  /** At a zone cut it belongs to the parent zone (RFC 1034 §4.2.1), unlike other types. */
  readonly isAtZoneCut?: true;
  /** Values that must be the only record of their set. */
  readonly exclusive?: ExclusiveValue<V>;
  /** A type that its records require at the same name. */
  readonly needs?: NeededType<V>;
}

/** A value that must be alone in its record set. */
export interface ExclusiveValue<V> {
  /** With its article, for messages: `a null MX`. */
  readonly name: string;
  includes(value: V): boolean;
}

/** A required type at the same name. */
export interface NeededType<V> {
  readonly type: string;
  /** Consequence without it: `DS without NS at the same name: …`. */
  readonly otherwise: string;
  /** Whether it is required only at the apex. */
  readonly atApexOnly?: true;
  /** Values that require it; by default all. */
  isNeededBy?(value: V): boolean;
}

/** Role of a type in name resolution (RFC 1034 §4.3.2): host address, alias for another name, or zone cut. */
export type ZoneRole = 'address' | 'alias' | 'delegation';
