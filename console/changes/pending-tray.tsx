import './pending-tray.css';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { ownPath } from '../api/prefix.js';
import { useStatus } from '../frame/status.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { Icon } from '../parts/icon.js';
import { rescueFocus } from '../parts/rescue-focus.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';
import { zoneAddress, zoneIn } from '../zones/zone-address.js';
import { NOTHING_PENDING } from './pending.js';
import { changePending, type Gathered, isUnkept, nameOf, useAllPending } from './pending-store.js';
import { isHere, useReview } from './use-review.js';

/** The pending changes of all zones, on every page. */
export function PendingTray() {
  const all = useAllPending();
  const [path] = useLocation();
  const [showsAll, setShowsAll] = useState(false);
  const [discarded, setDiscarded] = useState<Gathered | null>(null);
  if (all.length === 0) return null;
  const open = /^\/(?:zones|move-in)\//.test(path) ? zoneIn(ownPath()).toLowerCase() : null;
  const lead = all.length === 1 ? all[0] : all.find((one) => isHere(one.origin) && nameOf(one).toLowerCase() === open);
  const total = all.reduce((sum, { count }) => sum + count, 0);
  return (
    <section className="pending-tray" aria-label={words.pending.region}>
      {showsAll && all.length > 1 && (
        <ul id="pending-zones" aria-label={words.pending.showAll}>
          {all.map((one) => (
            <li key={one.place}>
              <ZoneChanges gathered={one} isLead={false} onDiscard={setDiscarded} />
            </li>
          ))}
        </ul>
      )}
      <div className="pending-lead">
        {all.length > 1 && (
          <button
            type="button"
            className="pending-all"
            aria-expanded={showsAll}
            aria-controls={showsAll ? 'pending-zones' : undefined}
            onClick={() => setShowsAll(!showsAll)}
          >
            <Icon name="expand" /> {words.pending.count(total)} {words.pending.inZones(all.length)}
          </button>
        )}
        {lead !== undefined && !(showsAll && all.length > 1) && (
          <ZoneChanges gathered={lead} isLead onDiscard={setDiscarded} />
        )}
      </div>
      {discarded !== null && <DiscardDialog gathered={discarded} onClose={() => setDiscarded(null)} />}
    </section>
  );
}

interface ZoneProps {
  readonly gathered: Gathered;
  /** Whether it stands alone, so that its buttons need no zone in their names. */
  readonly isLead: boolean;
  readonly onDiscard: (gathered: Gathered) => void;
}

function ZoneChanges({ gathered, isLead, onDiscard }: ZoneProps) {
  const { place, count, origin } = gathered;
  const { review, turnTo } = useReview();
  const name = nameOf(gathered);
  const label = (button: string): string => (isLead ? button : words.pending.of(button, name));
  return (
    <>
      <span className="pending-zone">
        <strong>{words.pending.count(count)}</strong> {words.pending.inZone}{' '}
        {origin === null ? (
          <ShownText text={name} />
        ) : (
          <Link href={zoneAddress(name, 'records')} onClick={() => turnTo(origin)}>
            <ShownText text={name} longest={300} />
          </Link>
        )}{' '}
        {!isHere(origin) && typeof origin?.tenant === 'string' && (
          <span className="pending-tenant">
            <ShownText text={words.pending.tenant(origin.tenant)} longest={100} />
          </span>
        )}{' '}
        {isUnkept(place) && words.pending.notKept}
      </span>
      <span className="buttons">
        <button type="button" aria-label={label(words.pending.discard)} onClick={() => onDiscard(gathered)}>
          {isLead ? words.pending.discard : words.pending.discardButton}
        </button>
        {origin !== null && (
          <button
            type="button"
            className={isLead ? 'primary' : undefined}
            aria-label={label(words.pending.review)}
            onClick={() => review(place, origin)}
          >
            {isLead ? words.pending.review : words.pending.reviewShort}
          </button>
        )}
      </span>
    </>
  );
}

interface DiscardProps {
  readonly gathered: Gathered;
  readonly onClose: () => void;
}

function DiscardDialog({ gathered, onClose }: DiscardProps) {
  const status = useStatus();
  const discard = (): void => {
    onClose();
    changePending(gathered.place, () => NOTHING_PENDING);
    rescueFocus();
    status.show({ content: words.pending.discarded });
  };
  return (
    <DialogFrame title={words.pending.discard} onClose={onClose}>
      <p>
        <ShownText text={words.pending.discardQuestion(gathered.count, nameOf(gathered))} />
      </p>
      <div className="buttons">
        <button type="button" onClick={onClose}>
          {words.common.cancel}
        </button>
        <button type="button" className="danger" onClick={discard}>
          {words.pending.discardButton}
        </button>
      </div>
    </DialogFrame>
  );
}
