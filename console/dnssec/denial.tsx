import { useState } from 'react';
import type { Dnssec } from '../api/types.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { useDnssecAction } from './use-dnssec-action.js';

const OTHER = { nsec: 'nsec3', nsec3: 'nsec' } as const;

/** The denial of existence of a zone, with a switch between NSEC and NSEC3. */
export function Denial({ dnssec: { denial, state }, mayEdit }: { readonly dnssec: Dnssec; readonly mayEdit: boolean }) {
  const [isAsking, setAsking] = useState(false);
  const { act, fault, forget } = useDnssecAction();
  if (denial === null) return null;
  const other = OTHER[denial];
  // A signing request would cancel a pending unsigning; a halted zone publishes no changes.
  const maySwitch = mayEdit && state !== 'leaving' && state !== 'halted';
  const title = words.dnssec.switchTo[other];
  const close = (): void => {
    setAsking(false);
    forget();
  };
  const change = async (): Promise<void> => {
    const json = { enabled: true, denial: other };
    if (await act('', { method: 'PUT', json }, words.dnssec.switched)) close();
  };
  return (
    <div className="tools">
      <span>{words.dnssec.provenBy[denial]}</span>
      {maySwitch && (
        <button type="button" onClick={() => setAsking(true)}>
          {title}
        </button>
      )}
      {isAsking && (
        <DialogFrame title={title} onClose={close}>
          {fault !== null && <Trouble error={fault} />}
          <p>{words.dnssec.switchQuestion[other]}</p>
          <p>{words.dnssec.switchHint}</p>
          <div className="buttons">
            <button type="button" onClick={close}>
              {words.common.cancel}
            </button>
            <button type="button" className="primary" onClick={() => void change()}>
              {words.dnssec.switchButton}
            </button>
          </div>
        </DialogFrame>
      )}
    </div>
  );
}
