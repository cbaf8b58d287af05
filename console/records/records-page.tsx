import { useMemo, useState } from 'react';
import { useRecordTypes, useWhoami } from '../api/queries.js';
import { draftOf, withEntry, withoutEntry } from '../changes/pending.js';
import { changePending, usePending } from '../changes/pending-store.js';
import type { FormStart } from '../form/form-start.js';
import { RecordForm } from '../form/record-form.js';
import { useShortcuts } from '../frame/shortcuts.js';
import { useTitle } from '../frame/title.js';
import { useParameter, useSearchText } from '../frame/use-query-text.js';
import { Choice } from '../parts/choice.js';
import { Skeleton } from '../parts/skeleton.js';
import { useSteady } from '../parts/use-steady.js';
import { permittedTo } from '../session/permitted.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';
import { ExportButton } from './export-button.js';
import { RecordsTable } from './records-table.js';
import type { Row } from './row.js';
import { SelectionBar } from './selection-bar.js';
import { TypeFilter } from './type-filter.js';
import { useSelection } from './use-selection.js';

/** The records of a zone: found, read, and changed. */
export function RecordsPage() {
  const { zone, etag, place } = useOpenZone();
  useTitle(`${words.zone.pages.records} – ${zone.name}`);
  const text = useSearchText('q');
  const [name] = useParameter('name');
  const [type, setType] = useParameter('type');
  const [sort, setSort] = useParameter('sort', 'name');
  const search = { q: text.sought, name, type, sort: Object.hasOwn(words.records.sorts, sort) ? sort : 'name' };
  const { data: whoami } = useWhoami();
  const { data: types } = useRecordTypes();
  const { entries } = usePending(place);
  const [form, setForm] = useState<FormStart | null>(null);
  const [byType, setByType] = useState<Readonly<Record<string, number>>>({});
  const selection = useSelection();
  const may = useMemo(() => permittedTo(whoami), [whoami]);
  const base = { etag, serial: zone.serial };

  const add = (): void => setForm({ kind: 'add', draft: null });
  const edit = useSteady(({ entry, stored }: Row) => {
    if (entry?.action === 'create') setForm({ kind: 'edit', key: entry.key, before: null, draft: entry.record });
    else if (stored !== null)
      setForm({
        kind: 'edit',
        key: stored.id,
        before: stored,
        draft: entry?.action === 'update' ? entry.record : null,
      });
  });
  const copy = useSteady(({ entry, stored }: Row) =>
    setForm({
      kind: 'add',
      draft: entry?.action === 'create' || entry?.action === 'update' ? entry.record : stored && draftOf(stored),
    }),
  );
  const remove = useSteady(({ entry, stored }: Row) => {
    if (stored === null) {
      if (entry !== null) changePending(place, (pending) => withoutEntry(pending, entry.key));
    } else
      changePending(place, (pending) => withEntry(pending, { action: 'delete', key: stored.id, before: stored }, base));
  });
  const keep = useSteady(({ key }: Row) => changePending(place, (pending) => withoutEntry(pending, key)));
  useShortcuts({ a: () => may.create && add() });

  return (
    <section aria-labelledby="records" className="records">
      <h2 id="records" className="visually-hidden">
        {words.zone.pages.records}
      </h2>
      <div className="tools">
        <input
          type="search"
          aria-label={words.records.search}
          placeholder={words.records.search}
          maxLength={255}
          value={text.typed}
          onChange={({ target }) => text.setTyped(target.value)}
        />
        <TypeFilter byType={byType} type={type} onChange={setType} />
        <Choice label={words.records.sort} value={search.sort} options={words.records.sorts} onChange={setSort} />
        <span className="spacer" />
        <ExportButton />
        {may.create && (
          <button type="button" className="primary" onClick={add}>
            {words.records.add}
          </button>
        )}
      </div>
      {(may.update || may.delete) && <SelectionBar may={may} selection={selection} search={search} />}
      {types === undefined ? (
        <Skeleton rows={12} />
      ) : (
        <RecordsTable
          key={JSON.stringify(search)}
          search={search}
          entries={entries}
          may={may}
          selection={selection}
          onCounted={setByType}
          onEdit={edit}
          onCopy={copy}
          onRemove={remove}
          onKeep={keep}
        />
      )}
      {form !== null && types !== undefined && <RecordForm start={form} types={types} onClose={() => setForm(null)} />}
    </section>
  );
}
