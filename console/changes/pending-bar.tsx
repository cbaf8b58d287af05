import { useState } from 'react';
import { useStatus } from '../frame/status.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';
import { NOTHING_PENDING } from './pending.js';
import { changePending, isUnkept, usePending } from './pending-store.js';
import { usePlans } from './plan-provider.js';

/** What was gathered and is not stored yet. */
export function PendingBar() {
  const { zone, place } = useOpenZone();
  const { entries } = usePending(place);
  const { review } = usePlans();
  const status = useStatus();
  const [isDiscarding, setDiscarding] = useState(false);
  if (entries.length === 0) return null;
  const discard = (): void => {
    setDiscarding(false);
    changePending(place, () => NOTHING_PENDING);
    status.show({ content: words.pending.discarded });
  };
  return (
    <section className="pending-bar" aria-label={words.pending.region}>
      <span>
        <strong>{words.pending.count(entries.length)}</strong> {isUnkept(place) && words.pending.notKept}
      </span>
      <span className="buttons">
        <button type="button" onClick={() => setDiscarding(true)}>
          {words.pending.discard}
        </button>
        <button type="button" className="primary" onClick={review}>
          {words.pending.review}
        </button>
      </span>
      {isDiscarding && (
        <DialogFrame title={words.pending.discard} onClose={() => setDiscarding(false)}>
          <p>
            <ShownText text={words.pending.discardQuestion(entries.length, zone.name)} />
          </p>
          <div className="buttons">
            <button type="button" onClick={() => setDiscarding(false)}>
              {words.common.cancel}
            </button>
            <button type="button" className="danger" onClick={discard}>
              {words.pending.discardButton}
            </button>
          </div>
        </DialogFrame>
      )}
    </section>
  );
}
