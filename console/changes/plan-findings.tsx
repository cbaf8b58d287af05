import type { PlanFinding } from '../api/types.js';
import { relativeName } from '../form/names.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';

/** Beyond this they are counted and not drawn. */
const DRAWN = 20;
const BADGES = { error: 'failed', warning: 'pending' } as const;

interface Props {
  readonly zone: string;
  readonly findings: readonly PlanFinding[];
}

/** What the check of the zone would find after the plan, and does not find now. It holds nothing back. */
export function PlanFindings({ zone, findings }: Props) {
  if (findings.length === 0) return null;
  const others = findings.length - DRAWN;
  return (
    <section aria-label={words.plan.findings}>
      <p className="notice">{words.plan.found(findings.length)}</p>
      <ul className="findings">
        {findings.slice(0, DRAWN).map(({ severity, name, type, message }, index) => (
          <li key={index}>
            <span className={`badge ${BADGES[severity]}`}>{words.plan.severities[severity]}</span>{' '}
            <ShownText text={`${relativeName(name, zone)} ${type}: ${message}`} longest={600} />
          </li>
        ))}
      </ul>
      {others > 0 && <p>{words.plan.moreFindings(others)}</p>}
    </section>
  );
}
