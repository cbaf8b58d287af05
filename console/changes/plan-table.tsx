import type { ReactNode } from 'react';
import { relativeName } from '../form/names.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';
import type { PlanRow } from './plan.js';

/** Beyond this the plan is counted and not drawn. */
const DRAWN = 500;

interface Props {
  readonly zone: string;
  readonly label: string;
  readonly rows: readonly PlanRow[];
  /** What else is to be said of a row. */
  readonly note?: (row: PlanRow) => ReactNode;
  readonly onRemove?: (key: string) => void;
}

/** What a plan does, record by record, the old beside the new. */
export function PlanTable({ zone, label, rows, note, onRemove }: Props) {
  const { columns } = words.plan;
  return (
    <>
      <table className="plan" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{columns.action}</th>
            <th scope="col">{columns.name}</th>
            <th scope="col">{columns.type}</th>
            <th scope="col">{columns.old}</th>
            <th scope="col">{columns.new}</th>
            {onRemove !== undefined && (
              <th scope="col">
                <span className="visually-hidden">{columns.remove}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, DRAWN).map((row) => (
            <PlanLine key={row.key} zone={zone} row={row} note={note?.(row)} onRemove={onRemove} />
          ))}
        </tbody>
      </table>
      {rows.length > DRAWN && <p>{words.plan.moreRows(rows.length - DRAWN)}</p>}
    </>
  );
}

interface LineProps {
  readonly zone: string;
  readonly row: PlanRow;
  readonly note: ReactNode;
  readonly onRemove: ((key: string) => void) | undefined;
}

function PlanLine({ zone, row, note, onRemove }: LineProps) {
  const { action, before, after, errors } = row;
  const record = after ?? before;
  if (record === null) return null;
  const isFaulty = errors.length > 0;
  return (
    <tr className={isFaulty ? `${action} faulty` : action} data-faulty={isFaulty || undefined}>
      <td>
        <span className={`badge ${action}`}>{words.plan.actions[action]}</span>
      </td>
      <td data-label={words.plan.columns.name} title={record.name}>
        <ShownText text={relativeName(record.name, zone)} />
      </td>
      <td data-label={words.plan.columns.type}>{record.type}</td>
      <td data-label={words.plan.columns.old}>
        {before !== null && <Side record={before} other={after} sign="−" says={words.plan.removed} />}
      </td>
      <td data-label={words.plan.columns.new}>
        {after !== null && <Side record={after} other={before} sign="+" says={words.plan.added} />}
        {errors.map((error, index) => (
          <p key={index} className="error">
            <ShownText text={error} />
          </p>
        ))}
        {note}
      </td>
      {onRemove !== undefined && (
        <td>
          <button
            type="button"
            aria-label={words.plan.remove(relativeName(record.name, zone), record.type)}
            onClick={() => onRemove(row.key)}
          >
            {words.plan.removeShort}
          </button>
        </td>
      )}
    </tr>
  );
}

type Shown = NonNullable<PlanRow['after']>;

interface SideProps {
  readonly record: Shown;
  readonly other: Shown | null;
  readonly sign: string;
  readonly says: string;
}

/** One state of a record; what differs from the other one is marked. */
function Side({ record, other, sign, says }: SideProps) {
  return (
    <div className={sign === '+' ? 'side added' : 'side removed'}>
      <span aria-hidden="true" className="sign">
        {sign}
      </span>
      <span className="visually-hidden">{says} </span>
      <span>
        {partsOf(record, other).map(({ name, content, differs }) => (
          <span key={name} className="part">
            {differs ? <mark>{content}</mark> : content}{' '}
          </span>
        ))}
      </span>
    </div>
  );
}

function partsOf(record: Shown, other: Shown | null) {
  const { name, data, priority, ttl, description } = record;
  const expires = record.expires_at ?? null;
  const differs = (is: boolean): boolean => other !== null && is;
  const isMoved = differs(name !== other?.name);
  return [
    ...(isMoved ? [{ name: 'name', content: <ShownText text={name} />, differs: true }] : []),
    ...(priority === null
      ? []
      : [{ name: 'priority', content: words.plan.priority(priority), differs: differs(priority !== other?.priority) }]),
    { name: 'data', content: <ShownText text={data} longest={600} />, differs: differs(data !== other?.data) },
    ...(ttl === null && (other?.ttl ?? null) === null
      ? []
      : [{ name: 'ttl', content: words.plan.ttl(ttl), differs: differs(ttl !== other?.ttl) }]),
    ...(description === null
      ? []
      : [
          {
            name: 'comment',
            content: <ShownText text={`${words.plan.comment} “${description}”`} longest={300} />,
            differs: differs(description !== other?.description),
          },
        ]),
    ...(expires === null
      ? []
      : [
          {
            name: 'expires',
            content: words.plan.expires(expires),
            differs: differs(expires !== (other?.expires_at ?? null)),
          },
        ]),
  ];
}
