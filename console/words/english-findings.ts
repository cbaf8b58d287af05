/** The sentence of a finding. `type` is the type of its records, `text` its value. */
type FindingSentence = (type: string, text: string) => string;

/** Sentences for the findings of the check, of plans and of imports. */
export const englishFindings = {
  no_address: (_type, target) => `${target} is in this zone but has no A or AAAA record.`,
  alias_target: (type, target) => `${target} is an alias. The target of ${type} has to be the real name.`,
  missing_glue: (_type, server) =>
    `${server} lies below its own delegation. Resolvers only find it with an address in this zone (glue).`,
  optional_glue: (_type, server) =>
    `${server} lies below another delegation. An address in this zone saves resolvers a query.`,
  below_delegation: (_type, cut) =>
    `The records lie at or below the delegation of ${cut}, so name servers do not serve them.`,
  missing_type: (type, needed) => `${type} needs ${needed} records at the same name.`,
  not_a_host_name: () => 'The name is not a host name. BIND as a primary rejects the zone unless check-names is off.',
  too_many_records: (_type, count) =>
    `The record set has ${count} records. BIND rejects the zone unless max-records-per-type is raised.`,
  too_many_types: (_type, count) =>
    `The name has ${count} record types. BIND rejects the zone unless max-types-per-name is raised.`,
  missing_dot: (_type, name) => `The final dot is missing. ${name} is probably meant.`,
  unspaced_spf: () =>
    'The strings of the SPF policy are joined without spaces. Put the whole policy in one pair of quotes.',
  missing_alpn: () => 'The record names no protocol. Add alpn=dot or another protocol.',
  missing_dohpath: () => 'DNS over HTTPS needs a path. Add dohpath=/dns-query{?dns} or another path.',
  alias_parameters: (type) =>
    `${type} with priority 0 is an alias. Clients ignore its parameters, and PowerDNS 4.7 rejects the zone. Remove the parameters.`,
  unsupported_algorithm: (_type, algorithm) =>
    `PowerDNS 4.7 rejects the zone because of algorithm ${algorithm}. Use algorithm 2 if PowerDNS serves the zone.`,
  unsupported_digest: (_type, digest) => `Knot DNS may reject digest type ${digest}. Use digest type 2 or 4.`,
  unreadable_record: (_type, id) =>
    `The record ${id} is damaged, so exports and name servers lack its record set. Restore or delete the record.`,
  other_name_server: (_type, server) => `${server} becomes a name server of the zone.`,
  alias_without_addresses: (_type, target) => `The ALIAS target ${target} has no usable addresses.`,
  expiring_signatures: (_type, time) => `Signatures expire at ${time} UTC. The primary has to sign the zone again.`,
  reverse_differs: (_type, target) => `The PTR record does not agree with the address of ${target}.`,
} satisfies Readonly<Record<string, FindingSentence>>;
