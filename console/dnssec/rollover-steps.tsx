import type { Dnssec } from '../api/types.js';
import { Moment } from '../parts/moment.js';
import { ShownText } from '../parts/shown-text.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { useDnssecAction } from './use-dnssec-action.js';

const STEPS = ['publish', 'swap', 'remove'] as const;

interface Props {
  readonly rollover: NonNullable<Dnssec['rollover']>;
  readonly waitsFor: string | null;
  readonly mayEdit: boolean;
}

/** How far a rollover has come, and what it waits for. */
export function RolloverSteps({ rollover, waitsFor, mayEdit }: Props) {
  const { act, fault } = useDnssecAction();
  const heading = words.dnssec.rollover(rollover.key.toUpperCase());
  const stop = () => act(`/rollovers/${rollover.id}`, { method: 'DELETE' }, words.dnssec.rolloverStopped);
  return (
    <>
      <h3 id="rollover">{heading}</h3>
      {fault !== null && <Trouble error={fault} />}
      <ol className="steps" aria-labelledby="rollover">
        {STEPS.map((step) => (
          <li key={step} {...(step === rollover.step && { 'aria-current': 'step' as const })}>
            {words.dnssec.steps[step]}
            {step === rollover.step && (
              <p>
                {words.dnssec.since} <Moment at={rollover.since} />
                {waitsFor !== null && (
                  <>
                    <br />
                    <ShownText text={words.dnssec.waitsFor(waitsFor)} />
                  </>
                )}
              </p>
            )}
          </li>
        ))}
      </ol>
      {mayEdit && rollover.step === 'publish' && (
        <button type="button" onClick={() => void stop()}>
          {words.dnssec.stopRollover}
        </button>
      )}
    </>
  );
}
