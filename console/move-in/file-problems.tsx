import { useEffect, useMemo, useRef, useState } from 'react';
import { findingSentence } from '../check/finding-sentence.js';
import { relativeName } from '../form/names.js';
import { type FileFix, fixAll, fixOf, isObvious } from '../import/file-fixes.js';
import { ShownText } from '../parts/shown-text.js';
import { moveIn } from '../words/move-in.js';
import { words } from '../words/index.js';
import type { FileCheck } from './use-file-check.js';

/** Beyond this they are counted and not drawn. */
const DRAWN = 100;

interface Props {
  readonly zone: string;
  readonly check: FileCheck;
  /** The present text, which the check may not know yet. */
  readonly text: string;
  readonly onShow: (line: number) => void;
  readonly onFix: (fix: Pick<FileFix, 'kind' | 'text'>) => void;
}

interface Problem {
  readonly line: number | undefined;
  readonly record: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly fix: FileFix | null;
}

/** The errors and findings of a file by line, each with a correction if it has one. */
export function FileProblems({ zone, check, text, onShow, onFix }: Props) {
  const problems = useMemo(() => problemsOf(zone, check), [zone, check]);
  const obvious = check.findings.filter((finding) => isObvious(finding) && fixOf(check.text, finding) !== null);
  const place = useRef<HTMLElement>(null);
  const [isCorrected, setCorrected] = useState(false);
  // A corrected problem leaves the list, and its button the page.
  useEffect(() => {
    if (isCorrected) place.current?.focus();
    setCorrected(false);
  }, [check]);
  const isCurrent = check.text === text;
  const correct = (fix: Pick<FileFix, 'kind' | 'text'>): void => {
    if (!isCurrent) return;
    setCorrected(true);
    onFix(fix);
  };
  return (
    <section className="move-problems" aria-label={moveIn.records.problems} ref={place} tabIndex={-1}>
      <p className="summary" role="status">
        {summaryOf(check, problems)}
      </p>
      {check.general.map((message, index) => (
        <p key={index} className="error">
          <ShownText text={message} />
        </p>
      ))}
      {obvious.length > 1 && (
        <p>
          <button
            type="button"
            aria-disabled={!isCurrent || undefined}
            onClick={() => correct({ kind: 'dot', text: fixAll(check.text, obvious) })}
          >
            {words.file.fixAll(obvious.length)}
          </button>
        </p>
      )}
      {problems.length > 0 && (
        <ul>
          {problems.slice(0, DRAWN).map(({ line, record, severity, message, fix }, index) => (
            <li key={index}>
              <span className={`badge ${severity === 'error' ? 'failed' : 'pending'}`}>
                {words.plan.severities[severity]}
              </span>
              {line !== undefined && (
                <button
                  type="button"
                  className="quiet"
                  aria-label={words.file.showLine(line)}
                  onClick={() => onShow(line)}
                >
                  {words.file.line(line)}
                </button>
              )}
              <span className="message-text">
                {record !== '' && <span className="data">{record}: </span>}
                <ShownText text={message} longest={600} />
              </span>
              {fix !== null && (
                <button
                  type="button"
                  aria-disabled={!isCurrent || undefined}
                  aria-label={words.file.fix(words.file.fixes[fix.kind], line ?? 0, record)}
                  onClick={() => correct(fix)}
                >
                  {words.file.fixes[fix.kind]}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {problems.length > DRAWN && <p>{moveIn.records.more(problems.length - DRAWN)}</p>}
    </section>
  );
}

function summaryOf({ report, general }: FileCheck, problems: readonly Problem[]): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length + general.length;
  const found = moveIn.records.found(errors, problems.length + general.length - errors);
  return report === null
    ? found
    : `${moveIn.records.ready(report.created + report.updated + report.unchanged)} ${found}`;
}

/** In the order of the file; a problem without a line comes last. */
function problemsOf(zone: string, { text, findings, lines }: FileCheck): readonly Problem[] {
  const errors = lines.map(({ line, message }): Problem => {
    return { line, record: '', severity: 'error', message, fix: fixOf(text, { line }) };
  });
  const found = findings.map((finding): Problem => {
    const { line, name, type, severity } = finding;
    const record = `${relativeName(name, zone)} ${type}`;
    return { line, record, severity, message: findingSentence(finding), fix: fixOf(text, finding) };
  });
  return [...errors, ...found].sort((a, b) => (a.line ?? Infinity) - (b.line ?? Infinity));
}
