import { isDeepStrictEqual } from 'node:util';
import type { Caller } from './caller.js';
import { type Answered, type DomainThing, type Ledger, RecordThing, type Unanswered } from './ledger.js';
import type { ListedRecord } from './load.js';

/**
 * Repeats requests with their idempotency keys. Answered requests get the stored response. Unanswered ones get the
 * response of the first attempt, and nothing is created twice.
 * @returns a message for each differing response
 */
export async function repeatKeyed(ledger: Ledger, domains: readonly DomainThing[], caller: Caller): Promise<string[]> {
  const faults: string[] = [];
  for (const one of ledger.answered.splice(0)) faults.push(...(await repeatAnswered(one, ledger, caller)));
  for (const one of ledger.unanswered.splice(0)) faults.push(...(await repeat(one, ledger, domains, caller)));
  return faults;
}

async function repeatAnswered({ ask, body }: Answered, ledger: Ledger, caller: Caller): Promise<string[]> {
  const again = await caller.call(ask.method, ask.path, ask.body, ask.key);
  ledger.counts.repeated += 1;
  if (again.isReplayed) ledger.counts.replayed += 1;
  const isSame = again.isReplayed && isDeepStrictEqual(again.body, body);
  return isSame ? [] : [`${String(ask.key)}: ${JSON.stringify(body)} is answered as ${JSON.stringify(again)}`];
}

async function repeat(
  { thing, next, ask }: Unanswered,
  ledger: Ledger,
  domains: readonly DomainThing[],
  caller: Caller,
): Promise<string[]> {
  if (!(thing instanceof RecordThing)) return [];
  const { state: before, id } = thing;
  const { status, body, requestId, isReplayed } = await caller.call(ask.method, ask.path, ask.body, ask.key);
  ledger.counts.repeated += 1;
  if (status !== 200) return [`record ${thing.name}: its repetition is answered ${status}: ${JSON.stringify(body)}`];
  const answered = body as ListedRecord;
  thing.settle(next);
  thing.id = answered.id;
  domains.find(({ name }) => thing.name.endsWith(`.${name}`))?.records.set(thing.name, thing);
  if (isReplayed) ledger.counts.replayed += 1;
  else ledger.journaled.add(requestId);
  if (isReplayed !== (before !== null))
    return [`record ${thing.name}: ${isReplayed ? 'is answered only' : 'was created twice'}`];
  return before === null || id === answered.id ? [] : [`record ${thing.name}: is answered as another one`];
}
