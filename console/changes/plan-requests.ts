import { ask } from '../api/client.js';
import { isUnanswered, isVerdict, Refusal } from '../api/errors.js';
import type { Question } from '../api/http.js';
import { type SeenZone, seeZoneAt } from '../api/queries.js';
import type {
  Change,
  ChangeActor,
  Changes,
  Difference,
  Differences,
  DoneChanges,
  ImportReport,
  PlanFinding,
  RecordList,
  Usage,
} from '../api/types.js';
import { type Base, changeSetOf, type Entry } from './pending.js';
import { faultsOfFile, type LineFault } from './line-faults.js';
import { allRecords, LAST_OFFSET } from '../records/use-record-pages.js';
import { beyondFiles, needsWholeZone, zoneFileOf } from './zone-file.js';
import { words } from '../words/index.js';
import { type Faults, type PlanRow, rowsOfDifferences, rowsOfRefusal, rowsOfTrial, type ZoneCounts } from './plan.js';

/** What a plan is made of. All of it goes through the same dialog. */
export type PlanSubject =
  | { readonly kind: 'changes'; readonly entries: readonly Entry[] }
  | { readonly kind: 'revert'; readonly serial: number }
  | { readonly kind: 'undo'; readonly changeId: string }
  | { readonly kind: 'import'; readonly mode: 'merge' | 'replace'; readonly text: string };

/** What the service takes in one request. */
export interface Room {
  /** Entries of a change set. */
  readonly changes: number;
  /** Octets of a zone file. */
  readonly body: number;
  /** What records without a TTL have. */
  readonly zoneTtl: number;
}

/** What the service would do, or why it would not. */
export interface Trial {
  /** What is sent to have it done. */
  readonly subject: PlanSubject;
  readonly rows: readonly PlanRow[];
  readonly counts: ZoneCounts;
  /** What the zone would have of the records that it may have; `null` where nobody says. */
  readonly quota: QuotaAfter | null;
  /** What the check of the zone would find after it, as far as it was looked for. */
  readonly findings: readonly PlanFinding[];
  /** What is wrong with the plan as a whole. */
  readonly general: readonly string[];
  /** What is wrong with the lines of a file. */
  readonly lines: readonly LineFault[];
  readonly isFaulty: boolean;
}

export interface QuotaAfter {
  readonly records: number;
  /** `null` where there is none, or nobody says. */
  readonly limit: number | null;
}

interface Sent {
  readonly path: string;
  readonly json?: object;
  readonly text?: string;
}

function requestOf(zoneId: string, subject: PlanSubject, message: string): Sent {
  const path = `/v1/domains/${zoneId}`;
  const said: Readonly<Record<string, string>> = message === '' ? {} : { message };
  switch (subject.kind) {
    case 'changes':
      return { path: `${path}/changes`, json: { ...changeSetOf(subject.entries), ...said } };
    case 'revert':
      return { path: `${path}/revert`, json: { serial: subject.serial, ...said } };
    case 'undo':
      return { path: `${path}/revert`, json: { change_id: subject.changeId, ...said } };
    case 'import': {
      const query = new URLSearchParams({ mode: subject.mode, ...said });
      return { path: `${path}/import?${query.toString()}`, text: subject.text };
    }
  }
}

const withQuery = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`;

/**
 * Has the service try it, on the state that it is meant for. Changes that a change set has no room for are tried as a file.
 * @throws Refusal with 412 where that state is over, NoAnswer
 */
export async function tryPlan(
  zoneId: string,
  wanted: PlanSubject,
  base: Base,
  room: Room,
  signal: AbortSignal,
): Promise<Trial> {
  const subject = await sentSubject(zoneId, wanted, room, signal);
  if (typeof subject === 'string')
    return {
      ...{ subject: wanted, rows: [], counts: await countsOf(zoneId, signal), quota: null, findings: [] },
      ...{ general: [subject], lines: [], isFaulty: true },
    };
  const counted = countsOf(zoneId, signal);
  const limited = recordLimitOf(zoneId, signal);
  // It is waited for below; a failure of the trial itself comes first.
  counted.catch(() => {});
  try {
    const { rows, records, findings } = await triedRows(zoneId, subject, base, signal);
    const limit = await limited;
    const quota = records === null ? null : { records, limit };
    return { subject, rows, counts: await counted, quota, findings, general: [], lines: [], isFaulty: false };
  } catch (error) {
    if (!isVerdict(error)) throw error;
    const faults = refusedRows(subject, error);
    const isExplained = error.fields.length > 0;
    return {
      ...faults,
      subject,
      general: isExplained ? faults.general : [error.message],
      counts: await counted,
      quota: null,
      findings: [],
      isFaulty: true,
    };
  }
}

/** @returns why there is no request for it, where it is a text */
async function sentSubject(
  zoneId: string,
  subject: PlanSubject,
  room: Room,
  signal: AbortSignal,
): Promise<PlanSubject | string> {
  if (subject.kind !== 'changes' || subject.entries.length <= room.changes) return subject;
  const { entries } = subject;
  const beyond = beyondFiles(entries);
  if (beyond > 0) return words.plan.beyondFile(beyond, room.changes);
  const zone = needsWholeZone(entries) ? await allRecords(zoneId, EVERYTHING, LAST_OFFSET, signal) : null;
  const file = zoneFileOf(entries, zone, room.zoneTtl);
  return file.text.length > room.body ? words.plan.fileTooLong(room.changes) : { kind: 'import', ...file };
}

const EVERYTHING = { q: '', name: '', type: '', sort: 'name' };

interface Tried {
  readonly rows: PlanRow[];
  /** How many records the zone would have; `null` where the service does not say. */
  readonly records: number | null;
  readonly findings: readonly PlanFinding[];
}

async function triedRows(zoneId: string, subject: PlanSubject, base: Base, signal: AbortSignal): Promise<Tried> {
  const { path, ...body } = requestOf(zoneId, subject, '');
  const trial = { ...body, method: 'POST', ifMatch: base.etag, signal } as const;
  if (subject.kind === 'import') {
    const { body: report } = await ask<ImportReport>(withQuery(path, 'dry_run=true&diff=true'), trial);
    return { rows: rowsOfDifferences(report.diff ?? []), records: null, findings: report.findings ?? [] };
  }
  const done = await triedWithFindings(path, trial);
  const rows = subject.kind === 'changes' ? rowsOfTrial(subject.entries, done) : rowsOfDifferences(done.diff ?? []);
  return { rows, records: done.use?.zone_records ?? null, findings: done.findings ?? [] };
}

/** So many checks of a tenant are under way at a time; the plan is worth showing without this one. */
async function triedWithFindings(path: string, trial: Question): Promise<DoneChanges> {
  try {
    return (await ask<DoneChanges>(withQuery(path, 'dry_run=true&findings=true'), trial)).body;
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    return (await ask<DoneChanges>(withQuery(path, 'dry_run=true'), trial)).body;
  }
}

function refusedRows(subject: PlanSubject, { fields }: Refusal): Faults & Pick<Trial, 'lines'> {
  if (subject.kind === 'changes') return { ...rowsOfRefusal(subject.entries, fields), lines: [] };
  if (subject.kind === 'import') return { rows: [], ...faultsOfFile(subject.text, fields) };
  return { rows: [], general: fields.map(({ message }) => message), lines: [] };
}

async function countsOf(zoneId: string, signal: AbortSignal): Promise<ZoneCounts> {
  const { body } = await ask<RecordList>(`/v1/domains/${zoneId}/records?limit=1&count=true`, { signal });
  return { total: body.count?.total ?? 0, by_type: body.count?.by_type ?? {} };
}

/** The plan is worth showing without it: not every credential may ask. */
async function recordLimitOf(zoneId: string, signal: AbortSignal): Promise<number | null> {
  try {
    const { body } = await ask<Usage>(`/v1/usage?domain_id=${zoneId}`, { signal });
    return body.quotas.zone_records.limit;
  } catch {
    return null;
  }
}

async function differences(
  zoneId: string,
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<readonly Difference[]> {
  return (await ask<Differences>(`/v1/domains/${zoneId}/diff?from=${from}&to=${to}`, { signal })).body.diff;
}

export interface Applied {
  readonly serial: number;
  readonly size: number;
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
  message: string,
): Promise<number> {
  const { path, ...body } = requestOf(zoneId, subject, message);
  const question = { ...body, method: 'POST', ifMatch: base.etag, idempotencyKey: key } as const;
  if (subject.kind !== 'import') return (await ask<DoneChanges>(path, question)).body.serial;
  await ask<ImportReport>(path, question);
  // The report has no serial. What came upon the state that was planned for is this import.
  const made = (await latestChanges(zoneId)).find(({ serial_before: before }) => before === base.serial);
  return made?.serial ?? (await seeZoneAt(zoneId)).zone.serial;
}

/** What a change that led to a serial is undone by; `null` where too much has happened since. */
export async function changeOfSerial(zoneId: string, serial: number): Promise<string | null> {
  return (await latestChanges(zoneId)).find((change) => change.serial === serial)?.change_id ?? null;
}

/** The changes of a zone since it had a serial, the latest first. */
export async function changesSince(zoneId: string, serial: number, signal?: AbortSignal): Promise<readonly Change[]> {
  const changes = await latestChanges(zoneId, signal);
  const end = changes.findIndex((change) => change.serial === serial);
  return end < 0 ? changes : changes.slice(0, end);
}

/** Each of those who made changes, once. */
export const actorsOf = (changes: readonly Change[]): string[] => [
  ...new Set(changes.map(({ actor }) => actorOf(actor)).filter((actor) => actor !== '')),
];

async function latestChanges(zoneId: string, signal?: AbortSignal): Promise<readonly Change[]> {
  return (await ask<Changes>(`/v1/domains/${zoneId}/changes?limit=200`, { signal })).body.changes;
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
    return { now, since, actors: actorsOf(await changesSince(zoneId, base.serial, signal)) };
  } catch (error) {
    // The journal may not go back so far; the zone as it is now is enough to plan again.
    if (error instanceof Refusal && error.status === 404) return { now, since: [], actors: [] };
    throw error;
  }
}

type Actor = Omit<ChangeActor, 'token_description'> & Partial<Pick<ChangeActor, 'token_description'>>;

export function actorOf(actor: Actor | null): string {
  if (actor === null) return '';
  const token = actor.token_description ?? actor.token_id?.slice(0, 8);
  return actor.user ?? (token === undefined ? actor.tenant_id : `${actor.tenant_id} ${token}`);
}
