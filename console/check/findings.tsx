import { Link } from 'wouter';
import { useZoneCheck } from '../api/queries.js';
import type { Finding } from '../api/types.js';
import { relativeName } from '../form/names.js';
import { findingSentence } from './finding-sentence.js';
import { Icon } from '../parts/icon.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { zoneAddress } from '../zones/zone-address.js';
import { useOpenZone } from '../zones/zone-context.js';

/** Faults that name servers would refuse, and probable mistakes. */
export function CheckFindings() {
  const { zone } = useOpenZone();
  const { data, error, failureReason, refetch } = useZoneCheck(zone.id);
  const trouble = error ?? failureReason;
  return (
    <section aria-labelledby="check">
      <h3 id="check">{words.check.heading}</h3>
      {trouble !== null && <Trouble isRetried error={trouble} onRetry={() => void refetch()} />}
      {data === undefined && trouble === null && <Skeleton rows={2} columns={[2, 1, 5, 1]} />}
      {data !== undefined && data.errors.length + data.warnings.length === 0 && (
        <p className="well">
          <Icon name="good" /> {words.check.well}
        </p>
      )}
      <Findings title={words.check.errors} hint={words.check.errorsHint} findings={shown(data?.errors)} />
      <Findings title={words.check.warnings} hint={words.check.warningsHint} findings={shown(data?.warnings)} />
    </section>
  );
}

const shown = (findings: readonly Finding[] = []): ShownFinding[] =>
  findings.map((finding) => ({ ...finding, sentence: findingSentence(finding) }));

interface ShownFinding {
  readonly name: string;
  readonly type: string;
  readonly sentence: string;
}

interface FindingsProps {
  readonly title: string;
  readonly hint: string;
  readonly findings: readonly ShownFinding[];
}

export function Findings({ title, hint, findings }: FindingsProps) {
  const { zone } = useOpenZone();
  const { columns } = words.check;
  if (findings.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <p className="hint">{hint}</p>
      <table className="list" aria-label={title}>
        <thead>
          <tr>
            <th scope="col">{columns.name}</th>
            <th scope="col">{columns.type}</th>
            <th scope="col">{columns.finding}</th>
            <th scope="col">
              <span className="visually-hidden">{columns.records}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {findings.map(({ name, type, sentence }, index) => {
            return (
              <tr key={index}>
                <td title={name}>
                  <ShownText text={relativeName(name, zone.name)} />
                </td>
                <td data-label={columns.type}>{type}</td>
                <td data-label={columns.finding}>
                  <ShownText text={sentence} longest={600} />
                </td>
                <td>
                  <Link
                    href={`${zoneAddress(zone.name, 'records')}?${new URLSearchParams({ name }).toString()}`}
                    aria-label={words.check.show(relativeName(name, zone.name), type)}
                  >
                    {words.check.showShort}
                  </Link>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}
