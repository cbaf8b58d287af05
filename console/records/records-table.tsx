import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { ListedRecord } from '../api/types.js';
import type { Entry } from '../changes/pending.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { useSteady } from '../parts/use-steady.js';
import type { Permitted } from '../session/permitted.js';
import { words } from '../words/index.js';
import { zoneAddress } from '../zones/zone-address.js';
import { useOpenZone } from '../zones/zone-context.js';
import { RecordRow } from './record-row.js';
import type { RowActions } from './row-actions.js';
import { isFound, newRow, type Row, rowOf } from './row.js';
import { useRowHeight } from './use-row-height.js';
import { LAST_OFFSET, PAGE, type RecordSearch, useRecordPages } from './use-record-pages.js';
import type { Selection } from './use-selection.js';

interface Props extends RowActions {
  readonly search: RecordSearch;
  readonly entries: readonly Entry[];
  readonly may: Permitted;
  readonly selection: Selection;
  readonly onCounted: (byType: Readonly<Record<string, number>>) => void;
}

const OVERSCAN = 8;

/** The rows that are in sight, of however many there are. New records stand first. */
export function RecordsTable({ search, entries, may, selection, onCounted, ...actions }: Props) {
  const { zone } = useOpenZone();
  const scroller = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState({ first: 0, last: 0 });
  const [active, setActive] = useState(0);
  /** Where a selection with Shift begins. */
  const anchor = useRef(0);
  /** The row that is to have the focus once it is there. */
  const wanted = useRef<number | null>(null);
  const rowHeight = useRowHeight();
  const mayWrite = may.create || may.update || may.delete;
  const pages = useRecordPages(zone.id, search, range.first, range.last);
  const { total, byType, trouble } = pages;
  const created = useMemo(() => {
    const creations = entries.filter((entry) => entry.action === 'create');
    return creations.filter(({ record }) => isFound(record, search)).map(newRow);
  }, [entries, search.q, search.name, search.type]);
  const byKey = useMemo(() => new Map(entries.map((entry) => [entry.key, entry])), [entries]);
  /** Of each record one row, so that it is the same until it changes. */
  const known = useMemo(() => new WeakMap<ListedRecord, Row>(), [byKey]);
  const count = created.length + Math.min(total, LAST_OFFSET + PAGE);

  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    onChange: ({ range: seen }) => {
      if (seen === null) return;
      const first = Math.max(0, seen.startIndex - OVERSCAN - created.length);
      const last = Math.max(0, seen.endIndex + OVERSCAN - created.length);
      setRange((before) => (isSamePages(before, first, last) ? before : { first, last }));
    },
  });
  useEffect(() => rows.measure(), [rows, rowHeight]);
  useEffect(() => {
    if (wanted.current === null) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[aria-rowindex="${wanted.current + 2}"]`);
    if (row === null || row === undefined) return;
    wanted.current = null;
    row.focus({ preventScroll: true });
  });
  useEffect(() => {
    if (!pages.isStale && !pages.isPending) onCounted(byType);
  }, [byType, pages.isStale, pages.isPending, onCounted]);

  const rowAt = (index: number): Row | null => {
    const made = created[index];
    if (made !== undefined) return made;
    const stored = pages.recordAt(index - created.length);
    if (stored === undefined) return null;
    const row = known.get(stored) ?? rowOf(stored, byKey);
    known.set(stored, row);
    return row;
  };
  const select = useSteady((index: number, isSelected: boolean, isRange: boolean) =>
    selection.toggle(selected(index, isRange), isSelected),
  );
  const move = (to: number): void => {
    const index = Math.max(0, Math.min(count - 1, to));
    setActive(index);
    rows.scrollToIndex(index, { align: 'auto' });
    wanted.current = index;
  };
  const press = (event: KeyboardEvent): void => {
    if (event.target instanceof HTMLElement && event.target.getAttribute('role') !== 'row') return;
    const act = keysOf({ active, height: scroller.current?.clientHeight ?? 0, rowHeight, count, move })[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };

  if (pages.isPending && trouble === null) return <Skeleton rows={14} />;
  const isEmpty = count === 0 && !pages.isPending;
  return (
    <>
      {trouble !== null && <Trouble isRetried error={trouble} />}
      <div
        ref={scroller}
        role="grid"
        aria-label={words.zone.pages.records}
        aria-rowcount={created.length + total + 1}
        aria-busy={pages.isStale || undefined}
        className={['records-grid', mayWrite ? '' : 'reading', isEmpty ? 'none' : ''].join(' ')}
        onKeyDown={press}
      >
        <HeadRow mayWrite={mayWrite} />
        <div role="rowgroup" className="rows" style={{ blockSize: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => (
            <RecordRow
              key={index}
              row={rowAt(index)}
              above={index === 0 ? null : (rowAt(index - 1)?.shown.name ?? null)}
              index={index}
              start={start}
              zone={zone}
              isActive={index === Math.min(active, count - 1)}
              may={may}
              isSelected={selection.records.has(rowAt(index)?.key ?? '')}
              onFocus={setActive}
              onSelect={select}
              {...actions}
            />
          ))}
        </div>
      </div>
      {isEmpty && <Nothing search={search} mayAdd={may.create} />}
      <p className="total">
        {total > LAST_OFFSET + PAGE ? words.records.limit(LAST_OFFSET + PAGE) : words.records.total(total)}
      </p>
    </>
  );

  /** With Shift all rows between the last one and this, as far as they are known. */
  function selected(index: number, isRange: boolean): ListedRecord[] {
    const from = isRange ? Math.min(anchor.current, index) : index;
    const to = isRange ? Math.max(anchor.current, index) : index;
    anchor.current = index;
    return Array.from({ length: to - from + 1 }, (_, step) => rowAt(from + step)?.stored ?? null).filter(
      (record) => record !== null,
    );
  }
}

function isSamePages(before: { readonly first: number; readonly last: number }, first: number, last: number): boolean {
  const page = (index: number): number => Math.floor(index / PAGE);
  return page(before.first) === page(first) && page(before.last) === page(last);
}

interface Place {
  readonly active: number;
  readonly height: number;
  readonly rowHeight: number;
  readonly count: number;
  readonly move: (to: number) => void;
}

function keysOf({ active, height, rowHeight, count, move }: Place): Readonly<Record<string, () => void>> {
  const screenful = Math.max(1, Math.floor(height / rowHeight) - 2);
  return {
    ArrowDown: () => move(active + 1),
    ArrowUp: () => move(active - 1),
    PageDown: () => move(active + screenful),
    PageUp: () => move(active - screenful),
    Home: () => move(0),
    End: () => move(count - 1),
  };
}

function HeadRow({ mayWrite }: { readonly mayWrite: boolean }) {
  const { columns } = words.records;
  const hidden = (text: string) => <span className="visually-hidden">{text}</span>;
  return (
    <div role="rowgroup" className="head">
      <div role="row" aria-rowindex={1} className="record-row">
        {mayWrite && <div role="columnheader">{hidden(columns.select)}</div>}
        <div role="columnheader">{columns.name}</div>
        <div role="columnheader">{columns.type}</div>
        <div role="columnheader" className="number">
          {columns.ttl}
        </div>
        <div role="columnheader">{columns.data}</div>
        <div role="columnheader">{columns.comment}</div>
        <div role="columnheader">{hidden(columns.state)}</div>
        {mayWrite && <div role="columnheader">{hidden(columns.actions)}</div>}
      </div>
    </div>
  );
}

function Nothing({ search, mayAdd }: { readonly search: RecordSearch; readonly mayAdd: boolean }) {
  const { zone } = useOpenZone();
  const [, setQuery] = useSearchParams();
  const isSearch = search.q !== '' || search.type !== '' || search.name !== '';
  if (isSearch)
    return (
      <p className="empty">
        {words.records.noneFound}{' '}
        <button type="button" onClick={() => setQuery({})}>
          {words.records.clear}
        </button>
      </p>
    );
  return (
    <p className="empty">
      {words.records.empty}{' '}
      {mayAdd && (
        <>
          {words.records.begin} <Link href={zoneAddress(zone.name, 'import')}>{words.records.import}</Link>
        </>
      )}
    </p>
  );
}
