import { useEffect, useState } from 'react';
import type { ParentLook } from '../api/types.js';
import { Moment } from '../parts/moment.js';
import { moveIn } from '../words/move-in.js';
import { Lines } from './lines.js';

interface Props {
  /** `null`: the service cannot look. */
  readonly look: ParentLook | null | undefined;
  /** Whether the old zone has signatures. */
  readonly isSigned: boolean;
}

/** A DS at the parent belongs to the keys of the old provider: resolvers refuse the answers of other servers. */
export function ParentWarning({ look, isSigned }: Props) {
  if (look === undefined) return null;
  const ds = [...new Set(look?.servers.flatMap((server) => server.ds ?? []))];
  const isSeen = look?.servers.some((server) => server.ds !== null) === true;
  if (ds.length === 0)
    return isSigned && !isSeen ? (
      <div role="alert" className="trouble">
        <p>
          <strong>{moveIn.parent.maybeSigned}</strong>
        </p>
        <p>{moveIn.parent.maybeRemove}</p>
      </div>
    ) : null;
  return (
    <div role="alert" className="trouble">
      <p>
        <strong>{moveIn.parent.signed}</strong>
      </p>
      <p>{moveIn.parent.remove(look?.ds_ttl ?? null)}</p>
      <div className="data">
        <Lines texts={ds} />
      </div>
    </div>
  );
}

/** The DS was removed, but caches may have it. */
export function FormerDs({ until }: { readonly until: string | null }) {
  const [, setPassed] = useState(false);
  const left = until === null ? 0 : new Date(until).getTime() - Date.now();
  useEffect(() => {
    if (left <= 0) return undefined;
    const timer = setTimeout(() => setPassed(true), Math.min(left, LONGEST_TIMER));
    return () => clearTimeout(timer);
  }, [left > 0]);
  if (until === null || left <= 0) return null;
  return (
    <p role="status" className="notice">
      {moveIn.parent.removed} <Moment at={until} />.
    </p>
  );
}

/** Browsers take no longer one. */
const LONGEST_TIMER = 2_147_483_647;
