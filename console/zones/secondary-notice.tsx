import { Moment } from '../parts/moment.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';
import { useOpenZone } from './zone-context.js';

/** Where the records of a secondary zone come from, and the result of the last transfer. */
export function SecondaryNotice() {
  const { secondary } = useOpenZone();
  if (secondary === null) return null;
  const { primaries, transferred_at: transferredAt, error } = secondary;
  return (
    <section aria-label={words.secondary.label}>
      <p className="notice">{words.secondary.readOnly}</p>
      <dl className="facts">
        <div>
          <dt>{words.secondary.primaries}</dt>
          <dd className="data">
            <ShownText text={primaries.join(', ')} />
          </dd>
        </div>
        <div>
          <dt>{words.secondary.transferred}</dt>
          <dd>{transferredAt === null ? words.secondary.never : <Moment at={transferredAt} />}</dd>
        </div>
        {error !== null && (
          <div>
            <dt>{words.secondary.error}</dt>
            <dd className="error">
              <ShownText text={error} />
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}
