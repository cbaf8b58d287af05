/**
 * The rules of a type that the data of one record does not show: at which names its records may stand, and beside what.
 * The texts stand in the errors that refuse a record and in the table of types in the documentation. `V` is what the rules
 * about values are asked with: in a type's file the typed values, in a RecordType the RDATA.
 */
export interface Placement<V> {
  /** No other type stands at its name. */
  readonly isAlone?: true;
  /** A name has at most one record of the type. */
  readonly isSingle?: true;
  /** It does not stand at the apex of a zone. The text says why: `CNAME cannot stand at the apex: …`. */
  readonly notAtApex?: string;
  /** It does not stand at a wildcard name. The text says why: `NS cannot stand at a wildcard: …`. */
  readonly notAtWildcard?: string;
  /** The types beside which it does not stand, except at the apex. */
  readonly notBeside?: readonly string[];
  /** No record of any type stands below its name. The text says what it does to them: `DNAME …`. */
  readonly nothingBelow?: string;
  /** At a zone cut it belongs to the zone above (RFC 1034 §4.2.1). Everything else at that name belongs to the zone below. */
  readonly isAtZoneCut?: true;
  /** Values that no other record of the type stands beside. */
  readonly exclusive?: ExclusiveValue<V>;
  /** The type without which, at the same name, its records are of no use. */
  readonly needs?: NeededType<V>;
}

/** A value that stands alone in its record set. */
export interface ExclusiveValue<V> {
  /** With its article, for messages: `a null MX`. */
  readonly name: string;
  includes(value: V): boolean;
}

/** Another type that has to stand at the same name. */
export interface NeededType<V> {
  readonly type: string;
  /** What happens without it: `DS without NS at the same name: …`. */
  readonly otherwise: string;
  /** Whether the need exists only at the apex of the zone. */
  readonly atApexOnly?: true;
  /** Which values need it; all values where this is absent. */
  isNeededBy?(value: V): boolean;
}

/**
 * What a type is to whoever follows a name through a zone (RFC 1034 §4.3.2): the address of a host, an alias for another
 * name, or a zone cut, below which another zone begins.
 */
export type ZoneRole = 'address' | 'alias' | 'delegation';
