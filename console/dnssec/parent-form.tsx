import { useState } from 'react';
import type { Dnssec } from '../api/types.js';
import { ColumnHeads } from '../parts/column-heads.js';
import { Field } from '../parts/field.js';
import { Moment } from '../parts/moment.js';
import { ShownText } from '../parts/shown-text.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { useDnssecAction } from './use-dnssec-action.js';

/** The service default. */
const USUAL_TTL = 86_400;

export type Awaited = 'published' | 'replaced' | 'removed';

interface Props {
  readonly awaited: Awaited;
  readonly parent: Dnssec['parent'];
}

/** The parent state as the service sees it, or as the user confirms it, upon which the service continues. */
export function ParentForm({ awaited, parent }: Props) {
  const { act, fault } = useDnssecAction();
  const [ttl, setTtl] = useState('');
  const [ttlFault, setTtlFault] = useState<string | undefined>();
  // Caches may have a DS that was replaced or removed.
  const asksTtl = awaited !== 'published';
  const note = (): void => {
    const isTtl = ttl.trim() === '' || /^[1-9]\d*$/.test(ttl.trim());
    setTtlFault(isTtl ? undefined : words.dnssec.badTtl);
    if (!isTtl) return;
    const ds = awaited === 'removed' ? 'removed' : 'published';
    const json = { ds, ...(ttl.trim() !== '' && { ttl: Number(ttl) }) };
    void act('/parent', { method: 'POST', json }, words.dnssec.noted);
  };
  return (
    <div className="settings">
      {parent === null ? <p className="hint">{words.dnssec.parentHint}</p> : <SeenParent parent={parent} />}
      {fault !== null && <Trouble error={fault} />}
      {asksTtl && (
        <Field label={words.dnssec.ttl} hint={words.dnssec.ttlHint(USUAL_TTL)} error={ttlFault}>
          {(control) => (
            <input {...control} value={ttl} inputMode="numeric" onChange={({ target }) => setTtl(target.value)} />
          )}
        </Field>
      )}
      <div className="tools">
        <button type="button" className="primary" onClick={note}>
          {words.dnssec[awaited]}
        </button>
      </div>
    </div>
  );
}

/** The DS on each name server of the parent zone. */
export function SeenParent({ parent }: { readonly parent: NonNullable<Dnssec['parent']> }) {
  const columns = words.dnssec.parentColumns;
  return (
    <>
      <p>
        <ShownText text={words.dnssec.parentSeen(parent.zone ?? words.dnssec.parentUnknown)} />{' '}
        <Moment at={parent.seen_at} />
      </p>
      {parent.problem !== null && (
        <p className="notice">
          <ShownText text={parent.problem} />
        </p>
      )}
      {parent.servers.length > 0 && (
        <table className="list" aria-label={words.dnssec.parentTable}>
          <ColumnHeads labels={columns} />
          <tbody>
            {parent.servers.map(({ name, ds, error }) => (
              <tr key={name}>
                <td data-label={columns.server}>
                  <ShownText text={name} />
                </td>
                <td data-label={columns.ds}>
                  {ds === null ? (
                    <ShownText text={error ?? words.dnssec.parentSilent} />
                  ) : (
                    <>
                      {words.dnssec.parentDs(ds.length)} <span className="data broken">{ds.join(', ')}</span>
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
