import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useManagedRecords } from '../api/queries.js';
import type { ListedRecord, RecordCount } from '../api/types.js';
import type { Entry } from '../changes/pending.js';
import { lazily } from '../parts/lazily.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { useSteady } from '../parts/use-steady.js';
import { hasRecordSet, type Permitted } from '../session/permitted.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';
import { tracksOf, useColumns } from './columns.js';
import { HeadRow } from './head-row.js';
import { ManagedRecords } from './managed-records.js';
import { Nothing } from './nothing.js';
import { placed, rowOrNumber } from './placement.js';
import { RecordRow } from './record-row.js';
import type { OpenMenu, RowActions } from './row-actions.js';
import { pressInGrid } from './row-keys.js';
import { isFound, isWriter, newRow, type Row, rowOf } from './row.js';
import { useExpandedRow } from './use-expanded-row.js';
import { useRowHeight } from './use-row-height.js';
import { LAST_OFFSET, PAGE, type RecordSearch, useRecordPages } from './use-record-pages.js';
import type { Selection } from './use-selection.js';

const RowMenu = lazily(() => import('./row-menu.js').then((module) => module.RowMenu));

interface Props extends RowActions {
  readonly search: RecordSearch;
  readonly entries: readonly Entry[];
  readonly may: Permitted;
  readonly selection: Selection;
  readonly onSort: (sort: string) => void;
  /** `created`: new records in the table, which are not among the `total`. */
  readonly onCounted: (count: RecordCount, created: number) => void;
}

const OVERSCAN = 8;
/** Pixels of the window that bars cover: above the top bar and the head, below the pending changes. */
const COVERED = { above: 88, below: 128 };

/** Renders the visible rows only. New records stand where their names belong. */
export function RecordsTable({ search, entries, may, selection, onSort, onCounted, ...actions }: Props) {
  const { zone } = useOpenZone();
  const grid = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  /** Where the rows begin on the page, which scrolls. */
  const [top, setTop] = useState(0);
  const [range, setRange] = useState({ first: 0, last: 0 });
  const [active, setActive] = useState(0);
  /** Where a selection with Shift begins. */
  const anchor = useRef(0);
  /** The row that is to have the focus once it is there. */
  const wanted = useRef<number | null>(null);
  const rowHeight = useRowHeight();
  const mayWrite = isWriter(may);
  const columns = useColumns();
  const tracks = tracksOf(columns, mayWrite);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const { data: managed = [] } = useManagedRecords(zone.id);
  const pages = useRecordPages(zone.id, search, range.first, range.last);
  const { total, count: counted, trouble } = pages;
  const created = useMemo(() => {
    const creations = entries.filter((entry) => entry.action === 'create');
    return creations.filter(({ record }) => isFound(record, search, zone.ttl)).map(newRow);
    // The table is another one for each search.
  }, [entries, zone.ttl]);
  const { firstPage } = pages;
  const places = useMemo(
    () => placed(created, search.sort, firstPage, total <= firstPage.length),
    [created, search.sort, firstPage, total],
  );
  const byKey = useMemo(() => new Map(entries.map((entry) => [entry.key, entry])), [entries]);
  /** One row object for each record, identical until the record changes. */
  const known = useMemo(() => new WeakMap<ListedRecord, Row>(), [byKey]);
  const count = created.length + Math.min(total, LAST_OFFSET + PAGE);

  const current = Math.min(active, count - 1);
  // The row that may have the focus stays when it scrolls away.
  const rangeExtractor = useCallback((range: Range) => withRow(defaultRangeExtractor(range), current), [current]);
  const rows = useWindowVirtualizer({
    count,
    rangeExtractor,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollMargin: top,
    scrollPaddingStart: COVERED.above,
    scrollPaddingEnd: COVERED.below,
    onChange: ({ range: seen }) => {
      if (seen === null) return;
      const first = Math.max(0, seen.startIndex - OVERSCAN - created.length);
      const last = seen.endIndex + OVERSCAN;
      setRange((before) => (isSamePages(before, first, last) ? before : { first, last }));
    },
  });
  const expanded = useExpandedRow(rows, rowHeight);
  useLayoutEffect(() => {
    if (body.current !== null) setTop(Math.round(body.current.getBoundingClientRect().top + window.scrollY));
  });
  // The table stays while its order changes, so that the header keeps the focus.
  useEffect(() => {
    setActive(0);
    expanded.collapse();
    const above = (body.current?.getBoundingClientRect().top ?? 0) - COVERED.above;
    if (above < 0) window.scrollBy({ top: above });
  }, [search.sort]);
  const seenCreations = useRef(created.length);
  useEffect(() => {
    const isMore = created.length > seenCreations.current;
    seenCreations.current = created.length;
    const newest = isMore ? places.findIndex(({ row }) => row.key === created.at(-1)?.key) : -1;
    const place = places[newest];
    if (place !== undefined) rows.scrollToIndex(place.before + newest, { align: 'auto' });
  }, [created]);
  useEffect(() => {
    if (wanted.current === null) return;
    const row = grid.current?.querySelector<HTMLElement>(`[aria-rowindex="${wanted.current + 2}"]`);
    if (row === null || row === undefined) return;
    wanted.current = null;
    row.focus({ preventScroll: true });
  });
  useEffect(() => {
    if (!pages.isStale && !pages.isPending) onCounted(counted, created.length);
  }, [counted, created.length, pages.isStale, pages.isPending, onCounted]);

  const rowAt = (index: number): Row | null => {
    const found = rowOrNumber(places, index);
    if (typeof found !== 'number') return found;
    const stored = pages.recordAt(found);
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
  const expand = useSteady((index: number) => expanded.toggle(rowAt(index)?.key ?? null));
  const openMenu = useSteady((index: number, row: Row, trigger: HTMLElement) => setMenu({ index, row, trigger }));
  const height = window.innerHeight - COVERED.above - COVERED.below;
  /** Pixels of the rows that the top bar and the head cover. */
  const covered = (rows.scrollOffset ?? 0) + COVERED.above - top;
  const firstSeen = Math.max(0, Math.ceil(covered / rowHeight));
  const isRepeated = (index: number, row: Row | null): boolean =>
    index > firstSeen && row !== null && rowAt(index - 1)?.shown.name === row.shown.name;

  if (pages.isPending && trouble === null) return <Skeleton rows={14} />;
  const isEmpty = count === 0 && !pages.isPending;
  return (
    <div
      className="records-table"
      style={{ '--tracks': tracks.wide, '--narrow-tracks': tracks.narrow } as CSSProperties}
    >
      {trouble !== null && <Trouble isRetried error={trouble} />}
      <div className={isEmpty ? 'records-frame none' : 'records-frame'}>
        <ManagedRecords records={managed} search={search} mayWrite={mayWrite} columns={columns} />
        <div
          ref={grid}
          role="grid"
          aria-label={words.zone.pages.records}
          aria-rowcount={created.length + total + 1}
          aria-busy={pages.isStale || undefined}
          className={mayWrite ? 'records-grid' : 'records-grid reading'}
          onKeyDown={(event) => pressInGrid(event, { active, height, rowHeight, count, move })}
        >
          <HeadRow mayWrite={mayWrite} columns={columns} sort={search.sort} onSort={onSort} />
          <div role="rowgroup" ref={body} className="rows" style={{ blockSize: rows.getTotalSize() }}>
            {rows.getVirtualItems().map(({ index, start }) => {
              const row = rowAt(index);
              return (
                <RecordRow
                  key={index}
                  {...{ row, index, zone, columns, may }}
                  start={start - top}
                  isRepeated={isRepeated(index, row)}
                  isActive={index === current}
                  isSelected={selection.records.has(row?.key ?? '')}
                  isExpanded={row !== null && row.key === expanded.key}
                  isMenuOpen={menu?.index === index}
                  onFocus={setActive}
                  onSelect={select}
                  onMenu={openMenu}
                  onExpand={expand}
                  onMeasure={expanded.measure}
                  {...actions}
                />
              );
            })}
          </div>
        </div>
      </div>
      {menu !== null && (
        <RowMenu
          open={menu}
          may={may}
          isExpanded={menu.row.key === expanded.key}
          onExpand={expand}
          onClose={() => setMenu(null)}
          {...actions}
        />
      )}
      {isEmpty && <Nothing search={search} mayAdd={may.create} />}
    </div>
  );

  /** With Shift all rows between the last one and this, as far as they are known. */
  function selected(index: number, isRange: boolean): ListedRecord[] {
    const from = isRange ? Math.min(anchor.current, index) : index;
    const to = isRange ? Math.max(anchor.current, index) : index;
    anchor.current = index;
    return Array.from({ length: to - from + 1 }, (_, step) => rowAt(from + step)?.stored ?? null).filter(
      (record): record is ListedRecord => record !== null && hasRecordSet(may, record),
    );
  }
}

function isSamePages(before: { readonly first: number; readonly last: number }, first: number, last: number): boolean {
  const page = (index: number): number => Math.floor(index / PAGE);
  return page(before.first) === page(first) && page(before.last) === page(last);
}

/** Indexes in order, with one more if it is a row. */
function withRow(indexes: readonly number[], row: number): number[] {
  return row < 0 || indexes.includes(row) ? [...indexes] : [...indexes, row].sort((a, b) => a - b);
}
