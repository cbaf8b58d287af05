/** What may be done to a record, or to a zone itself. */
export type Action = 'create' | 'update' | 'delete';

/** What a credential is limited to (behaviour 14.2). `null`: not limited in that; a list has at least one entry. */
export interface Restrictions {
  /** Names of zones in lower case, with the final dot. */
  readonly domains: readonly string[] | null;
  /** Patterns of owner names in lower case; `*` stands for any characters. */
  readonly names: readonly string[] | null;
  /** Record types in upper case. */
  readonly types: readonly string[] | null;
  readonly actions: readonly Action[] | null;
  /** Addresses, and networks in CIDR notation, that it may be used from. */
  readonly networks: readonly string[] | null;
}

export const UNRESTRICTED: Restrictions = { domains: null, names: null, types: null, actions: null, networks: null };
