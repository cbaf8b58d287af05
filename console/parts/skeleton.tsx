import { words } from '../words/index.js';

interface Props {
  readonly rows: number;
  /** The widths of the columns that will be there, as shares. */
  readonly columns?: readonly number[];
}

/** Stands where rows will be: as high as they, with their columns. */
export function Skeleton({ rows, columns = [1] }: Props) {
  const tracks = { gridTemplateColumns: columns.map((share) => `minmax(0, ${share}fr)`).join(' ') };
  return (
    <div className="skeleton">
      <span className="visually-hidden">{words.common.loading}</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="skeleton-row" style={tracks} aria-hidden="true">
          {columns.map((_share, column) => (
            <span key={column} />
          ))}
        </div>
      ))}
    </div>
  );
}
