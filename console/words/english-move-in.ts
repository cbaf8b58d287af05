import { count, duration, number, records } from './numbers.js';

const list = new Intl.ListFormat('en');

/** Texts of the wizard that moves a domain in. */
export const englishMoveIn = {
  headingOf: (domain: string) => `Move ${domain} in`,
  steps: 'Steps of the move',
  intro:
    'Copies the records of a domain from its present name servers, compares the result, and leads you through the change of the delegation. You can leave each step and continue later in this browser.',
  forAll: 'Choose a tenant first: a new zone belongs to one tenant.',
  notPermitted: 'You do not have permission to create zones.',
  noZone: 'The zone does not exist yet. Begin with the source of its records:',
  next: 'Continue',
  back: (step: string) => `Back to ${step}`,
  forget: 'Remove',
  forgetOf: (domain: string) => `Remove the move of ${domain}`,
  forgetTitle: 'Remove the move',
  forgetQuestion: (domain: string) =>
    `The move of ${domain} leaves this list, with its text that is not imported. The zone and its records stay.`,
  headings: {
    source: 'Domain and source',
    records: 'Check the records',
    compare: 'Compare with the old name servers',
    'name-servers': 'Set the name servers at your registrar',
    delegation: 'Wait for the delegation',
    dnssec: 'Secure the zone with DNSSEC',
  },
  source: {
    domain: 'Domain',
    email: 'Email',
    emailHint: (usual: string | null) =>
      `Contact address for this zone, published in its SOA record.${usual === null ? '' : ` Leave it empty for ${usual}.`}`,
    legend: 'Source of the records',
    names: { file: 'Zone file', transfer: 'Transfer (AXFR)', queries: 'Queries' },
    hints: {
      file: 'Paste or upload an export of the old provider. Complete.',
      transfer: 'Copy the zone from an old name server that permits transfers. Complete.',
      queries: 'Ask the old name servers for common names. Finds most records, but not all.',
    },
    servers: 'Old name servers',
    serversHint:
      'Up to 8 host names or addresses, one per line. Leave it empty to ask those of the present delegation.',
    tooManyServers: (most: number) => `Enter up to ${most} name servers.`,
    useKey: 'Sign the transfer with a TSIG key',
    key: { name: 'Key name', algorithm: 'Algorithm', secret: 'Secret' },
    secretHint: 'In base64. It is not stored.',
    start: 'Continue',
    working: { file: 'Creating the zone…', transfer: 'Transferring the zone…', queries: 'Asking the name servers…' },
    missing: 'Enter the name of the domain, such as example.org.',
    nothing: 'No name server returned records of this domain.',
    keyMissing: 'Enter the name and the secret of the key.',
  },
  records: {
    intro:
      'Correct the zone file here. Zonewright checks it while you type. Nothing is stored before you review the plan and apply it.',
    file: 'Zone file',
    problems: 'Problems in the file',
    checking: 'Checking…',
    ready: (n: number) => `${records(n)} can be imported.`,
    found: (errors: number, warnings: number) =>
      errors + warnings === 0
        ? 'No problems found.'
        : `${list.format([
            ...(errors > 0 ? [count(errors, 'error', 'errors')] : []),
            ...(warnings > 0 ? [count(warnings, 'warning', 'warnings')] : []),
          ])}.`,
    more: (n: number) => `${number.format(n)} more.`,
    notKept: 'This file is too large to keep across a reload.',
    review: 'Review import',
    stored: 'The records are in the zone.',
    show: 'Show records',
  },
  compare: {
    intro:
      'Zonewright asks the old name servers for each record set of the zone. It does not find records that only the old name servers have.',
    servers: 'Old name servers',
    serversHint: 'Up to 8 host names or addresses. Leave it empty to ask those of the present delegation.',
    again: 'Compare',
    comparing: 'Asking the old name servers…',
    more: 'Compare more',
    result: (compared: number, differences: number) =>
      compared === 0
        ? 'Nothing was compared.'
        : `${count(compared, 'record set', 'record sets')} compared: ${
            differences === 0 ? 'all are the same.' : `${count(differences, 'difference', 'differences')}.`
          }`,
    unanswered: (n: number) => `Without an answer: ${count(n, 'record set', 'record sets')}.`,
    table: 'Differences',
    columns: { name: 'Name', type: 'Type', theirs: 'Old name servers', ours: 'This zone', action: 'Action' },
    none: 'None',
    ttl: (ttl: number) => `TTL ${duration(ttl)}`,
    take: 'Use theirs',
    takeOf: (name: string, type: string) => `Use theirs: ${name} ${type}`,
    takeAll: (n: number) => `Use theirs for all ${number.format(n)}`,
    taken: 'In pending changes',
    takenStatus: (n: number) => `Added to the pending changes: ${count(n, 'record set', 'record sets')}.`,
  },
  servers: {
    label: 'Asked name servers',
    answered: 'answered',
    reasons: {
      no_address: 'has no address',
      forbidden_address: 'is at an address that Zonewright may not ask',
      unreachable: 'is unreachable',
      no_answer: 'did not answer',
      refused: 'refused. Permit transfers to Zonewright there, or choose another source',
      not_authoritative: 'does not serve this domain',
      bad_signature: 'did not accept the TSIG key',
      too_large: 'has a zone that is too large to import',
      invalid_answer: 'sent an invalid answer',
    },
  },
  nameServers: {
    intro: 'Set these name servers for the domain at your registrar, in place of the old ones.',
    none: 'No name servers are configured. Set them in the settings of the zone.',
    number: (n: number) => `Name server ${n}`,
    all: 'All',
    allShown: 'One per line',
    unpublished: (current: number, all: number) =>
      `Do not change the delegation yet: the zone is live on ${current} of ${all} name servers.`,
    order: 'The right order',
    steps: [
      'At the old provider, lower the TTLs of the NS records and of important records to 5 min. Wait until the former TTLs have passed.',
      'If the domain has a DS record at the registrar, remove it, and wait until its TTL has passed.',
      'Set the name servers above at the registrar. Do not keep the old ones.',
      'Keep the old zone online for 2 more days, since caches may have the old delegation. Make each change of a record in both places.',
      'Then delete the zone at the old provider, and raise the TTLs here again.',
    ],
    done: 'I have set the name servers',
  },
  parent: {
    signed: 'Do not change the name servers yet: the parent zone has a DS record for the keys of the old provider.',
    remove: (ttl: number | null) =>
      `Remove the DS at your registrar. Then wait ${ttl === null ? 'until its TTL has passed, usually 1 day' : duration(ttl)}. With this DS, resolvers refuse the answers of other name servers, and the domain is unreachable.`,
    removed: 'The DS is removed. Do not change the name servers yet. Caches may have it until',
    maybeSigned: 'The old zone is signed with DNSSEC.',
    maybeRemove:
      'Zonewright cannot see whether the parent zone has a DS record. If your registrar shows one, remove it, and wait until its TTL has passed, usually 1 day. With it, resolvers refuse the answers of other name servers.',
  },
  delegation: {
    intro:
      'Zonewright asks each name server of the parent zone, and asks again while this page is open. A change at the registrar takes minutes to hours.',
    complete: (n: number) =>
      n === 1
        ? 'The delegation is complete: the name server of the parent zone has the new name servers.'
        : `The delegation is complete: all ${n} name servers of the parent zone have the new name servers.`,
    waits: (servers: readonly string[]) =>
      `${list.format(servers)} still ${servers.length === 1 ? 'has' : 'have'} other name servers.`,
    silent: (servers: readonly string[]) => `${list.format(servers)} did not answer.`,
    unseen: 'Zonewright cannot look at the parent zone here.',
    byHand: 'An operator can permit it with [service:dnssec] resolver. Until then, look yourself:',
    lastCheck: 'Last check:',
    skip: 'Continue without waiting',
    confirm: 'The delegation is complete',
    keepOld: 'Keep the old zone online for 2 more days: caches may have the old delegation.',
  },
  dnssec: {
    intro:
      'Sign the zone, and add its DS record at your registrar. You can also do this later, on the DNSSEC page of the zone.',
    done: 'Finish the move',
  },
};
