/**
 * Why something is refused, for programs: words finer than the code of a refusal and the validator of a field, each with the names
 * of what its sentence says (behaviour 2.5). What has no word here is told by that code or validator alone.
 */
export const REFUSAL_REASONS = {
  // What shapes and ranges allow; the words are those of the validators.
  minimum: ['minimum'],
  maximum: ['maximum'],
  maxLength: ['maximum'],
  enum: ['values'],
  // Records (behaviour 4 to 6).
  record_data: ['type', 'field'],
  owner_name: [],
  unknown_type: ['type', 'values'],
  soa_is_generated: [],
  type_is_fixed: ['type'],
  set_too_large: ['octets', 'maximum'],
  time_is_over: [],
  duplicate_record: ['name', 'type'],
  outside_domain: ['name', 'domain'],
  in_child_domain: ['name', 'domain'],
  not_at_apex: ['type', 'domain'],
  not_at_wildcard: ['type', 'name'],
  not_beside: ['type', 'other', 'name'],
  hidden_by: ['type', 'name'],
  hides_others: ['type', 'name'],
  only_one: ['type', 'name'],
  stands_alone: ['type', 'value', 'name'],
  changed_since: ['type', 'name'],
  // Domains (behaviour 7).
  duplicate_domain: ['domain'],
  name_is_fixed: ['name'],
  secondary_domain: ['domain'],
  domain_has_child_domains: ['domain'],
  domain_is_shared: ['domain'],
  covers_parent_records: ['name', 'domain'],
  holds_name_server: ['name'],
  is_catalog: ['name'],
  public_suffix: ['name'],
  // Limits and permission.
  over_quota: ['quota', 'limit', 'use'],
  rate_limited: ['retry_after'],
  token_limit: ['limit'],
  // History.
  history_not_kept: ['domain'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** One of the words. */
export type RefusalReason = keyof typeof REFUSAL_REASONS;

/** What fills in a sentence. */
export type RefusalParam = string | number | null | readonly string[];

/** A reason with what its sentence says. */
export interface RefusalFacts {
  readonly reason: RefusalReason;
  readonly params: Readonly<Record<string, RefusalParam>>;
}

/** The compiler asks for each of the reason's names. */
export function because<Reason extends RefusalReason>(
  reason: Reason,
  params: Readonly<Record<(typeof REFUSAL_REASONS)[Reason][number], RefusalParam>>,
): RefusalFacts {
  return { reason, params };
}
