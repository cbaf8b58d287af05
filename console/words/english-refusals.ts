import { englishQuotas } from './english-service.js';
import { number } from './numbers.js';

const either = new Intl.ListFormat('en', { type: 'disjunction' });

/** What a refusal says of its case (behaviour 2.5), as it is read. */
export type Told = Readonly<Record<string, string>>;

/** `null` where the page cannot say it better than the service. */
export type Sentence = (told: Told) => string | null;

const LABELS: Readonly<Record<string, string>> = {
  name: 'The name',
  email: 'The email',
  ttl: 'The TTL',
  priority: 'The priority',
  data: 'The data',
  description: 'The comment',
  expires_at: 'The end',
  message: 'The message',
  name_servers: 'A name server',
  url: 'The target',
};

/** A sentence about a control, where the page has a word for it. */
const ofField =
  (says: (label: string, told: Told) => string): Sentence =>
  (told) => {
    const label = LABELS[told.at ?? ''];
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

/**
 * What the page says of what the service refuses, by the words of behaviour 2.5. Of data and owner names the service knows more
 * than it tells programs, and of placement why a type has its rule: these sentences are the service's.
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
  unknown_type: ({ type }) => `The service does not have records of the type ${type}. Choose another type.`,
  soa_is_generated: () => 'The service makes the SOA record itself, from the settings of the zone.',
  type_is_fixed: ({ type }) => `This record stays ${type}. Delete it, and add one of the other type.`,
  set_too_large: ({ octets, maximum }) =>
    `The records of this name and type would have ${octets} octets together. A DNS message has room for ${maximum}.`,
  time_is_over: () => 'The time at which this record ends is in the past. Choose a later one, or none.',
  duplicate_record: ({ name, type }) => `${name} already has this ${type} record.`,
  outside_domain: ({ name, domain }) => `${name} does not end with ${domain} and so is not in this zone.`,
  in_child_domain: ({ name, domain }) => `${name} belongs to a zone below ${domain}. Add its records there.`,
  not_at_apex: null,
  not_at_wildcard: null,
  not_beside: ({ type, other, name }) =>
    `At ${name} there cannot be both ${type} and ${other}. Delete one of them in the same plan.`,
  hidden_by: ({ type, name }) => `A ${type} record above ${name} hides it. Delete that record, or choose another name.`,
  hides_others: ({ type, name }) => `${type} at ${name} would hide the records below it. Delete those first.`,
  only_one: ({ type, name }) => `${name} already has a ${type} record and can have only one. Edit that one.`,
  stands_alone: ({ type, value, name }) => `At ${name} there cannot be ${value} beside other ${type} records.`,
  changed_since: ({ type, name }) =>
    `The ${type} record at ${name} has been changed since. Undoing this would overwrite that.`,
  duplicate_domain: ({ domain }) => `There is a zone ${domain} already.`,
  name_is_fixed: () => 'A zone keeps its name. Make a new zone, and import the records of this one.',
  secondary_domain: ({ domain }) => `${domain} is a copy of a zone on other name servers. Change it there.`,
  domain_has_child_domains: ({ domain }) => `Delete the zones below ${domain} first.`,
  domain_is_shared: ({ domain }) => `${domain} is shared with other tenants. End the shares in its settings first.`,
  covers_parent_records: ({ name, domain }) =>
    `The zone ${domain} has records at ${name} or below it. Delete them there first.`,
  holds_name_server: ({ name }) =>
    `Only an admin can make the zone ${name} because it has the name of a name server of this service.`,
  is_catalog: ({ name }) => `${name} is the name of the catalog zone of this service. Choose another name.`,
  public_suffix: ({ name }) =>
    `Only an admin can make the zone ${name} because anybody can register names below it. Make a zone for one of those names.`,
  over_quota: ({ quota = '', limit, use }) =>
    `The quota “${quotaName(quota)}” is ${limit}, and this would make ${use}. Delete some, or ask an admin for more.`,
  rate_limited: ({ retry_after: seconds }) =>
    `These were too many requests at once. The service continues in ${seconds} s.`,
  token_limit: ({ limit = '' }) =>
    LIMITS[limit] === undefined
      ? 'Your token is for certain work only, and this is other work.'
      : `Your token does not allow this: it is for ${LIMITS[limit]}.`,
  history_not_kept: ({ domain }) => `The history of ${domain} does not go back that far.`,
} satisfies Readonly<Record<string, Sentence | null>>;

/** Refusals that have no finer word, by their types. */
export const englishRefusalTypes: Readonly<Record<string, string>> = {
  domain_not_found: 'There is no such zone, or you may not see it.',
  record_not_found: 'There is no such record any more.',
  token_not_found: 'There is no such token any more.',
  webhook_not_found: 'There is no such webhook any more.',
  delivery_not_found: 'This delivery is not kept any more.',
  illegal_child: 'The name is inside a zone of another tenant.',
  payload_too_large: 'This is more than the service takes at once.',
  request_timeout: 'The service did not get the whole request in time. Try again.',
};

export const englishAnswers = {
  unreachable: 'The service cannot be reached.',
  cutOff: 'The connection ended before the whole answer had arrived.',
  status: (status: number) => `The service answered ${number.format(status)}.`,
  shown: (value: string | number | readonly string[]) =>
    typeof value === 'string' ? value : typeof value === 'number' ? number.format(value) : either.format(value),
  andOthers: (n: number) => `${number.format(n)} more of this kind.`,
};
