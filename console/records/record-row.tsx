import { type KeyboardEvent, memo } from 'react';
import { Link } from 'wouter';
import type { Zone } from '../api/types.js';
import { relativeName } from '../form/names.js';
import { areShortcutsOn } from '../frame/shortcuts.js';
import { Readable } from '../parts/readable.js';
import { ShownText } from '../parts/shown-text.js';
import type { Permitted } from '../session/permitted.js';
import { words } from '../words/index.js';
import { zoneAddress } from '../zones/zone-address.js';
import type { RowActions } from './row-actions.js';
import type { Row } from './row.js';

interface Props extends RowActions {
  /** `null` until it is loaded. */
  readonly row: Row | null;
  /** The name in the row above, which is not repeated in full strength. */
  readonly above: string | null;
  readonly index: number;
  readonly start: number;
  readonly zone: Zone;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly may: Permitted;
  readonly onFocus: (index: number) => void;
  readonly onSelect: (index: number, isSelected: boolean, isRange: boolean) => void;
}

interface CellsProps extends Props {
  readonly row: Row;
}

/** What fits into a row; the whole of it is in the open record. */
const LONGEST = 300;

/** Drawn again only when something of it has changed: each frame of scrolling brings a few rows, and leaves the others. */
export const RecordRow = memo(function RecordRow(props: Props) {
  const { row, index, start, isActive, isSelected, may } = props;
  const mayWrite = isWriter(may);
  const state = row?.entry?.action ?? '';
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={mayWrite ? isSelected : undefined}
      className={`record-row ${state}`}
      tabIndex={isActive ? 0 : -1}
      style={{ transform: `translateY(${start}px)` }}
      onFocus={() => props.onFocus(index)}
      onKeyDown={(event) => press(event, props)}
    >
      {row === null ? (
        <div role="gridcell" className="coming">
          <span className="visually-hidden">{words.common.loading}</span>
        </div>
      ) : (
        <Cells {...props} row={row} />
      )}
    </div>
  );
});

function Cells({ row, above, index, zone, isSelected, isActive, may, onSelect, ...actions }: CellsProps) {
  const mayWrite = isWriter(may);
  const { shown, stored, entry } = row;
  const name = relativeName(shown.name, zone.name);
  const { columns } = words.records;
  const stop = isActive ? 0 : -1;
  return (
    <>
      {mayWrite && (
        <div role="gridcell">
          {stored !== null && (
            <input
              type="checkbox"
              tabIndex={stop}
              aria-label={words.records.select(name, shown.type)}
              checked={isSelected}
              onChange={() => {}}
              onClick={(event) => onSelect(index, !isSelected, event.shiftKey)}
            />
          )}
        </div>
      )}
      <div role="gridcell" title={shown.name} className={above === shown.name ? 'cut repeated' : 'cut'}>
        {stored === null ? (
          <ShownText text={name} longest={LONGEST} />
        ) : (
          <Link href={zoneAddress(zone.name, `records/${stored.id}`)} tabIndex={stop}>
            <ShownText text={name} longest={LONGEST} />
          </Link>
        )}
        <Readable name={name} />
      </div>
      <div role="gridcell" data-label={columns.type}>
        {shown.type}
      </div>
      <div
        role="gridcell"
        data-label={columns.ttl}
        className={shown.ttl === null ? 'number inherited' : 'number'}
        title={shown.ttl === null ? words.records.inherited : undefined}
      >
        {words.common.number(shown.ttl ?? zone.ttl)}
        {shown.ttl === null && <span className="visually-hidden"> {words.records.inherited}</span>}
      </div>
      <div role="gridcell" data-label={columns.data} className="cut data">
        {shown.priority !== null && <span className="priority">{shown.priority} </span>}
        <ShownText text={shown.data} longest={LONGEST} />
      </div>
      <div role="gridcell" className="cut comment">
        {shown.description !== null && <ShownText text={shown.description} longest={LONGEST} />}
        {typeof shown.expires_at === 'string' && <span> {words.records.expires(shown.expires_at)}</span>}
      </div>
      <div role="gridcell" className="state">
        {entry !== null && <span className={`badge ${entry.action}`}>{words.records.states[entry.action]}</span>}
      </div>
      {mayWrite && (
        <div role="gridcell" className="row-buttons">
          <RowButtons may={may} row={row} name={name} stop={stop} {...actions} />
        </div>
      )}
    </>
  );
}

const isWriter = (may: Permitted): boolean => may.create || may.update || may.delete;

interface ButtonsProps extends RowActions {
  readonly may: Permitted;
  readonly row: Row;
  readonly name: string;
  readonly stop: number;
}

function RowButtons({ may, row, name, stop, onEdit, onCopy, onRemove, onKeep }: ButtonsProps) {
  const { type } = row.shown;
  const { short } = words.records;
  if (row.entry?.action === 'delete')
    return (
      <button type="button" tabIndex={stop} aria-label={words.records.keep(name, type)} onClick={() => onKeep(row)}>
        {short.keep}
      </button>
    );
  return (
    <>
      {may.update && (
        <button type="button" tabIndex={stop} aria-label={words.records.edit(name, type)} onClick={() => onEdit(row)}>
          {short.edit}
        </button>
      )}
      {may.create && (
        <button type="button" tabIndex={stop} aria-label={words.records.copy(name, type)} onClick={() => onCopy(row)}>
          {short.copy}
        </button>
      )}
      {may.delete && (
        <button
          type="button"
          tabIndex={stop}
          aria-label={words.records.delete(name, type)}
          onClick={() => onRemove(row)}
        >
          {short.delete}
        </button>
      )}
    </>
  );
}

function press(event: KeyboardEvent, { row, index, may, isSelected, onEdit, onRemove, onSelect }: Props): void {
  if (row === null || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') return moveWithin(event);
  if (!isWriter(may) || event.target !== event.currentTarget) return;
  const isDeleted = row.entry?.action === 'delete';
  const single: Readonly<Record<string, () => void>> = areShortcutsOn()
    ? {
        e: () => may.update && !isDeleted && onEdit(row),
        x: () => row.stored !== null && onSelect(index, !isSelected, false),
      }
    : {};
  const keys: Readonly<Record<string, () => void>> = {
    ...single,
    Enter: () => may.update && !isDeleted && onEdit(row),
    Delete: () => may.delete && !isDeleted && onRemove(row),
  };
  const act = keys[event.key];
  if (act === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

/** From the row to its controls, and back to the row. */
function moveWithin(event: KeyboardEvent): void {
  const row = event.currentTarget as HTMLElement;
  const stops = [row, ...row.querySelectorAll<HTMLElement>('input, a, button')];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const to = stops[at + (event.key === 'ArrowRight' ? 1 : -1)];
  if (to === undefined) return;
  event.preventDefault();
  to.focus();
}
