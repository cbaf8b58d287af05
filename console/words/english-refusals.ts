import { englishQuotas } from './english-service.js';

/** Parameters of a refusal (behavior 2.5), formatted for display. */
export type Told = Readonly<Record<string, string>>;

/** `null` where the page cannot say it better than the service. */
export type Sentence = (told: Told) => string | null;

export const englishFieldNames: Readonly<Record<string, string>> = {
  name: 'The name',
  email: 'The email',
  ttl: 'The TTL',
  priority: 'The priority',
  data: 'The data',
  description: 'The comment',
  expires_at: 'The expiry',
  message: 'The message',
  name_servers: 'A name server',
  url: 'The target',
};

/** A sentence about a control, where the page has a word for it. */
const ofField =
  (says: (label: string, told: Told) => string): Sentence =>
  (told) => {
    const label = englishFieldNames[told.at ?? ''];
    return label === undefined ? null : says(label, told);
  };

const LIMITS: Readonly<Record<string, string>> = {
  domains: 'other zones',
  names: 'other names',
  types: 'other types',
  actions: 'other actions',
  networks: 'other networks',
};

const quotaName = (quota: string): string => (englishQuotas.limits as Told)[quota] ?? quota;

/** An initial that is spelled out decides: an A, an MX, a CNAME. */
const withArticle = (type: string): string => `${/^[AEFHILMNORSX]/.test(type) ? 'an' : 'a'} ${type}`;
const beType = (type: string): string =>
  type === 'CNAME' || type === 'DNAME' ? `be ${withArticle(type)}` : `have ${withArticle(type)} record`;

/**
 * Sentences for refusals, by the reasons of behavior 2.5. The service knows more about data, owner names and placement
 * than it tells programs, so it writes those sentences.
 */
export const englishRefusals = {
  required: ofField((label) => `${label} is missing.`),
  type: null,
  enum: ofField((label, { values }) => `${label} is one of ${values}.`),
  format: null,
  minimum: ofField((label, { minimum }) => `${label} has to be ${minimum} or more.`),
  maximum: ofField((label, { maximum }) => `${label} has to be ${maximum} or less.`),
  maxLength: ofField((label, { maximum }) => `${label} may have up to ${maximum} characters.`),
  additionalProperties: null,
  record_data: null,
  owner_name: null,
  unknown_type: ({ type }) => `The service does not support ${type} records. Choose another type.`,
  soa_is_generated: () => 'The service generates the SOA record from the zone settings.',
  type_is_fixed: ({ type }) =>
    `The type of this ${type} record cannot change. Delete it, and add one of the other type.`,
  set_too_large: ({ octets, maximum }) =>
    `The records of this name and type would have ${octets} octets together. A DNS message has room for ${maximum}.`,
  time_is_over: () => 'The expiry time is in the past. Choose a later one, or none.',
  duplicate_record: ({ name, type }) => `${name} already has this ${type} record.`,
  outside_domain: ({ name, domain }) => `${name} does not end with ${domain} and so is not in this zone.`,
  in_child_domain: ({ name, domain }) => `${name} belongs to a zone below ${domain}. Add its records there.`,
  not_at_apex: null,
  not_at_wildcard: null,
  not_beside: ({ type = '', other = '', name }) =>
    `${name} already has ${withArticle(other)} record, so it cannot also ${beType(type)}.`,
  hidden_by: ({ type, name }) => `A ${type} record above ${name} hides it. Delete that record, or choose another name.`,
  hides_others: ({ type, name }) => `${type} at ${name} would hide the records below it. Delete those first.`,
  only_one: ({ type, name }) => `${name} already has a ${type} record and can have only one. Edit that one.`,
  stands_alone: ({ type, value, name }) => `${name} cannot have ${value} together with other ${type} records.`,
  changed_since: ({ type, name }) =>
    `The ${type} record at ${name} has been changed since. Undoing this would overwrite that.`,
  duplicate_domain: ({ domain }) => `The zone ${domain} already exists.`,
  name_is_fixed: () => 'A zone cannot be renamed. Create a new zone, and import the records of this one.',
  secondary_domain: ({ domain }) => `${domain} is a copy of a zone on other name servers. Change it there.`,
  domain_has_child_domains: ({ domain }) => `Delete the zones below ${domain} first.`,
  domain_is_shared: ({ domain }) => `${domain} is shared with other tenants. End the shares in its settings first.`,
  covers_parent_records: ({ name, domain }) =>
    `The zone ${domain} has records at ${name} or below it. Delete them there first.`,
  holds_name_server: ({ name }) =>
    `Only an admin can create the zone ${name} because it contains a name server of this service.`,
  is_catalog: ({ name }) => `${name} is the name of the catalog zone of this service. Choose another name.`,
  public_suffix: ({ name }) =>
    `Only an admin can create the zone ${name} because it is a public suffix. Create a zone for a name below it.`,
  over_quota: ({ quota = '', limit, use }) =>
    `The quota “${quotaName(quota)}” is ${limit}, and this would use ${use}. Delete some, or ask an admin for more.`,
  rate_limited: ({ retry_after: seconds }) => `Too many requests. The service continues in ${seconds} s.`,
  token_limit: ({ limit = '' }) =>
    LIMITS[limit] === undefined
      ? 'Your token does not allow this.'
      : `Your token does not allow this: it is for ${LIMITS[limit]}.`,
  history_not_kept: ({ domain }) => `The history of ${domain} does not go back that far.`,
} satisfies Readonly<Record<string, Sentence | null>>;

/** Refusals that have no finer word, by their types; `null` where only the service knows the cause. */
export const englishRefusalTypes = {
  access_denied: 'You do not have permission to do this.',
  bad_request: null,
  delivery_not_found: 'Delivery not found: its retention has ended.',
  dnssec_conflict: null,
  domain_has_sub_domain: 'Delete the zones below this zone first.',
  domain_not_found: 'This zone does not exist, or you do not have access to it.',
  duplicate_domain: 'This zone already exists.',
  duplicate_record: 'This record already exists.',
  duplicate_template: 'A template with this name already exists. Choose another name.',
  duplicate_update_key: 'An update key with this name already exists. Choose another name.',
  empty_request_body: 'The page sent an empty request. Reload the page, and try again.',
  events_gone: 'Older events are no longer kept. Reload the page.',
  headers_too_large: 'The request was too large. Reload the page, and try again.',
  idempotency_key_reused: 'This request was already sent with other content. Reload the page, and try again.',
  illegal_child: 'The name is inside a zone of another tenant.',
  illegal_parent: 'The name is above a zone of another tenant, or above a name server of this service.',
  invalid_json: 'The service could not read the request. Reload the page, and try again.',
  invalid_object: null,
  invalid_recordset_location: null,
  invalid_ttl: null,
  method_not_allowed: 'The service does not support this action. Reload the page, and try again.',
  not_found: 'The service does not have this page, or its feature is disabled.',
  over_quota: 'This would exceed a quota. Delete some, or ask an admin for more.',
  payload_too_large: 'This exceeds the size limit of the service.',
  precondition_failed: 'Someone else changed this while you were editing. Reload the page, and try again.',
  rate_limited: 'Too many requests. Wait a moment, and try again.',
  record_not_found: 'This record no longer exists.',
  request_in_progress: 'The service still works on the same request.',
  request_timeout: 'The service did not get the whole request in time. Try again.',
  serial_not_found: 'The history does not have this serial.',
  token_not_found: 'Token not found.',
  unavailable: 'The service is not available now. Try again later.',
  unknown: null,
  unsupported_accept: 'The service could not answer in this format. Reload the page, and try again.',
  unsupported_content_type: 'The service could not read this format. Reload the page, and try again.',
  update_key_not_found: 'Update key not found.',
  template_not_found: 'Template not found.',
  webhook_not_found: 'Webhook not found.',
} satisfies Readonly<Record<string, string | null>>;
