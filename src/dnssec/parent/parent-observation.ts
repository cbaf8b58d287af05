/** What was seen of the DS of a zone in its parent zone. It is stored as JSON. */
export interface ParentObservation {
  /** The zone above; `null` where it was not found. */
  readonly zone: string | null;
  /** Whether it is one of this service. */
  readonly isHosted: boolean;
  readonly servers: readonly ServerObservation[];
  /** `null` for a zone of this service, of which it knows more than a resolver. */
  readonly resolver: ResolverObservation | null;
  /** Why nobody was asked, or nothing was done. */
  readonly problem: string | null;
}

/** A name server of the parent zone. */
export interface ServerObservation {
  readonly name: string;
  /** The data of its DS records, sorted; `null` where it gave no answer that counts. */
  readonly ds: readonly string[] | null;
  /** Of the DS, in seconds; `null` where there is none. */
  readonly ttl: number | null;
  readonly error: string | null;
}

/** `secure`: it could follow the signatures to the answer; `bogus`: it found them wrong, or got no answer itself. */
export type Verdict = 'secure' | 'insecure' | 'bogus' | 'silent';

/** What a validating resolver answers. */
export interface ResolverObservation {
  readonly verdict: Verdict;
  readonly ds: readonly string[] | null;
}

/** What all of them have; `null` where some differ, or one has not answered. */
export function agreedDs({ servers }: Pick<ParentObservation, 'servers'>): readonly string[] | null {
  const [first] = servers;
  if (first === undefined) return null;
  const wanted = first.ds?.join('\n');
  return servers.every(({ ds }) => ds !== null && ds.join('\n') === wanted) ? first.ds : null;
}

/** The longest that any of them gives the DS, in seconds; `null` where none has one. */
export function longestTtl({ servers }: Pick<ParentObservation, 'servers'>): number | null {
  const ttls = servers.flatMap(({ ttl }) => (ttl === null ? [] : [ttl]));
  return ttls.length === 0 ? null : Math.max(...ttls);
}
