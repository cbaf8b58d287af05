/** Reasons of errors for programs, finer than error codes and validators, with their parameters (behaviour 2.5). */
export const REFUSAL_REASONS = {
  // Shapes and ranges, named after the validators.
  minimum: ['minimum'],
  maximum: ['maximum'],
  maxLength: ['maximum'],
  enum: ['values'],
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
  duplicate_domain: ['domain'],
  name_is_fixed: ['name'],
  secondary_domain: ['domain'],
  domain_has_child_domains: ['domain'],
  domain_is_shared: ['domain'],
  covers_parent_records: ['name', 'domain'],
  holds_name_server: ['name'],
  is_catalog: ['name'],
  public_suffix: ['name'],
  over_quota: ['quota', 'limit', 'use'],
  rate_limited: ['retry_after'],
  token_limit: ['limit'],
  history_not_kept: ['domain'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Reason of an error, for programs. */
export type RefusalReason = keyof typeof REFUSAL_REASONS;

/** A parameter of a reason. */
export type RefusalParam = string | number | null | readonly string[];

/** A reason with its parameters. */
export interface RefusalFacts {
  readonly reason: RefusalReason;
  readonly params: Readonly<Record<string, RefusalParam>>;
}

/** The compiler requires all parameters of the reason. */
export function because<Reason extends RefusalReason>(
  reason: Reason,
  params: Readonly<Record<(typeof REFUSAL_REASONS)[Reason][number], RefusalParam>>,
): RefusalFacts {
  return { reason, params };
}
