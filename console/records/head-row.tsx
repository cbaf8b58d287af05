import { words } from '../words/index.js';
import type { Columns } from './columns.js';

interface Props {
  readonly mayWrite: boolean;
  readonly columns: Columns;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

/** The head of the records table. */
export function HeadRow({ mayWrite, columns: shown, sort, onSort }: Props) {
  const { columns } = words.records;
  const hidden = (text: string) => <span className="visually-hidden">{text}</span>;
  return (
    <div role="rowgroup" className="head">
      <div role="row" aria-rowindex={1} className="record-row">
        {mayWrite && <div role="columnheader">{hidden(columns.select)}</div>}
        <SortHead column="name" sort={sort} onSort={onSort} />
        {shown.has('type') && <SortHead column="type" sort={sort} onSort={onSort} />}
        {shown.has('ttl') && <SortHead column="ttl" sort={sort} onSort={onSort} />}
        <div role="columnheader">{columns.data}</div>
        {shown.has('comment') && (
          <div role="columnheader" className="comment">
            {columns.comment}
          </div>
        )}
        {shown.has('changed') && <SortHead column="changed" sort={sort} onSort={onSort} />}
        <div role="columnheader" className="state">
          {hidden(columns.state)}
        </div>
        <div role="columnheader">{hidden(columns.actions)}</div>
      </div>
    </div>
  );
}

type SortProps = Pick<Props, 'sort' | 'onSort'> & { readonly column: 'name' | 'type' | 'ttl' | 'changed' };

/** A header that sorts by its column, and in the other direction once it does. Times begin with the latest. */
function SortHead({ column, sort, onSort }: SortProps) {
  const label = words.records.columns[column];
  const key = column === 'changed' ? 'updated' : column;
  const isDescending = sort.startsWith('-');
  const isSorted = sort.replace('-', '') === key;
  const next = (isSorted ? !isDescending : column === 'changed') ? `-${key}` : key;
  const direction = isDescending ? 'descending' : 'ascending';
  const look = { ttl: 'number', changed: 'changed' }[column as string];
  return (
    <div role="columnheader" aria-sort={isSorted ? direction : 'none'} className={look}>
      <button type="button" className="quiet sort" title={words.records.sortBy(label)} onClick={() => onSort(next)}>
        {label}
        {isSorted && <span aria-hidden="true">{isDescending ? ' ▼' : ' ▲'}</span>}
      </button>
    </div>
  );
}
