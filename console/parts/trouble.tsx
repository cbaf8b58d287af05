import { isUnanswered } from '../api/errors.js';
import { words } from '../words/index.js';
import { ShownText } from './shown-text.js';

interface Props {
  readonly error: unknown;
  /** Whether it is asked again by itself, as what is only read is. */
  readonly isRetried?: boolean;
  readonly onRetry?: () => void;
}

/** What went wrong, in the words of the service. */
export function Trouble({ error, isRetried = false, onRetry }: Props) {
  const message = error instanceof Error ? error.message : words.common.failed;
  return (
    <div role="alert" className="trouble">
      <ShownText text={message} />
      {isRetried && isUnanswered(error) && <span> {words.common.retrying(error.retryAfter)}</span>}
      {onRetry !== undefined && (
        <button type="button" onClick={onRetry}>
          {words.common.tryAgain}
        </button>
      )}
    </div>
  );
}
