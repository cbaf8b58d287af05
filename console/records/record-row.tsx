import { memo, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Zone } from '../api/types.js';
import { relativeName } from '../form/names.js';
import { Icon } from '../parts/icon.js';
import { Moment } from '../parts/moment.js';
import { Readable } from '../parts/readable.js';
import { ShownText } from '../parts/shown-text.js';
import type { Permitted } from '../session/permitted.js';
import { words } from '../words/index.js';
import { zoneAddress } from '../zones/zone-address.js';
import type { Columns } from './columns.js';
import { CopyValue } from './copy-value.js';
import type { RowActions } from './row-actions.js';
import { RowButtons } from './row-buttons.js';
import { pressInRow } from './row-keys.js';
import { isWriter, permittedAtRow, type Row } from './row.js';

interface Props extends RowActions {
  /** `null` until it is loaded. */
  readonly row: Row | null;
  /** The row above has the same name, which is not repeated. */
  readonly isRepeated: boolean;
  readonly index: number;
  readonly start: number;
  readonly zone: Zone;
  readonly columns: Columns;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly isExpanded: boolean;
  readonly isMenuOpen: boolean;
  readonly may: Permitted;
  readonly onFocus: (index: number) => void;
  readonly onSelect: (index: number, isSelected: boolean, isRange: boolean) => void;
  readonly onMenu: (index: number, row: Row, trigger: HTMLElement) => void;
  readonly onExpand: (index: number) => void;
  readonly onMeasure: (index: number, height: number) => void;
}

interface CellsProps extends Props {
  readonly row: Row;
  /** Icons that do not show yet would make up half of the elements on the page. */
  readonly hasIcons: boolean;
}

/** Text that fits into a row; an expanded row shows all of it. */
const LONGEST = 300;
/** Longer data may be cut in a row, so it has a button that shows all of it. */
const EXPANDABLE = 40;

/** Renders only when its properties change, since each scroll frame adds only a few rows. */
export const RecordRow = memo(function RecordRow(props: Props) {
  const { row, index, start, isActive, isSelected, isExpanded, isRepeated, may, onMeasure } = props;
  const element = useRef<HTMLDivElement>(null);
  const [isPointedAt, setPointedAt] = useState(false);
  useLayoutEffect(() => {
    if (isExpanded && element.current !== null) onMeasure(index, element.current.offsetHeight);
  });
  const looks = [row?.entry?.action ?? '', isExpanded ? 'expanded' : '', isRepeated ? 'repeats' : ''];
  return (
    <div
      ref={element}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isWriter(may) ? isSelected : undefined}
      className={['record-row', ...looks].join(' ')}
      tabIndex={isActive ? 0 : -1}
      style={{ transform: `translateY(${start}px)` }}
      onPointerEnter={() => setPointedAt(true)}
      onPointerLeave={() => setPointedAt(false)}
      onFocus={() => props.onFocus(index)}
      onKeyDown={(event) => pressInRow(event, props)}
    >
      {row === null ? (
        <div role="gridcell" className="coming">
          <span className="visually-hidden">{words.common.loading}</span>
        </div>
      ) : (
        <Cells {...props} row={row} hasIcons={isPointedAt || isActive || isExpanded} />
      )}
    </div>
  );
});

function Cells(props: CellsProps) {
  const { row, index, zone, columns: shownColumns, isSelected, isActive, may, onSelect } = props;
  const mayHere = permittedAtRow(may, row);
  const { shown, stored, entry } = row;
  const name = relativeName(shown.name, zone.name);
  const { columns } = words.records;
  const stop = isActive ? 0 : -1;
  const changed = stored === null ? null : (stored.updated_at ?? stored.created_at);
  return (
    <>
      {isWriter(may) && (
        <div role="gridcell" className="select">
          {stored !== null && isWriter(mayHere) && (
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
      <div role="gridcell" title={shown.name} className="name cut">
        {stored === null ? (
          <ShownText text={name} longest={LONGEST} />
        ) : (
          <Link href={zoneAddress(zone.name, `records/${stored.id}`)} tabIndex={stop}>
            <ShownText text={name} longest={LONGEST} />
          </Link>
        )}
        <Readable name={name} />
      </div>
      {shownColumns.has('type') && (
        <div role="gridcell" data-label={columns.type} className="type">
          <span className="tag">{shown.type}</span>
        </div>
      )}
      {shownColumns.has('ttl') && (
        <div
          role="gridcell"
          data-label={columns.ttl}
          className={shown.ttl === null ? 'number inherited' : 'number'}
          title={shown.ttl === null ? words.records.inherited : undefined}
        >
          {words.common.duration(shown.ttl ?? zone.ttl)}
          {shown.ttl === null && <span className="visually-hidden"> {words.records.inherited}</span>}
        </div>
      )}
      <DataCell {...props} name={name} stop={stop} />
      {shownColumns.has('comment') && (
        <div role="gridcell" className="cut comment">
          {shown.description !== null && <ShownText text={shown.description} longest={LONGEST} />}
          {typeof shown.expires_at === 'string' && <span> {words.records.expires(shown.expires_at)}</span>}
        </div>
      )}
      {shownColumns.has('changed') && (
        <div role="gridcell" className="changed">
          {changed !== null && <Moment at={changed} />}
        </div>
      )}
      <div role="gridcell" className="state">
        {entry !== null && <span className={`badge ${entry.action}`}>{words.records.states[entry.action]}</span>}
      </div>
      <div role="gridcell" className="row-buttons">
        <RowButtons
          {...{ row, name, stop }}
          may={mayHere}
          hasIcons={props.hasIcons}
          isMenuOpen={props.isMenuOpen}
          onMenu={(one, trigger) => props.onMenu(index, one, trigger)}
          onEdit={props.onEdit}
          onCopy={props.onCopy}
          onRemove={props.onRemove}
          onKeep={props.onKeep}
        />
      </div>
    </>
  );
}

/** The data, with buttons that copy it and show all of it. */
function DataCell({
  row,
  index,
  name,
  stop,
  hasIcons,
  isExpanded,
  onExpand,
}: CellsProps & { readonly name: string; readonly stop: number }) {
  const { shown } = row;
  const { columns, row: rowWords } = words.records;
  return (
    <div role="gridcell" data-label={columns.data} className="cut data with-copy">
      {shown.priority !== null && <span className="priority">{shown.priority} </span>}
      <ShownText text={shown.data} longest={isExpanded ? Infinity : LONGEST} />
      <CopyValue
        label={words.records.copyValue(name, shown.type)}
        text={shown.data}
        tabIndex={stop}
        hasIcon={hasIcons}
      />
      {(isExpanded || shown.data.length > EXPANDABLE) && (
        <button
          type="button"
          className="icon-button expand"
          tabIndex={stop}
          aria-label={rowWords.showAll(name, shown.type)}
          aria-expanded={isExpanded}
          title={isExpanded ? rowWords.menu.showLess : rowWords.menu.showAll}
          onClick={() => onExpand(index)}
        >
          {hasIcons && <Icon name={isExpanded ? 'collapse' : 'expand'} />}
        </button>
      )}
    </div>
  );
}
