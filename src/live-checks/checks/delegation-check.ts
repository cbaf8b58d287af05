import { Rcode, rcodeName } from '../../dns/message/codes.js';
import type { Message } from '../../dns/message/message.js';
import { DomainName } from '../../dns/name.js';
import { keyAbove, wireOfKey } from '../../dns/name-key.js';
import { A, AAAA } from '../../dns/rdata/address-types.js';
import { DS } from '../../dns/rdata/dnssec.js';
import { NS } from '../../dns/rdata/name-types.js';
import { SOA } from '../../dns/rdata/soa.js';
import type { LiveKind } from '../live-finding.js';
import { problemOf, recordsIn, recordsOf, valuesIn } from '../questions/answers.js';
import type { CheckContext } from './check-context.js';

/** Name servers of the parent zone that are asked. */
const MOST_SERVERS = 4;

/** The delegation, joined over the name servers of the parent zone. */
export interface Delegation {
  readonly parent: string;
  readonly nameServers: readonly DomainName[];
  /** Addresses in referrals, by name key. */
  readonly glue: ReadonlyMap<string, readonly string[]>;
  /** RDATA; `null` if no server gave a usable answer. */
  readonly ds: readonly Uint8Array[] | null;
}

interface ParentAnswer {
  readonly server: string;
  readonly problem: string | null;
  readonly nameServers: readonly DomainName[];
  readonly glue: readonly (readonly [key: string, address: string])[];
  /** A referral has glue; an answer of a server that has the zone itself may lack it. */
  readonly isReferral: boolean;
  readonly ds: readonly Uint8Array[] | null;
}

/** Compares the delegation in the parent zone with the zone (behaviour 27.4). `null`: it is unknown. */
export async function checkDelegation(context: CheckContext): Promise<Delegation | null> {
  const { apex } = context.zone;
  // The root has no parent.
  if (apex.labelCount === 0) return null;
  const about = { name: apex.toString(), type: NS.name };
  const unknown = (why: string): null => {
    context.findings.add('parent_unknown', about, `The delegation is not checked: ${why}.`);
    return null;
  };
  const parent = await parentOf(context, apex);
  if (typeof parent === 'string') return unknown(parent);
  const servers = await serversOf(context, parent);
  if (servers.length === 0) return unknown(`no name server of ${parent.toString()} has an address that may be asked`);
  const asked = await context.all(servers.map((server) => () => askServer(context, server)));
  const answers = asked.filter((answer) => answer !== null);
  const usable = answers.filter(({ problem }) => problem === null);
  const [first] = answers;
  if (usable.length === 0)
    return first === undefined ? null : unknown(`${first.server} ${first.problem ?? 'does not answer'}`);
  const delegation = joined(parent.toString(), usable);
  compareNames(context, delegation, usable);
  if (usable.every(({ isReferral }) => isReferral)) compareGlue(context, delegation);
  return delegation;
}

/** The parent zone, or why it is unknown. */
async function parentOf({ questions }: CheckContext, { key }: DomainName): Promise<DomainName | string> {
  const above = DomainName.read(wireOfKey(keyAbove(key)));
  const reply = await questions.resolve(above, SOA);
  const problem = problemOf(reply, above);
  if (reply.message === null || problem?.kind === 'unknown') return problem?.text ?? 'the resolver does not answer';
  const { answers, authorities } = reply.message;
  const soa = [...answers, ...authorities].find(({ type, owner }) => type === SOA.code && above.isWithin(owner));
  return soa?.owner ?? `the resolver finds no SOA for ${above.toString()} or above`;
}

async function serversOf(
  { questions }: CheckContext,
  parent: DomainName,
): Promise<{ readonly server: string; readonly address: string }[]> {
  const reply = await questions.resolve(parent, NS);
  if (reply.message === null) return [];
  const names = valuesIn(recordsIn(reply.message, parent, NS), NS).map(({ nameServer }) => nameServer);
  const some = names.sort((one, other) => (one.key < other.key ? -1 : 1)).slice(0, MOST_SERVERS);
  const found = new Map<string, { server: string; address: string }>();
  for (const name of some) {
    const { addresses } = await questions.addressesOf(name);
    const address = addresses.find((one) => questions.allows(one));
    if (address !== undefined && !found.has(address)) found.set(address, { server: name.toString(), address });
  }
  return [...found.values()];
}

async function askServer(
  { zone: { apex }, questions }: CheckContext,
  { server, address }: { readonly server: string; readonly address: string },
): Promise<ParentAnswer> {
  const { message } = await questions.askServer(address, 'TCP', apex, NS.code);
  const none = { server, nameServers: [], glue: [], isReferral: false, ds: null };
  if (message === null) return { ...none, problem: 'does not answer' };
  const { rcode, isAuthoritative } = message.header;
  if (rcode !== Rcode.NOERROR && rcode !== Rcode.NXDOMAIN)
    return { ...none, problem: `answers ${rcodeName(rcode)} for the domain` };
  const records = recordsOf([...message.answers, ...message.authorities], apex, NS.code);
  const nameServers = valuesIn(records, NS).map(({ nameServer }) => nameServer);
  if (nameServers.length === 0 && !isAuthoritative)
    return { ...none, problem: 'is not authoritative for the parent zone' };
  const ds = await questions.askServer(address, 'TCP', apex, DS.code);
  return {
    ...{ server, problem: null, nameServers, glue: glueIn(message, nameServers), isReferral: !isAuthoritative },
    ds: ds.message === null ? null : dsIn(ds.message, apex),
  };
}

function dsIn({ header, answers }: Message, apex: DomainName): Uint8Array[] | null {
  if (!header.isAuthoritative || (header.rcode !== Rcode.NOERROR && header.rcode !== Rcode.NXDOMAIN)) return null;
  return recordsOf(answers, apex, DS.code).map(({ rdata }) => rdata);
}

function glueIn(message: Message, names: readonly DomainName[]): (readonly [key: string, address: string])[] {
  return names.flatMap((name) =>
    [A, AAAA].flatMap((type) =>
      recordsOf(message.additionals, name, type.code).map(({ rdata }) => [name.key, type.toText(rdata)] as const),
    ),
  );
}

function joined(parent: string, answers: readonly ParentAnswer[]): Delegation {
  const names = new Map(answers.flatMap(({ nameServers }) => nameServers.map((name) => [name.key, name] as const)));
  const glue = new Map<string, string[]>();
  for (const [key, address] of answers.flatMap((answer) => answer.glue)) {
    const known = glue.get(key) ?? [];
    if (!known.includes(address)) glue.set(key, [...known, address]);
  }
  const known = answers.flatMap(({ ds }) => ds ?? []);
  const ds = new Map(known.map((rdata) => [Buffer.from(rdata).toString('hex'), rdata]));
  const isKnown = answers.some((answer) => answer.ds !== null);
  return { parent, nameServers: [...names.values()], glue, ds: isKnown ? [...ds.values()] : null };
}

function compareNames(
  { zone: { apex, nameServers }, findings }: CheckContext,
  { parent, ...delegation }: Delegation,
  answers: readonly ParentAnswer[],
): void {
  const add = (kind: LiveKind, message: string): void =>
    findings.add(kind, { name: apex.toString(), type: NS.name }, message);
  const without = answers.filter((answer) => answer.nameServers.length === 0).map(({ server }) => server);
  if (without.length > 0) {
    const where = without.length === answers.length ? parent : `${parent} at ${without.join(', ')}`;
    add('not_delegated', `${where} has no NS records for the domain. Enter its name servers at the registrar.`);
  }
  if (delegation.nameServers.length === 0) return;
  for (const name of missingIn(delegation.nameServers, nameServers))
    add(
      'ns_only_at_parent',
      `${parent} delegates to ${name}, which is no NS record of the domain. Remove it at the registrar, or add it here.`,
    );
  for (const name of missingIn(nameServers, delegation.nameServers))
    add(
      'ns_only_in_zone',
      `${parent} does not delegate to ${name}, an NS record of the domain. Add it at the registrar, or remove it here.`,
    );
}

function compareGlue({ zone, findings }: CheckContext, { parent, nameServers, glue }: Delegation): void {
  for (const name of nameServers) {
    const own = zone.ownAddresses.get(name.key) ?? [];
    if (!name.isWithin(zone.apex) || own.length === 0) continue;
    const given = glue.get(name.key) ?? [];
    const about = { name: name.toString(), type: A.name };
    if (given.length === 0)
      findings.add('live_glue_missing', about, `${parent} has no address for ${about.name} (glue). Enter it there.`);
    else if (own.some((one) => !given.includes(one)) || given.some((one) => !own.includes(one)))
      findings.add(
        'glue_differs',
        about,
        `${parent} has ${given.join(', ')} as glue of ${about.name}; the domain has ${own.join(', ')}. Correct one of them.`,
      );
  }
}

function missingIn(names: readonly DomainName[], others: readonly DomainName[]): string[] {
  const known = new Set(others.map(({ key }) => key));
  return names.filter(({ key }) => !known.has(key)).map(String);
}
