import { isUnanswered, Refusal } from '../api/errors.js';
import { words } from '../words/index.js';
import { Icon } from './icon.js';
import { ShownText } from './shown-text.js';
import { lazily } from './lazily.js';
import { useShownOnce } from './shown-once.js';

const NoAccess = lazily(() => import('../frame/no-access.js').then((module) => module.NoAccess));

interface Props {
  readonly error: unknown;
  /** Whether it retries automatically, as reads do. */
  readonly isRetried?: boolean;
  readonly onRetry?: () => void;
}

/** An error in the words of the service, with what to do about it. Reads that fail alike show one error. */
export function Trouble({ error, isRetried = false, onRetry }: Props) {
  const message = error instanceof Error ? error.message : words.common.failed;
  const { isShown, canRetry, retryAll } = useShownOnce(isRetried ? message : null, onRetry);
  const remedy = remedyFor(error, isRetried);
  if (!isShown) return null;
  if (isRetried && error instanceof Refusal && error.status === 403) return <NoAccess message={message} />;
  return (
    <div role="alert" className="trouble">
      <Icon name="bad" />
      <div className="trouble-text">
        <p>
          <ShownText text={message} />
        </p>
        {remedy !== null && <p>{remedy}</p>}
      </div>
      {canRetry && (
        <button type="button" onClick={retryAll}>
          {words.common.tryAgain}
        </button>
      )}
    </div>
  );
}

function remedyFor(error: unknown, isRetried: boolean): string | null {
  const { remedies } = words.states;
  if (isUnanswered(error)) {
    const cause = error.message === words.answers.unreachable ? [remedies.unanswered] : [];
    const retry = isRetried ? [words.common.retrying(error.retryAfter)] : [];
    return cause.length + retry.length === 0 ? null : [...cause, ...retry].join(' ');
  }
  if (!(error instanceof Refusal)) return null;
  if (error.status === 403) return remedies.forbidden;
  if (error.status === 429) return remedies.tooMany;
  return error.status >= 500 ? remedies.failed : null;
}
