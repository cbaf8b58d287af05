import { type ReactNode, useEffect, useMemo } from 'react';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';
import { EntryFindings } from './entry-findings.js';
import { FileFindings } from './file-findings.js';
import { LineFaults } from './line-faults-table.js';
import type { Entry } from './pending.js';
import { type PlanRow, totalsOf } from './plan.js';
import { PlanFindings } from './plan-findings.js';
import type { ImportedFile, QuotaAfter, Trial } from './plan-requests.js';
import { PlanReverse } from './plan-reverse.js';
import { PlanTable } from './plan-table.js';

/** Corrections of a file that the user imports. */
export interface Corrections {
  readonly correct: (file: ImportedFile) => void;
  readonly isCorrected: boolean;
  readonly show: (line: number) => void;
}

interface RowsProps {
  readonly zone: string;
  readonly trial: Trial;
  readonly note: (row: PlanRow) => ReactNode;
  readonly onRemove: ((key: string) => void) | undefined;
  readonly onShow: ((line: number) => void) | undefined;
}

/** The changes of a plan, or the errors of its file. */
export function TrialRows({ zone, trial: { rows, general, lines, isFaulty }, note, onRemove, onShow }: RowsProps) {
  const faulty = faultyOf(rows);
  useEffect(() => {
    if (faulty > 0) showFirstFault();
  }, [rows, faulty]);
  return (
    <>
      {rows.length === 0 && !isFaulty && <p className="empty">{words.plan.nothing}</p>}
      {general.length > 0 && (
        <div role="alert" className="trouble">
          {general.map((message, index) => (
            <p key={index}>
              <ShownText text={message} />
            </p>
          ))}
        </div>
      )}
      {lines.length > 0 && (
        <>
          <p role="alert" className="trouble">
            {words.import.faulty(lines.length)}
          </p>
          <LineFaults lines={lines} onShow={onShow} />
        </>
      )}
      {rows.length > 0 && (
        <PlanTable zone={zone} label={words.plan.table} rows={rows} note={note} {...(onRemove && { onRemove })} />
      )}
    </>
  );
}

interface SummaryProps {
  readonly zone: string;
  readonly trial: Trial;
  /** The entries of a change set, where these are sent as a file because they are more. */
  readonly most: number | null;
  /** For a file that the user can correct. */
  readonly file: Corrections | undefined;
  /** For pending changes that the user can correct. */
  readonly onEntries: ((entries: readonly Entry[]) => void) | undefined;
}

/** The numbers of a plan. */
export function TrialNumbers({ trial: { rows, quota } }: Pick<SummaryProps, 'trial'>) {
  const totals = useMemo(() => totalsOf(rows), [rows]);
  if (rows.length === 0) return null;
  return (
    <>
      <ul className="plan-counts">
        {(['create', 'update', 'delete'] as const)
          .filter((action) => totals[action] > 0)
          .map((action) => (
            <li key={action} className={action}>
              {words.plan.counts[action](totals[action])}
            </li>
          ))}
      </ul>
      {quota !== null && <p className="summary">{saysOfQuota(quota)}</p>}
    </>
  );
}

/** The errors of a plan, and the findings of the check after it. */
export function TrialSummary({ zone, trial, most, file, onEntries }: SummaryProps) {
  const { rows, findings, reverse, skipped, subject } = trial;
  const faulty = faultyOf(rows);
  return (
    <>
      {most !== null && <p>{words.plan.asFile(most)}</p>}
      {skipped > 0 && <p>{words.file.skipped(skipped)}</p>}
      {faulty > 0 && (
        <p role="alert" className="trouble">
          {words.plan.faulty(faulty)}{' '}
          <button type="button" onClick={showFirstFault}>
            {words.plan.showFaulty}
          </button>
        </p>
      )}
      <PlanReverse steps={reverse} />
      {file !== undefined && subject.kind === 'import' ? (
        <FileFindings
          zone={zone}
          findings={findings}
          file={subject}
          isCorrected={file.isCorrected}
          onCorrect={file.correct}
        />
      ) : subject.kind === 'changes' && onEntries !== undefined ? (
        <EntryFindings findings={findings} entries={subject.entries} onEntries={onEntries} />
      ) : (
        <PlanFindings zone={zone} findings={findings} />
      )}
    </>
  );
}

const faultyOf = (rows: readonly PlanRow[]): number => rows.filter(({ errors }) => errors.length > 0).length;

const saysOfQuota = ({ records, limit }: QuotaAfter): string =>
  limit === null ? words.plan.after(records) : words.plan.quota(records, limit);

function showFirstFault(): void {
  const row = document.querySelector('[data-faulty]');
  row?.scrollIntoView({ block: 'center' });
  row?.querySelector('button')?.focus();
}
