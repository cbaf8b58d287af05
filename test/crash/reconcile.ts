import type { Caller } from './caller.js';
import type { DomainThing, Ledger, State, Thing } from './ledger.js';
import { type ListedRecord, readSerial, recordsOf } from './load.js';
import type { Store } from './store.js';

/**
 * Compares the restarted service with earlier responses and settles all doubts. Returns a message for each difference.
 */
export async function differences(ledger: Ledger, store: Store, caller: Caller): Promise<string[]> {
  return [
    ...(await differencesOfDomains(ledger, caller)),
    ...(await differencesOfQuotas(ledger, caller)),
    ...(await differencesOfJournal(ledger, store)),
  ];
}

async function differencesOfDomains(ledger: Ledger, caller: Caller): Promise<string[]> {
  const shown = await shownDomains(caller);
  const faults: string[] = [];
  for (const domain of ledger.domains.values()) {
    const id = shown.get(domain.name);
    shown.delete(domain.name);
    if (!accept(ledger, domain, id === undefined ? null : 'there'))
      faults.push(`domain ${domain.name}: ${id === undefined ? 'is missing' : 'exists again'}`);
    if (id === undefined) {
      ledger.domains.delete(domain.name);
      continue;
    }
    domain.id = id;
    faults.push(...(await differencesOfRecords(ledger, domain, caller)));
    await readSerial(domain, caller);
  }
  for (const name of shown.keys()) faults.push(`domain ${name}: no client created it`);
  return faults;
}

async function shownDomains(caller: Caller): Promise<Map<string, string>> {
  const { body } = await caller.call('GET', '/v1/domains');
  const { domains } = body as { readonly domains: readonly { readonly id: string; readonly name: string }[] };
  return new Map(domains.map(({ name, id }) => [name, id]));
}

async function differencesOfRecords(ledger: Ledger, domain: DomainThing, caller: Caller): Promise<string[]> {
  const { body } = await caller.call('GET', recordsOf(domain));
  const { records } = body as { readonly records: readonly ListedRecord[] };
  const shown = new Map(records.map((record) => [record.name, record]));
  const faults: string[] = [];
  if (shown.size !== records.length) faults.push(`domain ${domain.name}: a record is there twice`);
  for (const record of domain.records.values()) {
    const found = shown.get(record.name);
    shown.delete(record.name);
    if (record.id !== null && found !== undefined && record.id !== found.id)
      faults.push(`record ${record.name}: has become another one`);
    if (!accept(ledger, record, found?.data ?? null))
      faults.push(`record ${record.name}: is ${String(found?.data)}, which no answer explains`);
    if (found === undefined) domain.records.delete(record.name);
    else record.id = found.id;
  }
  for (const name of shown.keys()) faults.push(`record ${name}: no client created it`);
  return faults;
}

async function differencesOfQuotas(ledger: Ledger, caller: Caller): Promise<string[]> {
  const faults: string[] = [];
  for (const [tenant, quota] of ledger.quotas) {
    const { body } = await caller.call('GET', `/admin/quotas/${tenant}`);
    const { zones } = (body as { readonly quota: { readonly zones: number } }).quota;
    // A tenant that was never given anything shows the default.
    const found = quota.state === null && zones === DEFAULT_ZONES ? null : String(zones);
    if (!accept(ledger, quota, found)) faults.push(`quota of ${tenant}: ${zones} was never acknowledged`);
  }
  return faults;
}

const DEFAULT_ZONES = 1_000_000;

/** Each acknowledged change has one journal row; extra rows do not exceed the requests without a response. */
async function differencesOfJournal(ledger: Ledger, store: Store): Promise<string[]> {
  const rows = await store.journal();
  const faults: string[] = [];
  for (const requestId of ledger.journaled)
    if (rows.get(requestId) !== 1) faults.push(`${requestId} has ${rows.get(requestId) ?? 0} rows in the journal`);
  const strangers = [...rows.keys()].filter((requestId) => !ledger.journaled.has(requestId));
  if (strangers.length > ledger.inDoubt)
    faults.push(`the journal has ${strangers.length} changes more, and ${ledger.inDoubt} were in doubt`);
  for (const requestId of strangers) ledger.journaled.add(requestId);
  ledger.inDoubt = 0;
  return faults;
}

function accept(ledger: Ledger, thing: Thing, found: State): boolean {
  if (!thing.isSettled && thing.state !== found) ledger.counts.inDoubtStored += 1;
  return thing.accept(found);
}
