import type { ReactNode } from 'react';
import type { PlanFinding } from '../api/types.js';
import { findingSentence } from '../check/finding-sentence.js';
import { relativeName } from '../form/names.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';

/** Beyond this they are counted and not drawn. */
const DRAWN = 20;
const BADGES = { error: 'failed', warning: 'pending' } as const;

interface Props {
  readonly zone: string;
  readonly findings: readonly PlanFinding[];
  /** Corrections of all findings. */
  readonly actions?: ReactNode;
  /** The correction of a finding. */
  readonly action?: (finding: PlanFinding) => ReactNode;
}

/** Findings that the zone check would report only after the plan. They do not block the plan. */
export function PlanFindings({ zone, findings, actions, action }: Props) {
  if (findings.length === 0) return null;
  const others = findings.length - DRAWN;
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return (
    <section aria-label={words.plan.findings}>
      <p role="alert" className="notice">
        {words.plan.found(errors, findings.length - errors)}
      </p>
      {actions}
      <ul className="findings">
        {findings.slice(0, DRAWN).map((finding, index) => (
          <li key={index}>
            <span className={`badge ${BADGES[finding.severity]}`}>{words.plan.severities[finding.severity]}</span>{' '}
            <ShownText text={sentenceOf(finding, zone)} longest={600} /> {action?.(finding)}
          </li>
        ))}
      </ul>
      {others > 0 && <p>{words.plan.moreFindings(others)}</p>}
    </section>
  );
}

function sentenceOf(finding: PlanFinding, zone: string): string {
  const { name, type, line } = finding;
  const place = line === undefined ? '' : `${words.file.line(line)}, `;
  return `${place}${relativeName(name, zone)} ${type}: ${findingSentence(finding)}`;
}
