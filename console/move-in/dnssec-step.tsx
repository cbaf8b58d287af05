import { DnssecPage } from '../dnssec/dnssec-page.js';
import { moveIn } from '../words/move-in.js';
import type { StepProps } from './move.js';
import { StepFrame } from './step-frame.js';

/** Signing the zone once it is delegated here. */
export function DnssecStep({ move, onDone }: StepProps) {
  return (
    <StepFrame domain={move.domain} step="dnssec" intro={moveIn.dnssec.intro} onDone={onDone} done={moveIn.dnssec.done}>
      <DnssecPage />
    </StepFrame>
  );
}
