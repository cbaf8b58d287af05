import { reloadPage } from '../session/leaving.js';
import { words } from '../words/index.js';

interface Props {
  /** The service has a newer version of the page, without the file. */
  readonly isOutdated: boolean;
  /** Some browsers remember a failed file until the page is loaded again. */
  readonly isRepeated: boolean;
  readonly onRetry: () => void;
}

/** Stands for a part of the page whose file could not be loaded. */
export function LoadFailed({ isOutdated, isRepeated, onRetry }: Props) {
  return (
    <div role="alert" className="trouble load-failed">
      <span>{isOutdated ? words.load.outdated : words.load.failed}</span>{' '}
      {!isOutdated && (
        <button type="button" onClick={onRetry}>
          {words.common.tryAgain}
        </button>
      )}{' '}
      {(isOutdated || isRepeated) && (
        <button type="button" onClick={reloadPage}>
          {words.load.reload}
        </button>
      )}
    </div>
  );
}
