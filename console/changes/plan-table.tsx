import './changes.css';
import { Fragment, type ReactNode } from 'react';
import { relativeName } from '../form/names.js';
import { Icon } from '../parts/icon.js';
import { groupedBy } from '../parts/grouped.js';
import { ShownName } from '../parts/shown-name.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';
import { DiffLine } from './diff-line.js';
import type { PlanRow } from './plan.js';
import { diffOf } from './text-diff.js';

/** Beyond this the plan is counted and not drawn. */
const DRAWN = 500;

interface Props {
  readonly zone: string;
  readonly label: string;
  readonly rows: readonly PlanRow[];
  /** An additional note for a row. */
  readonly note?: (row: PlanRow) => ReactNode;
  readonly onRemove?: (key: string) => void;
}

/** The changes of a plan as a unified diff, grouped by owner name. */
export function PlanTable({ zone, label, rows, note, onRemove }: Props) {
  const groups = groupedBy(rows.slice(0, DRAWN), (row) => ownerOf(row).toLowerCase());
  return (
    <>
      <div role="table" className="plan" aria-label={label}>
        {[...groups.values()].map((group, index) => (
          <div key={index} role="rowgroup">
            <div role="row" className="plan-owner">
              <div role="rowheader" title={group[0] && ownerOf(group[0])}>
                <ShownName text={relativeName(group[0] === undefined ? '' : ownerOf(group[0]), zone)} />
              </div>
            </div>
            {group.map((row) => (
              <PlanLine key={row.key} zone={zone} row={row} note={note?.(row)} onRemove={onRemove} />
            ))}
          </div>
        ))}
      </div>
      {rows.length > DRAWN && <p>{words.plan.moreRows(rows.length - DRAWN)}</p>}
    </>
  );
}

const ownerOf = ({ before, after }: PlanRow): string => (after ?? before)?.name ?? '';

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
  const lines = linesOf(before, after);
  return (
    <div
      role="row"
      className={isFaulty ? `plan-row ${action} faulty` : `plan-row ${action}`}
      data-faulty={isFaulty || undefined}
    >
      <div role="cell" className="plan-type">
        <span className="visually-hidden">
          {words.plan.actions[action]} <ShownText text={relativeName(record.name, zone)} />{' '}
        </span>
        <span className="type-tag">{record.type}</span>
      </div>
      <div role="cell" className="plan-diff">
        {before !== null && <Side record={before} other={after} side="removed" chunks={lines.before} />}
        {after !== null && <Side record={after} other={before} side="added" chunks={lines.after} />}
        {errors.map((error, index) => (
          <p key={index} className="error">
            <ShownText text={error} />
          </p>
        ))}
        {note}
      </div>
      {onRemove !== undefined && (
        <div role="cell">
          <button
            type="button"
            className="quiet"
            title={words.plan.removeShort}
            aria-label={words.plan.remove(relativeName(record.name, zone), record.type)}
            onClick={() => onRemove(row.key)}
          >
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  );
}

type Shown = NonNullable<PlanRow['after']>;

/** Both states as texts. A record without another state has no marks. */
function linesOf(before: Shown | null, after: Shown | null) {
  if (before !== null && after !== null) {
    const isMoved = before.name !== after.name;
    return diffOf(textOf(before, isMoved), textOf(after, isMoved));
  }
  const whole = (record: Shown | null) => [{ text: record === null ? '' : textOf(record, false), isChanged: false }];
  return { before: whole(before), after: whole(after) };
}

/** The data as a zone file has it, behind the name if that changes. */
const textOf = ({ name, priority, data }: Shown, isMoved: boolean): string =>
  [...(isMoved ? [name] : []), ...(priority === null ? [] : [String(priority)]), data].join(' ');

interface SideProps {
  readonly record: Shown;
  readonly other: Shown | null;
  readonly side: 'removed' | 'added';
  readonly chunks: ReturnType<typeof diffOf>['before'];
}

function Side({ record, other, side, chunks }: SideProps) {
  return (
    <DiffLine side={side} chunks={chunks}>
      {detailsOf(record, other).map(({ name, content, differs }) => (
        <Fragment key={name}>
          {' '}
          <span className="diff-detail">{differs ? <mark>{content}</mark> : content}</span>
        </Fragment>
      ))}
    </DiffLine>
  );
}

interface Detail {
  readonly name: string;
  readonly content: ReactNode;
  readonly differs: boolean;
}

/** The TTL, the comment and the expiry, as far as the record has them. */
function detailsOf({ ttl, description, ...record }: Shown, other: Shown | null): Detail[] {
  const expires = record.expires_at ?? null;
  const differs = (is: boolean): boolean => other !== null && is;
  const details: (Detail | false)[] = [
    (ttl !== null || (other?.ttl ?? null) !== null) && {
      name: 'ttl',
      content: words.plan.ttl(ttl),
      differs: differs(ttl !== other?.ttl),
    },
    description !== null && {
      name: 'comment',
      content: <ShownText text={`${words.plan.comment} “${description}”`} longest={300} />,
      differs: differs(description !== other?.description),
    },
    expires !== null && {
      name: 'expires',
      content: words.plan.expires(expires),
      differs: differs(expires !== (other?.expires_at ?? null)),
    },
  ];
  return details.filter((detail) => detail !== false);
}
