import { useLastLiveCheck, useLiveCheck } from '../api/queries.js';
import type { LastLiveCheck, LiveCheck as LiveCheckBody } from '../api/types.js';
import { Icon } from '../parts/icon.js';
import { Moment } from '../parts/moment.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';
import { Findings } from './findings.js';

type Severity = LiveCheckBody['findings'][number]['severity'];

/** The last live check of the zone, and a new one on demand: each check sends queries to others. */
export function LiveCheck() {
  const { zone } = useOpenZone();
  const { data: fresh, error, isFetching, refetch } = useLiveCheck(zone.id);
  const { data: last, failureReason, refetch: readAgain } = useLastLiveCheck(zone.id);
  const newest = [fresh, last].flatMap((check) =>
    check === undefined || check.checked_at === null ? [] : [{ ...check, checked_at: check.checked_at }],
  );
  const data = newest.sort((one, other) => (one.checked_at > other.checked_at ? -1 : 1))[0];
  const texts = words.liveCheck;
  const ofSeverity = (wanted: Severity) =>
    (data?.findings ?? [])
      .filter(({ severity }) => severity === wanted)
      .map(({ test, ...finding }) => ({ ...finding, sentence: texts.sentence(finding.message, test) }));
  return (
    <section aria-labelledby="live-check">
      <div className="heading">
        <h3 id="live-check">{texts.heading}</h3>
        <button
          type="button"
          className="with-icon"
          aria-disabled={isFetching || undefined}
          onClick={() => {
            if (!isFetching) void refetch();
          }}
        >
          <Icon name="refresh" />
          {texts.start}
        </button>
      </div>
      <p className="hint">{texts.hint}</p>
      {/* Screen readers announce only what changes in an element that was there before. */}
      <p role="status">
        {isFetching && texts.running}
        {!isFetching && data !== undefined && (
          <>
            {data.findings.length === 0 && <Icon name="good" />} {texts.done(countOf(data), data.queries)}{' '}
            <Moment at={data.checked_at} />
            {countOf(data) > data.findings.length && ` ${texts.more(data.findings.length)}`}
          </>
        )}
      </p>
      {!isFetching && error !== null && <Trouble error={error} onRetry={() => void refetch()} />}
      {fresh === undefined && failureReason !== null && (
        <Trouble isRetried error={failureReason} onRetry={() => void readAgain()} />
      )}
      <Findings title={texts.errors} hint={texts.errorsHint} findings={ofSeverity('error')} />
      <Findings title={texts.warnings} hint={texts.warningsHint} findings={ofSeverity('warning')} />
      <Findings title={texts.notices} hint={texts.noticesHint} findings={ofSeverity('notice')} />
    </section>
  );
}

/** A stored check has its first findings alone. */
function countOf({ findings, counts }: Pick<LiveCheckBody, 'findings'> & { counts?: LastLiveCheck['counts'] }): number {
  return counts === undefined ? findings.length : counts.errors + counts.warnings + counts.notices;
}
