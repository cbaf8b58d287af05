import type { ReactNode } from 'react';
import type { Dnssec } from '../api/types.js';
import { words } from '../words/index.js';
import { DelegationSigners } from './delegation-signers.js';
import { Stepper } from './stepper.js';
import { WaitText } from './wait-text.js';

interface Props {
  readonly dnssec: Dnssec;
  /** The form of the current step, if it has one. */
  readonly children: ReactNode;
}

/** The way of a zone to a DS in its parent zone, or the way back. */
export function SigningSteps({ dnssec, children }: Props) {
  const { way, wayOf } = words.dnssec;
  const { state } = dnssec;
  // A halted zone does not say which step it was in.
  if (state === 'halted') return null;
  if (state === 'leaving') {
    const isWaiting = dnssec.waits_on !== 'parent';
    return (
      <Stepper label={way.leave} titles={Object.values(wayOf.leave)} current={isWaiting ? 1 : 0}>
        {!isWaiting && <p className="prose">{words.dnssec.dsAdvice.remove}</p>}
        <WaitText dnssec={dnssec} way="leave" />
        {children}
      </Stepper>
    );
  }
  return (
    <Stepper label={way.sign} titles={Object.values(wayOf.sign)} current={POSITIONS[state]}>
      {dnssec.rollover === null && <WaitText dnssec={dnssec} way="sign" />}
      {state === 'ready' && (
        <>
          <p className="prose">{words.dnssec.dsAdvice.ready}</p>
          <DelegationSigners dnssec={dnssec} />
        </>
      )}
      {children}
    </Stepper>
  );
}

/** All steps are done in a secure zone. */
const POSITIONS = { insecure: 0, signing: 0, proving: 1, ready: 2, secure: 4 } as const;
