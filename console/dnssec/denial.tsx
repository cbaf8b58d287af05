import { useState } from 'react';
import type { Dnssec } from '../api/types.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { useDnssecAction } from './use-dnssec-action.js';

const OTHER = { nsec: 'nsec3', nsec3: 'nsec' } as const;

/** How a zone proves that a name is not there, and the way to the other chain. */
export function Denial({ dnssec: { denial, state }, mayEdit }: { readonly dnssec: Dnssec; readonly mayEdit: boolean }) {
  const [isAsking, setAsking] = useState(false);
  const { act, fault, forget } = useDnssecAction();
  if (denial === null) return null;
  const other = OTHER[denial];
  // To ask for signatures would take back that they end; what is halted publishes nothing new.
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
      <span>{words.dnssec.provenBy(words.dnssec.denials[denial])}</span>
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
