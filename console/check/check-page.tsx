import { Link } from 'wouter';
import { useZoneCheck } from '../api/queries.js';
import type { Finding } from '../api/types.js';
import { relativeName } from '../form/names.js';
import { useTitle } from '../frame/title.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { zoneAddress } from '../zones/zone-address.js';
import { useOpenZone } from '../zones/zone-context.js';

/** What name servers would refuse of the zone, and what probably does not work as intended. */
export function CheckPage() {
  const { zone } = useOpenZone();
  useTitle(`${words.check.heading} – ${zone.name}`);
  const { data, error, failureReason, isFetching, refetch } = useZoneCheck(zone.id);
  const trouble = error ?? failureReason;
  return (
    <section aria-labelledby="check">
      <div className="heading">
        <h2 id="check">{words.check.heading}</h2>
        <button type="button" aria-disabled={isFetching || undefined} onClick={() => void refetch()}>
          {words.check.again}
        </button>
      </div>
      {trouble !== null && <Trouble isRetried error={trouble} />}
      {data === undefined && trouble === null && <Skeleton rows={3} />}
      {data !== undefined && data.errors.length + data.warnings.length === 0 && (
        <p className="empty">{words.check.well}</p>
      )}
      <Findings title={words.check.errors} hint={words.check.errorsHint} findings={data?.errors ?? []} />
      <Findings title={words.check.warnings} hint={words.check.warningsHint} findings={data?.warnings ?? []} />
    </section>
  );
}

interface FindingsProps {
  readonly title: string;
  readonly hint: string;
  readonly findings: readonly Finding[];
}

function Findings({ title, hint, findings }: FindingsProps) {
  const { zone } = useOpenZone();
  const { columns } = words.check;
  if (findings.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
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
          {findings.map(({ name, type, message }, index) => (
            <tr key={index}>
              <td title={name}>
                <ShownText text={relativeName(name, zone.name)} />
              </td>
              <td data-label={columns.type}>{type}</td>
              <td data-label={columns.finding}>
                <ShownText text={message} />
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
          ))}
        </tbody>
      </table>
    </>
  );
}
