import type { Dnssec } from '../api/types.js';
import { ExactMoment } from '../parts/moment.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { useDnssecAction } from './use-dnssec-action.js';
import { WaitText } from './wait-text.js';

interface Props {
  readonly dnssec: Dnssec;
  readonly rollover: NonNullable<Dnssec['rollover']>;
  readonly mayEdit: boolean;
}

/** The progress of a rollover, and its pending condition. */
export function RolloverSteps({ dnssec, rollover, mayEdit }: Props) {
  const { act, fault } = useDnssecAction();
  const { heading, steps: own } = shapeOf(rollover);
  const steps = isPrepared(dnssec, rollover) ? { prepare: words.dnssec.prepare, ...own } : own;
  const stop = () => act(`/rollovers/${rollover.id}`, { method: 'DELETE' }, words.dnssec.rolloverStopped);
  return (
    <>
      <h3 id="rollover">{heading}</h3>
      {fault !== null && <Trouble error={fault} />}
      <ol className="steps" aria-labelledby="rollover">
        {Object.entries(steps).map(([step, label]) => (
          <li key={step} {...(step === rollover.step && { 'aria-current': 'step' as const })}>
            {label}
            {step === rollover.step && (
              <>
                <p>
                  {words.dnssec.since} <ExactMoment at={rollover.since} />
                </p>
                <WaitText dnssec={dnssec} way="rollover" />
              </>
            )}
          </li>
        ))}
      </ol>
      {mayEdit && STOPPABLE.has(rollover.step) && (
        <button type="button" onClick={() => void stop()}>
          {words.dnssec.stopRollover}
        </button>
      )}
    </>
  );
}

const STOPPABLE: ReadonlySet<string> = new Set(['prepare', 'publish', 'sign', 'withdraw']);

/** An offline KSK signs the keys of all steps first. */
function isPrepared({ offline_ksk }: Dnssec, { step }: Props['rollover']): boolean {
  return offline_ksk !== null || step === 'prepare';
}

function shapeOf({ key, algorithm, signer }: Props['rollover']) {
  if (key === 'join' || key === 'leave')
    return { heading: words.dnssec.signers[key](signer ?? ''), steps: words.dnssec.stepsOfSigner[key] };
  if (key === 'algorithm') return { heading: words.dnssec.rolloverTo(algorithm), steps: words.dnssec.stepsOfAlgorithm };
  return { heading: words.dnssec.rollover(key.toUpperCase()), steps: words.dnssec.steps };
}
