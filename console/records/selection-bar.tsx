import { useEffect, useState } from 'react';
import { withEntry } from '../changes/pending.js';
import { changePending } from '../changes/pending-store.js';
import { useStatus } from '../frame/status.js';
import { useOpening } from '../frame/use-opening.js';
import { hasRecordSet, type Permitted } from '../session/permitted.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';
import { allRecords, type RecordSearch, useRecordPages } from './use-record-pages.js';
import type { Selection } from './use-selection.js';
import { lazily } from '../parts/lazily.js';
import { LoadingDialog } from '../parts/loading-dialog.js';

const BulkDialog = lazily(() => import('./bulk-dialog.js').then((module) => module.BulkDialog), <LoadingDialog />);

/** The tab storage limit, as changes of each record. */
const MOST_SELECTED = 5000;

interface Props {
  readonly may: Permitted;
  readonly selection: Selection;
  readonly search: RecordSearch;
}

/** Actions for the selected records. */
export function SelectionBar({ may, selection, search }: Props) {
  const { zone, etag, place } = useOpenZone();
  const { total } = useRecordPages(zone.id, search, 0, 0);
  const { values, open, close } = useOpening('dialog');
  const isEditing = values.dialog === 'bulk';
  const [isSelecting, setSelecting] = useState(false);
  const status = useStatus();
  const { records } = selection;
  // No address contains the selection, so a reload ends the dialog.
  useEffect(() => {
    if (isEditing && records.size === 0) close();
  }, [isEditing, records.size]);
  if (records.size === 0) return null;

  const selectAll = async (): Promise<void> => {
    if (total > MOST_SELECTED) {
      status.show({ content: words.records.tooMany(MOST_SELECTED) });
      return;
    }
    setSelecting(true);
    try {
      const found = await allRecords(zone.id, search, MOST_SELECTED);
      selection.choose(found.filter((record) => hasRecordSet(may, record)));
    } catch (error) {
      status.show({ content: error instanceof Error ? error.message : words.common.failed });
    } finally {
      setSelecting(false);
    }
  };
  const removeAll = (): void => {
    const base = { etag, serial: zone.serial };
    changePending(place, (pending) =>
      [...records.values()].reduce(
        (all, before) => withEntry(all, { action: 'delete', key: before.id, before }, base),
        pending,
      ),
    );
    selection.clear();
  };
  return (
    <div className="selection" role="group" aria-label={words.records.selected(records.size)}>
      <strong>{words.records.selected(records.size)}</strong>
      {records.size < total && (
        <button type="button" aria-disabled={isSelecting || undefined} onClick={() => void selectAll()}>
          {isSelecting ? words.records.selecting : words.records.selectAll(total)}
        </button>
      )}
      {may.update && (
        <button type="button" onClick={() => open({ dialog: 'bulk' })}>
          {words.records.editSelected}
        </button>
      )}
      {may.delete && (
        <button type="button" className="danger" onClick={removeAll}>
          {words.records.deleteSelected}
        </button>
      )}
      <button type="button" className="quiet" onClick={selection.clear}>
        {words.records.unselect}
      </button>
      {isEditing && may.update && (
        <BulkDialog
          records={[...records.values()]}
          onClose={close}
          onDone={() => {
            close();
            selection.clear();
          }}
        />
      )}
    </div>
  );
}
