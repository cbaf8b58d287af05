import { ask } from '../api/client.js';
import { isVerdict, Refusal } from '../api/errors.js';
import { type SeenZone, seeZoneAt } from '../api/queries.js';
import type { Difference, Differences, DoneChanges, History, ImportReport, RecordList } from '../api/types.js';
import type { Step } from './inverse.js';
import { type Base, changeSetOf, type Entry } from './pending.js';
import { type PlanRow, rowsOfDifferences, rowsOfRefusal, rowsOfTrial, type ZoneCounts } from './plan.js';

/** What a plan is made of. All of it goes through the same dialog. */
export type PlanSubject =
  | { readonly kind: 'changes'; readonly entries: readonly Entry[] }
  | { readonly kind: 'revert'; readonly serial: number }
  | { readonly kind: 'import'; readonly mode: 'merge' | 'replace'; readonly text: string };

/** What the service would do, or why it would not. */
export interface Trial {
  readonly rows: readonly PlanRow[];
  readonly counts: ZoneCounts;
  /** What is wrong with the plan as a whole. */
  readonly general: readonly string[];
  readonly isFaulty: boolean;
}

interface Sent {
  readonly path: string;
  readonly json?: object;
  readonly text?: string;
}

function requestOf(zoneId: string, subject: PlanSubject): Sent {
  const path = `/v1/domains/${zoneId}`;
  if (subject.kind === 'changes') return { path: `${path}/changes`, json: changeSetOf(subject.entries) };
  if (subject.kind === 'revert') return { path: `${path}/revert`, json: { serial: subject.serial } };
  return { path: `${path}/import?mode=${subject.mode}`, text: subject.text };
}

const withQuery = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`;

/**
 * Has the service try it, on the state that it is meant for.
 * @throws Refusal with 412 where that state is over, NoAnswer
 */
export async function tryPlan(zoneId: string, subject: PlanSubject, base: Base, signal: AbortSignal): Promise<Trial> {
  const counted = countsOf(zoneId, signal);
  // It is waited for below; a failure of the trial itself comes first.
  counted.catch(() => {});
  try {
    const rows = await triedRows(zoneId, subject, base, signal);
    return { rows, counts: await counted, general: [], isFaulty: false };
  } catch (error) {
    if (!isVerdict(error)) throw error;
    const faults = refusedRows(subject, error);
    const isExplained = error.fields.length > 0;
    return {
      ...faults,
      general: isExplained ? faults.general : [error.message],
      counts: await counted,
      isFaulty: true,
    };
  }
}

async function triedRows(zoneId: string, subject: PlanSubject, base: Base, signal: AbortSignal): Promise<PlanRow[]> {
  const { path, ...body } = requestOf(zoneId, subject);
  const trial = { ...body, method: 'POST', ifMatch: base.etag, signal } as const;
  if (subject.kind === 'import') {
    const { body: report } = await ask<ImportReport>(withQuery(path, 'dry_run=true&diff=true'), trial);
    return rowsOfDifferences(report.diff ?? []);
  }
  const { body: done } = await ask<DoneChanges>(withQuery(path, 'dry_run=true'), trial);
  if (subject.kind === 'changes') return rowsOfTrial(subject.entries, done);
  return rowsOfDifferences(await differences(zoneId, base.serial, subject.serial, signal));
}

function refusedRows(subject: PlanSubject, error: Refusal) {
  return subject.kind === 'changes'
    ? rowsOfRefusal(subject.entries, error.fields)
    : { rows: [], general: error.fields.map(({ message }) => message) };
}

async function countsOf(zoneId: string, signal: AbortSignal): Promise<ZoneCounts> {
  const { body } = await ask<RecordList>(`/v1/domains/${zoneId}/records?limit=1&count=true`, { signal });
  return { total: body.count?.total ?? 0, by_type: body.count?.by_type ?? {} };
}

async function differences(
  zoneId: string,
  from: number,
  to: number | null,
  signal: AbortSignal,
): Promise<readonly Difference[]> {
  const until = to === null ? '' : `&to=${to}`;
  return (await ask<Differences>(`/v1/domains/${zoneId}/diff?from=${from}${until}`, { signal })).body.diff;
}

export interface Applied {
  readonly serial: number;
  readonly size: number;
  /** What takes it back. */
  readonly undo:
    { readonly kind: 'steps'; readonly steps: readonly Step[] } | { readonly kind: 'serial'; readonly serial: number };
}

/**
 * Stores what the plan says. The same key with the same request is carried out once.
 * @throws Refusal, NoAnswer
 */
export async function applyPlan(
  zoneId: string,
  subject: PlanSubject,
  base: Base,
  key: string,
  size: number,
): Promise<Applied> {
  const { path, ...body } = requestOf(zoneId, subject);
  const question = { ...body, method: 'POST', ifMatch: base.etag, idempotencyKey: key } as const;
  if (subject.kind === 'changes') {
    const { body: done } = await ask<DoneChanges>(path, question);
    return { serial: done.serial, size, undo: { kind: 'steps', steps: stepsOf(subject.entries, done) } };
  }
  await ask(path, question);
  const { zone } = await seeZoneAt(zoneId);
  return { serial: zone.serial, size, undo: { kind: 'serial', serial: base.serial } };
}

function stepsOf(entries: readonly Entry[], { changes }: DoneChanges): Step[] {
  return entries.map((entry, index) => ({
    before: entry.action === 'create' ? null : entry.before,
    after: entry.action === 'delete' ? null : (changes[index]?.record ?? null),
  }));
}

/** What others have done to the zone since the plan was begun. */
export interface Conflict {
  readonly now: SeenZone;
  readonly since: readonly Difference[];
  /** Those who did it; empty where the history does not go back so far. */
  readonly actors: readonly string[];
}

export async function conflictOf(zoneId: string, base: Base, signal: AbortSignal): Promise<Conflict> {
  const now = await seeZoneAt(zoneId, signal);
  try {
    const since = await differences(zoneId, base.serial, now.zone.serial, signal);
    const { body } = await ask<History>(`/v1/domains/${zoneId}/history?limit=200`, { signal });
    const end = body.history.findIndex(({ serial }) => serial === base.serial);
    const newer = end < 0 ? body.history : body.history.slice(0, end);
    return { now, since, actors: [...new Set(newer.map(({ actor }) => actorOf(actor)))] };
  } catch (error) {
    // The journal may not go back so far; the zone as it is now is enough to plan again.
    if (error instanceof Refusal && error.status === 404) return { now, since: [], actors: [] };
    throw error;
  }
}

type Actor = History['history'][number]['actor'] | null;

export function actorOf(actor: Actor): string {
  if (actor === null) return '';
  return actor.user ?? (actor.token_id === null ? actor.tenant_id : `${actor.tenant_id} ${actor.token_id.slice(0, 8)}`);
}
