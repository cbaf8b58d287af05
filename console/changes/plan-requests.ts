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
import type { ReverseSteps } from './plan-reverse.js';
import { words } from '../words/index.js';
import {
  type Faults,
  GUARDED_TYPES,
  type PlanRow,
  rowsOfDifferences,
  rowsOfRefusal,
  rowsOfTrial,
  type ZoneCounts,
} from './plan.js';

/** The sources of a plan, all shown in one dialog. */
export type PlanSubject =
  | { readonly kind: 'changes'; readonly entries: readonly Entry[] }
  | { readonly kind: 'revert'; readonly serial: number }
  | { readonly kind: 'undo'; readonly changeId: string }
  | ({ readonly kind: 'import' } & ImportedFile);

/** A zone file and its use. */
export interface ImportedFile {
  readonly mode: 'merge' | 'replace';
  readonly text: string;
  /** Leaves out the NS records of the zone itself. */
  readonly skipsNameServers?: boolean;
}

/** Request limits of the service. */
export interface Room {
  /** Entries of a change set. */
  readonly changes: number;
  /** Octets of a zone file. */
  readonly body: number;
  /** The TTL of records without an explicit TTL. */
  readonly zoneTtl: number;
}

/** The dry run result, or the reason for a refusal. */
export interface Trial {
  /** The request that applies the plan. */
  readonly subject: PlanSubject;
  readonly rows: readonly PlanRow[];
  readonly counts: ZoneCounts;
  /** The resulting use of the record quota; `null`: unknown. */
  readonly quota: QuotaAfter | null;
  /** New findings of the zone check, if requested. */
  readonly findings: readonly PlanFinding[];
  /** PTR records that follow. */
  readonly reverse: ReverseSteps;
  /** SOA and NS records of a file that are left out. */
  readonly skipped: number;
  /** Faults of the plan as a whole. */
  readonly general: readonly string[];
  /** Faults of file lines. */
  readonly lines: readonly LineFault[];
  readonly isFaulty: boolean;
}

export interface QuotaAfter {
  readonly records: number;
  /** `null`: unlimited or unknown. */
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
      const skips = subject.skipsNameServers === true ? { skip_name_servers: 'true' } : {};
      const query = new URLSearchParams({ mode: subject.mode, ...skips, ...said });
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
      ...{
        subject: wanted,
        rows: [],
        counts: await countsOf(zoneId, signal),
        quota: null,
        findings: [],
        reverse: [],
        skipped: 0,
      },
      ...{ general: [subject], lines: [], isFaulty: true },
    };
  const counted = countsOf(zoneId, signal);
  const limited = recordLimitOf(zoneId, signal);
  // It is waited for below; a failure of the trial itself comes first.
  counted.catch(() => {});
  try {
    const { rows, records, ...found } = await triedRows(zoneId, subject, base, signal);
    const limit = await limited;
    const quota = records === null ? null : { records, limit };
    return { subject, rows, counts: await counted, quota, ...found, general: [], lines: [], isFaulty: false };
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
      reverse: [],
      skipped: 0,
      isFaulty: true,
    };
  }
}

/** @returns a text: the reason why no request can be made */
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
  readonly reverse: ReverseSteps;
  readonly skipped: number;
}

async function triedRows(zoneId: string, subject: PlanSubject, base: Base, signal: AbortSignal): Promise<Tried> {
  const { path, ...body } = requestOf(zoneId, subject, '');
  const trial = { ...body, method: 'POST', ifMatch: base.etag, signal } as const;
  if (subject.kind === 'import') {
    const report = await triedWithFindings<ImportReport>(withQuery(path, 'diff=true'), trial);
    const { diff = [], findings = [], skipped } = report;
    return { rows: rowsOfDifferences(diff), records: null, findings, reverse: [], skipped };
  }
  const done = await triedWithFindings<DoneChanges>(path, trial);
  const rows = subject.kind === 'changes' ? rowsOfTrial(subject.entries, done) : rowsOfDifferences(done.diff ?? []);
  const { use, findings, reverse = [] } = done;
  return { rows, records: use?.zone_records ?? null, findings: findings ?? [], reverse, skipped: 0 };
}

/** The service limits concurrent checks of a tenant; the plan is useful without findings. */
async function triedWithFindings<Done>(path: string, trial: Question): Promise<Done> {
  try {
    return (await ask<Done>(withQuery(path, 'dry_run=true&findings=true'), trial)).body;
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    return (await ask<Done>(withQuery(path, 'dry_run=true'), trial)).body;
  }
}

function refusedRows(subject: PlanSubject, { fields }: Refusal): Faults & Pick<Trial, 'lines'> {
  if (subject.kind === 'changes') return { ...rowsOfRefusal(subject.entries, fields), lines: [] };
  if (subject.kind === 'import') return { rows: [], ...faultsOfFile(subject.text, fields) };
  return { rows: [], general: fields.map(({ message }) => message), lines: [] };
}

async function countsOf(zoneId: string, signal: AbortSignal): Promise<ZoneCounts> {
  const list = `/v1/domains/${zoneId}/records?limit=1&count=true`;
  const {
    total = 0,
    by_type: byType = {},
    by_type_is_exact: isExact = true,
  } = (await ask<RecordList>(list, { signal })).body.count ?? {};
  if (isExact) return { total, by_type: byType };
  const counted = GUARDED_TYPES.map(async (type) => {
    const { body } = await ask<RecordList>(`${list}&type=${type}`, { signal });
    return [type, body.count?.total ?? 0] as const;
  });
  return { total, by_type: Object.fromEntries(await Promise.all(counted)) };
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
 * Applies the plan. The service applies a repeated key with an equal request once.
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
  // The report has no serial. The change after the planned state is this import.
  const made = (await latestChanges(zoneId)).find(({ serial_before: before }) => before === base.serial);
  return made?.serial ?? (await seeZoneAt(zoneId)).zone.serial;
}

/** The change to undo for a serial; `null`: too many changes since. */
export async function changeOfSerial(zoneId: string, serial: number): Promise<string | null> {
  return (await latestChanges(zoneId)).find((change) => change.serial === serial)?.change_id ?? null;
}

/** When a change was made, by the clock of the service; `null`: unknown. */
export async function timeOfSerial(zoneId: string, serial: number, signal: AbortSignal): Promise<string | null> {
  return (await latestChanges(zoneId, signal)).find((change) => change.serial === serial)?.at ?? null;
}

/** The changes of a zone since it had a serial, the latest first. */
export async function changesSince(zoneId: string, serial: number, signal?: AbortSignal): Promise<readonly Change[]> {
  const changes = await latestChanges(zoneId, signal);
  const end = changes.findIndex((change) => change.serial === serial);
  return end < 0 ? changes : changes.slice(0, end);
}

/** The distinct authors of changes. */
export const actorsOf = (changes: readonly Change[]): string[] => [
  ...new Set(changes.map(({ actor }) => actorOf(actor)).filter((actor) => actor !== '')),
];

async function latestChanges(zoneId: string, signal?: AbortSignal): Promise<readonly Change[]> {
  return (await ask<Changes>(`/v1/domains/${zoneId}/changes?limit=200`, { signal })).body.changes;
}

/** Changes by others since the plan began. */
export interface Conflict {
  readonly now: SeenZone;
  readonly since: readonly Difference[];
  /** Their authors; empty where the history does not reach back far enough. */
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

/** A person reads a description rather than an ID; the tenant goes without saying. */
export function actorOf(actor: Actor | null): string {
  if (actor === null) return '';
  const token = actor.token_id === null ? null : words.history.token(actor.token_id.slice(0, 8));
  return actor.user ?? actor.token_description ?? token ?? actor.tenant_id;
}
