import type { Instant } from '../../common/clock.js';
import type { SentAnswer } from './pool-member.js';
import { LASTING_REFUSAL } from './pool-publication.js';
import type { PublicationEntity } from './publication.entity.js';

/** Of a server of which nothing is known as to the zone. */
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

/** @param notified the serial of the NOTIFY that it answers; `null` where the answer is to a question, or none */
export function statusAfter(
  before: PublicationEntity,
  answer: SentAnswer,
  notified: number | null,
  now: Instant,
): PublicationEntity {
  const isSilent = answer.kind === 'silence';
  // Who is only notified has no serial: an earlier release has inferred one from the answer to a NOTIFY.
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

/** @param finding how the answers of the server differ from the zone; `null` where they do not */
export function statusAfterSample(before: PublicationEntity, finding: string | null, now: Instant): PublicationEntity {
  if (before.inconsistency === finding) return before;
  const inconsistentSince = finding === null ? null : (before.inconsistentSince ?? now);
  return { ...before, inconsistency: finding, inconsistentSince };
}

/** Whether somebody may be waiting to see the difference. */
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

/** An error stays until the server has answered with a serial, or has taken a NOTIFY after silence. */
function errorAfter(before: PublicationEntity, answer: SentAnswer): string | null {
  if (answer.kind === 'silence' || answer.kind === 'error') {
    // The same text of thousands of zones is kept once for each of them only where it changes.
    return answer.reason === before.error ? before.error : answer.reason.slice(0, 255);
  }
  return answer.kind === 'serial' || before.failingSince !== null ? null : before.error;
}

/** A refusal stands like an error, also while the server is silent. */
function refusingAfter(before: PublicationEntity, answer: SentAnswer, now: Instant): Instant | null {
  if (answer.kind === 'error') return answer.isRefusal ? (before.refusingSince ?? now) : null;
  return errorAfter(before, answer) === null ? null : before.refusingSince;
}

/** Whether the server has refused the zone for long. */
function isRefusing({ checkedAt, refusingSince }: PublicationEntity): boolean {
  return checkedAt !== null && refusingSince !== null && checkedAt - refusingSince >= LASTING_REFUSAL;
}
