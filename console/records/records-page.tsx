import { useRef, useState } from 'react';
import { useRecordTypes } from '../api/queries.js';
import type { ListedRecord, RecordCount } from '../api/types.js';
import { withEntry, withoutEntry } from '../changes/pending.js';
import { changePending, usePending } from '../changes/pending-store.js';
import { useOpening } from '../frame/use-opening.js';
import { useShortcuts } from '../frame/shortcuts.js';
import { useTitle } from '../frame/title.js';
import { Choice } from '../parts/choice.js';
import { Icon } from '../parts/icon.js';
import { Skeleton } from '../parts/skeleton.js';
import { useSteady } from '../parts/use-steady.js';
import { useTemplate } from '../templates/use-template.js';
import { words } from '../words/index.js';
import { usePermitted } from '../zones/use-permitted.js';
import { useOpenZone } from '../zones/zone-context.js';
import { DisplayMenu } from './display-menu.js';
import { FilterChips } from './filter-chips.js';
import { MoreActions } from './more-actions.js';
import { RecordsTable } from './records-table.js';
import type { Row } from './row.js';
import { SelectionBar } from './selection-bar.js';
import { typeOptions } from './type-filter.js';
import { useKeptFocus } from './use-kept-focus.js';
import { LAST_OFFSET, PAGE } from './use-record-pages.js';
import { useRecordSearch } from './use-record-search.js';
import { useSelection } from './use-selection.js';
import { lazily } from '../parts/lazily.js';
import { LoadingDialog } from '../parts/loading-dialog.js';

const RecordDialog = lazily(
  () => import('./record-dialog.js').then((module) => module.RecordDialog),
  <LoadingDialog />,
);

const TemplateDialog = lazily(
  () => import('../templates/template-dialog.js').then((module) => module.TemplateDialog),
  <LoadingDialog />,
);

interface Counted {
  /** `null`: not known yet. */
  readonly count: RecordCount | null;
  readonly created: number;
  readonly search: string;
}

const MOST = LAST_OFFSET + PAGE;
const totalOf = ({ total, total_is_exact: isExact }: RecordCount, created: number): string =>
  isExact && total <= MOST ? words.records.total(total, created) : words.records.limit(Math.min(total, MOST));

/** The records of a zone: found, read, and changed. */
export function RecordsPage() {
  const { zone, etag, place } = useOpenZone();
  useTitle(`${words.zone.pages.records} – ${zone.name}`);
  const { search, filters, typed, ...find } = useRecordSearch();
  const section = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useKeptFocus(section);
  const { data: recordTypes } = useRecordTypes();
  const { entries } = usePending(place);
  const form = useOpening('dialog', 'record');
  const { dialog, record } = form.values;
  const [opened, setOpened] = useState<ListedRecord | null>(null);
  const [counted, setCounted] = useState<Counted>({ count: null, created: 0, search: '' });
  const table = JSON.stringify({ ...search, sort: '' });
  const count = useSteady((found: RecordCount, created: number) =>
    setCounted({ count: found, created, search: table }),
  );
  const selection = useSelection();
  const may = usePermitted();
  const template = useTemplate();
  const types = typeOptions(counted.count, search.type, recordTypes);
  const base = { etag, serial: zone.serial };

  const add = (): void => form.open({ dialog: 'add' });
  const open = (dialog: 'edit' | 'copy', { key, stored }: Row): void => {
    setOpened(stored);
    form.open({ dialog, record: key });
  };
  const edit = useSteady((row: Row) => open('edit', row));
  const copy = useSteady((row: Row) => open('copy', row));
  const remove = useSteady(({ entry, stored }: Row) => {
    if (stored === null) {
      if (entry !== null) changePending(place, (pending) => withoutEntry(pending, entry.key));
    } else
      changePending(place, (pending) => withEntry(pending, { action: 'delete', key: stored.id, before: stored }, base));
  });
  const keep = useSteady(({ key }: Row) => changePending(place, (pending) => withoutEntry(pending, key)));
  useShortcuts({ a: () => may.create && add() });

  return (
    <section ref={section} aria-labelledby="records" className="records">
      <h2 id="records" className="visually-hidden">
        {words.zone.pages.records}
      </h2>
      <div className="tools">
        <input
          ref={field}
          type="search"
          aria-label={words.records.search}
          aria-describedby="record-filters"
          placeholder={words.records.filters.placeholder}
          title={words.records.filters.hint}
          maxLength={255}
          value={typed}
          onChange={({ target }) => find.type(target.value)}
          onBlur={({ target }) => find.take(target.value)}
          onKeyDown={({ key }) => key === 'Enter' && find.take(typed)}
        />
        <span id="record-filters" className="visually-hidden">
          {words.records.filters.hint}
        </span>
        <Choice label={words.records.filter} value={search.type} options={types} onChange={find.setType} />
        <DisplayMenu
          types={{ options: types, type: search.type, onType: find.setType }}
          sort={search.sort}
          onSort={find.setSort}
        />
        <MoreActions search={search} />
        {may.create && (
          <button type="button" className="primary with-icon" onClick={add}>
            <Icon name="add" />
            <span className="label">{words.records.add}</span>
          </button>
        )}
      </div>
      <FilterChips
        filters={filters}
        onRemove={(names) => {
          find.remove(names);
          field.current?.focus();
        }}
      />
      {(may.update || may.delete) && <SelectionBar may={may} selection={selection} search={search} />}
      {recordTypes === undefined ? (
        <Skeleton rows={12} />
      ) : (
        <RecordsTable
          key={table}
          search={search}
          entries={entries}
          may={may}
          selection={selection}
          onSort={find.setSort}
          onCounted={count}
          onEdit={edit}
          onCopy={copy}
          onRemove={remove}
          onKeep={keep}
        />
      )}
      {/* Outside of the table, which is another one for each search: screen readers need the element before its text. */}
      <p
        aria-live="polite"
        className={counted.count?.total === 0 && counted.created === 0 ? 'visually-hidden' : 'total'}
      >
        {counted.count !== null && <span key={counted.search}>{totalOf(counted.count, counted.created)}</span>}
      </p>
      {['add', 'edit', 'copy'].includes(dialog) && recordTypes !== undefined && (
        <RecordDialog
          key={`${dialog} ${record}`}
          dialog={dialog}
          id={record}
          stored={opened?.id === record ? opened : null}
          types={recordTypes}
          onClose={form.close}
        />
      )}
      {template.mayUse && template.name !== '' && (
        <TemplateDialog
          template={template.name}
          onChoose={template.choose}
          mayDelete={may.delete}
          onClose={template.close}
        />
      )}
    </section>
  );
}
