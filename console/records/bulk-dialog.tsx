import { type SubmitEvent, useState } from 'react';
import type { ListedRecord } from '../api/types.js';
import { withEntry } from '../changes/pending.js';
import { changePending } from '../changes/pending-store.js';
import { DialogButtons } from '../parts/dialog-buttons.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { secondsIn } from '../parts/duration.js';
import { Field } from '../parts/field.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';
import { updatesOf } from './bulk-edit.js';

interface Props {
  readonly records: readonly ListedRecord[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Changes the TTL, the comment or a text in the data of many records. */
export function BulkDialog({ records, onClose, onDone }: Props) {
  const { zone, etag, place } = useOpenZone();
  const [ttl, setTtl] = useState('');
  const [comment, setComment] = useState('');
  const [find, setFind] = useState('');
  const [replace, setReplace] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const seconds = secondsIn(ttl);
  const isTtlFaulty = ttl.trim() !== '' && seconds === null;

  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isTtlFaulty) return;
    const edit = { ttl: seconds, comment, find, replace };
    if (edit.ttl === null && comment === '' && find === '') return setFault(words.bulk.nothing);
    const updates = updatesOf(records, edit);
    if (updates.length === 0) return setFault(words.bulk.none);
    const base = { etag, serial: zone.serial };
    changePending(place, (pending) => updates.reduce((all, update) => withEntry(all, update, base), pending));
    onDone();
  };

  return (
    <DialogFrame title={words.bulk.title(records.length)} onClose={onClose}>
      <form onSubmit={submit}>
        {fault !== null && (
          <p role="alert" className="trouble">
            {fault}
          </p>
        )}
        <Field
          label={words.bulk.ttl}
          hint={words.bulk.ttlHint(seconds)}
          error={isTtlFaulty ? words.bulk.badTtl : undefined}
        >
          {(control) => <input {...control} value={ttl} onChange={({ target }) => setTtl(target.value)} />}
        </Field>
        <Field label={words.bulk.comment} hint={words.bulk.commentHint}>
          {(control) => <input {...control} value={comment} onChange={({ target }) => setComment(target.value)} />}
        </Field>
        <Field label={words.bulk.find}>
          {(control) => <input {...control} value={find} onChange={({ target }) => setFind(target.value)} />}
        </Field>
        <Field label={words.bulk.replace}>
          {(control) => <input {...control} value={replace} onChange={({ target }) => setReplace(target.value)} />}
        </Field>
        <DialogButtons submit={words.bulk.add} onClose={onClose} />
      </form>
    </DialogFrame>
  );
}
