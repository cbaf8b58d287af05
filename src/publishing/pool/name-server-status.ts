import type { Instant } from '../../common/clock.js';
import type { SentAnswer } from './pool-member.js';
import type { PublicationEntity } from './publication.entity.js';
import { isLaterSerial } from '../../zones/serials/serial.js';

/** In microseconds. Before that, a new server may not have read the zone from the catalog yet. */
export const LASTING_REFUSAL = 30_000_000;

export function unknownStatus(zoneId: string, server: string): PublicationEntity {
  return {
    zoneId,
    server,
    serial: null,
    changedAt: null,
    checkedAt: null,
    error: null,
    failingSince: null,
    refusingSince: null,
    notifiedSerial: null,
    inconsistency: null,
    inconsistentSince: null,
  };
}

/** @param notified serial of the answered NOTIFY; `null` if the answer belongs to a question or is missing */
export function statusAfter(
  before: PublicationEntity,
  answer: SentAnswer,
  notified: number | null,
  now: Instant,
): PublicationEntity {
  const isSilent = answer.kind === 'silence';
  // A server that is only notified has no serial: an earlier release derived one from the answer to a NOTIFY.
  const known = notified === null ? before.serial : null;
  const serial = answer.kind === 'serial' ? answer.serial : known;
  return {
    ...before,
    serial,
    notifiedSerial: notified ?? before.notifiedSerial,
    changedAt: serial === before.serial ? before.changedAt : now,
    checkedAt: isSilent ? before.checkedAt : now,
    error: errorAfter(before, answer),
    failingSince: isSilent ? (before.failingSince ?? now) : null,
    refusingSince: refusingAfter(before, answer, now),
  };
}

export function statusAfterSample(before: PublicationEntity, finding: string | null, now: Instant): PublicationEntity {
  if (before.inconsistency === finding) return before;
  const inconsistentSince = finding === null ? null : (before.inconsistentSince ?? now);
  return { ...before, inconsistency: finding, inconsistentSince };
}

/** Whether a client may be waiting for the difference. */
export function isNews(before: PublicationEntity, after: PublicationEntity): boolean {
  return (
    before.serial !== after.serial ||
    before.notifiedSerial !== after.notifiedSerial ||
    before.inconsistency !== after.inconsistency ||
    isRefusing(before) !== isRefusing(after) ||
    before.error !== after.error ||
    (before.failingSince === null) !== (after.failingSince === null)
  );
}

/** An error stays until the server answers with a serial, or answers a NOTIFY after silence. */
function errorAfter(before: PublicationEntity, answer: SentAnswer): string | null {
  if (answer.kind === 'silence' || answer.kind === 'error') {
    // Reuses the stored string: thousands of zones have the same error.
    return answer.reason === before.error ? before.error : answer.reason.slice(0, 255);
  }
  return answer.kind === 'serial' || before.failingSince !== null ? null : before.error;
}

/** A refusal stays like an error, also while the server is silent. */
function refusingAfter(before: PublicationEntity, answer: SentAnswer, now: Instant): Instant | null {
  if (answer.kind === 'error') return answer.isRefusal ? (before.refusingSince ?? now) : null;
  return errorAfter(before, answer) === null ? null : before.refusingSince;
}

function isRefusing({ checkedAt, refusingSince }: PublicationEntity): boolean {
  return checkedAt !== null && refusingSince !== null && checkedAt - refusingSince >= LASTING_REFUSAL;
}

/** Whether a server with that serial has the wanted one or a later one (RFC 1982). */
export function isInSync(serial: number | null, wanted: number): boolean {
  return serial !== null && !isLaterSerial(wanted, serial);
}

/** `isInSync` for two SQL expressions; NULL is not in sync. */
export function isInSyncSql(serial: string, wanted: string): string {
  return `(${wanted} - ${serial} + 4294967296) % 4294967296 NOT BETWEEN 1 AND 2147483647`;
}

/** Key in `publications` for the state of a whole server instead of one zone. */
export const SERVER_ID = 'server';
