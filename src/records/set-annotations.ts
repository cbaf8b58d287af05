import { ServiceError } from '../common/service-error.js';
import type { RecordSetEntity } from './record-set.entity.js';

/** What is kept of a record set beside its records, and is not served. */
export interface SetAnnotations {
  readonly comments: readonly SetComment[];
  readonly disabled: readonly DisabledRecord[];
}

export interface SetComment {
  readonly content: string;
  /** Who says so, in words of the client's. */
  readonly account: string;
  /** In unix seconds. */
  readonly modifiedAt: number;
}

/** A record that is kept and not served. */
export interface DisabledRecord {
  readonly data: string;
  readonly priority: number | null;
  readonly fingerprint: string;
}

const NONE: SetAnnotations = { comments: [], disabled: [] };
/** In octets of JSON. */
const MOST = 65_536;

export function readAnnotations(set: Pick<RecordSetEntity, 'annotations'> | null): SetAnnotations {
  const column = set?.annotations ?? null;
  // Nobody but this file writes it.
  return column === null ? NONE : (JSON.parse(column) as SetAnnotations);
}

/**
 * How they are stored.
 * @throws ServiceError `invalid_object` for more than a set may have
 */
export function annotationsColumn({ comments, disabled }: SetAnnotations): string | null {
  if (comments.length === 0 && disabled.length === 0) return null;
  const column = JSON.stringify({ comments, disabled });
  if (Buffer.byteLength(column) <= MOST) return column;
  const message = `The comments and disabled records of one set take at most ${MOST} octets.`;
  throw ServiceError.ofField('invalid_object', 'comments', 'maxLength', message);
}
