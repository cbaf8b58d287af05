import { useState } from 'react';
import type { Dnssec } from '../api/types.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { ShownText } from '../parts/shown-text.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';
import { useDnssecAction } from './use-dnssec-action.js';

/** Asked first: a zone without signatures whose parent zone has a DS is not answered for. */
export function StopSigning({ state }: { readonly state: Dnssec['state'] }) {
  const { zone } = useOpenZone();
  const [isAsking, setAsking] = useState(false);
  const { act, fault } = useDnssecAction();
  const stop = async (): Promise<void> => {
    if (await act('', { method: 'PUT', json: { enabled: false } }, words.dnssec.stopped)) setAsking(false);
  };
  return (
    <p>
      <button type="button" className="danger" onClick={() => setAsking(true)}>
        {words.dnssec.stop}
      </button>
      {isAsking && (
        <DialogFrame title={words.dnssec.stop} onClose={() => setAsking(false)}>
          {fault !== null && <Trouble error={fault} />}
          <p>
            <ShownText text={words.dnssec.stopQuestion(zone.name)} />
          </p>
          <p>{state === 'signing' || state === 'proving' ? words.dnssec.endsAtOnce : words.dnssec.endsLater}</p>
          <div className="buttons">
            <button type="button" onClick={() => setAsking(false)}>
              {words.common.cancel}
            </button>
            <button type="button" className="danger" onClick={() => void stop()}>
              {words.dnssec.stop}
            </button>
          </div>
        </DialogFrame>
      )}
    </p>
  );
}
