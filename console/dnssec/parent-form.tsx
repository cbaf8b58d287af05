import { useState } from 'react';
import { Field } from '../parts/field.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { useDnssecAction } from './use-dnssec-action.js';

/** What the service takes where nobody says it. */
const USUAL_TTL = 86_400;

export type Awaited = 'published' | 'removed';

/** Somebody says what the parent zone has: the service goes on when it is told. */
export function ParentForm({ awaited }: { readonly awaited: Awaited }) {
  const { act, fault } = useDnssecAction();
  const [ttl, setTtl] = useState('');
  const [ttlFault, setTtlFault] = useState<string | undefined>();
  const note = (): void => {
    const isTtl = ttl.trim() === '' || /^[1-9]\d*$/.test(ttl.trim());
    setTtlFault(isTtl ? undefined : words.dnssec.badTtl);
    if (!isTtl) return;
    const json = { ds: awaited, ...(ttl.trim() !== '' && { ttl: Number(ttl) }) };
    void act('/parent', { method: 'POST', json }, words.dnssec.noted);
  };
  return (
    <div className="settings">
      <h3>{words.dnssec.parent}</h3>
      <p className="hint">{words.dnssec.parentHint}</p>
      {fault !== null && <Trouble error={fault} />}
      <Field label={words.dnssec.ttl} hint={words.dnssec.ttlHint(USUAL_TTL)} error={ttlFault}>
        {(control) => (
          <input {...control} value={ttl} inputMode="numeric" onChange={({ target }) => setTtl(target.value)} />
        )}
      </Field>
      <div className="tools">
        <button type="button" onClick={note}>
          {words.dnssec[awaited]}
        </button>
      </div>
    </div>
  );
}
