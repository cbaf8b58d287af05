import { useEffect, useState } from 'react';
import { Refusal } from '../api/errors.js';
import { useRecord } from '../api/queries.js';
import type { RecordTypes, StoredRecord } from '../api/types.js';
import { draftOf, type Entry } from '../changes/pending.js';
import { usePending } from '../changes/pending-store.js';
import type { FormStart } from '../form/form-start.js';
import { RecordForm } from '../form/record-form.js';
import { useStatus } from '../frame/status.js';
import { LoadingDialog } from '../parts/loading-dialog.js';
import { type Permitted, permittedAt } from '../session/permitted.js';
import { words } from '../words/index.js';
import { usePermitted } from '../zones/use-permitted.js';
import { useOpenZone } from '../zones/zone-context.js';

interface Props {
  /** As the address has it: `add`, `edit` or `copy`. */
  readonly dialog: string;
  /** The ID of the record, or the key of a pending one. */
  readonly id: string;
  /** The record, where the table has it. */
  readonly stored: StoredRecord | null;
  readonly types: RecordTypes;
  readonly onClose: () => void;
}

const NEW: FormStart = { kind: 'add', draft: null };

/** The record form that the address contains. */
export function RecordDialog({ dialog, id, stored, types, onClose }: Props) {
  const { place } = useOpenZone();
  const may = usePermitted();
  const { entries } = usePending(place);
  const entry = entries.find(({ key }) => key === id) ?? null;
  if (dialog === 'add') return may.create ? <RecordForm start={NEW} types={types} onClose={onClose} /> : null;
  if (entry?.action === 'create' || stored !== null)
    return <Form {...{ dialog, entry, stored, types, may, onClose }} />;
  return <StoredForm {...{ dialog, id, entry, types, may, onClose }} />;
}

interface FormProps extends Omit<Props, 'id'> {
  readonly entry: Entry | null;
  readonly may: Permitted;
}

/** Reads the record first. */
function StoredForm({ id, ...props }: Omit<FormProps, 'stored'> & Pick<Props, 'id'>) {
  const { zone } = useOpenZone();
  const status = useStatus();
  const { data, error } = useRecord(zone.id, id);
  const [stored, setStored] = useState<StoredRecord | null>(null);
  // The form stays as it was opened.
  if (stored === null && data !== undefined) setStored(data);
  useEffect(() => {
    // After a sign-in, it is read again.
    if (!(error instanceof Refusal)) return;
    status.show({ content: [400, 404].includes(error.status) ? words.record.gone : error.message });
    props.onClose();
  }, [error]);
  return stored === null ? <LoadingDialog /> : <Form stored={stored} {...props} />;
}

function Form({ dialog, entry, stored, types, may, onClose }: FormProps) {
  const [start] = useState(() => startOf(dialog, entry, stored, may));
  useEffect(() => {
    if (start === null) onClose();
  }, [start]);
  return start === null ? null : <RecordForm start={start} types={types} onClose={onClose} />;
}

/** @returns `null`: not permitted */
function startOf(dialog: string, entry: Entry | null, stored: StoredRecord | null, may: Permitted): FormStart | null {
  const changed = entry?.action === 'create' || entry?.action === 'update' ? entry.record : null;
  if (dialog === 'copy')
    return may.create ? { kind: 'add', draft: changed ?? (stored === null ? null : draftOf(stored)) } : null;
  if (entry?.action === 'create') return { kind: 'edit', key: entry.key, before: null, draft: entry.record };
  if (stored === null || !permittedAt(may, stored).update) return null;
  return { kind: 'edit', key: stored.id, before: stored, draft: changed };
}
