import { useEffect, useMemo, useRef } from 'react';
import type { PlanFinding } from '../api/types.js';
import { relativeName } from '../form/names.js';
import { fixAll, fixOf, isObvious } from '../import/file-fixes.js';
import { words } from '../words/index.js';
import { PlanFindings } from './plan-findings.js';
import type { ImportedFile } from './plan-requests.js';

interface Props {
  readonly zone: string;
  readonly findings: readonly PlanFinding[];
  readonly file: ImportedFile;
  /** Whether the plan follows a correction, whose button had the focus. */
  readonly isCorrected: boolean;
  readonly onCorrect: (file: ImportedFile) => void;
}

/** The findings of an import, each with a button that corrects the file. */
export function FileFindings({ zone, findings, file, isCorrected, onCorrect }: Props) {
  const { mode, text, skipsNameServers = false } = file;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isCorrected) place.current?.focus();
  }, [isCorrected, findings]);
  const fixes = useMemo(() => new Map(findings.map((finding) => [finding, fixOf(text, finding)])), [findings, text]);
  const obvious = findings.filter((finding) => isObvious(finding) && fixes.get(finding) !== null);
  const correct = (corrected: Partial<ImportedFile>): void => onCorrect({ mode, text, skipsNameServers, ...corrected });
  const action = (finding: PlanFinding) => {
    const fix = fixes.get(finding) ?? null;
    if (fix === null) return null;
    const { line = 0, name, type } = finding;
    const label = words.file.fixes[fix.kind];
    return (
      <button
        type="button"
        aria-label={words.file.fix(label, line, `${relativeName(name, zone)} ${type}`)}
        onClick={() => correct(fix.kind === 'skipNameServers' ? { skipsNameServers: true } : { text: fix.text })}
      >
        {label}
      </button>
    );
  };
  return (
    <div ref={place} tabIndex={-1} role="group" aria-label={words.file.left(findings.length)}>
      {isCorrected && findings.length === 0 && <p>{words.file.left(0)}</p>}
      <PlanFindings
        zone={zone}
        findings={findings}
        action={action}
        actions={
          obvious.length > 1 && (
            <button type="button" onClick={() => correct({ text: fixAll(text, obvious) })}>
              {words.file.fixAll(obvious.length)}
            </button>
          )
        }
      />
    </div>
  );
}
