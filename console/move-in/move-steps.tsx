import { useEffect } from 'react';
import { useZone } from '../api/queries.js';
import { moveIn } from '../words/move-in.js';
import { CompareStep } from './compare-step.js';
import { DelegationStep } from './delegation-step.js';
import { DnssecStep } from './dnssec-step.js';
import { MoveZone } from './move-zone.js';
import { type Move, newMove, type Step, STEPS } from './move.js';
import { forgetMove, keepMove, moveOf, useMove } from './move-store.js';
import { NameServersStep } from './name-servers-step.js';
import { RecordsStep } from './records-step.js';
import { SourceForm } from './source-form.js';
import { StepsNavigation } from './steps-navigation.js';

interface Props {
  readonly tenant: string;
  readonly domain: string;
  readonly step: Step;
}

/** One move: its steps, of which the address names the open one. */
export function MoveSteps({ tenant, domain, step }: Props) {
  const kept = useMove(tenant, domain);
  const move = kept ?? newMove(domain);
  const { data: zone } = useZone(domain);
  const change = (changed: Partial<Move>): void => {
    const now = moveOf(tenant, domain) ?? newMove(domain);
    keepMove(tenant, { ...now, ...changed });
  };
  const hasZone = zone !== undefined;
  // An address without a kept move, such as after a sign-out, goes on with the zone.
  useEffect(() => {
    const now = moveOf(tenant, domain);
    if (hasZone && now?.step !== step) keepMove(tenant, { ...(now ?? newMove(domain)), step });
  }, [tenant, domain, step, hasZone]);
  const done = (): void => {
    const now = moveOf(tenant, domain) ?? newMove(domain);
    if (step === 'dnssec') return forgetMove(tenant, domain);
    change({ done: [...new Set([...now.done, step])], ...(step === 'records' && { text: '' }) });
  };
  const props = { move, onChange: change, onDone: done };
  return (
    <>
      <StepsNavigation domain={domain} current={step} done={move.done} open={hasZone ? STEPS : ['source']} />
      {step === 'source' ? (
        <section className="move-step" aria-labelledby="move-step">
          <h2 id="move-step">{moveIn.headings.source}</h2>
          <SourceForm tenant={tenant} domain={domain} />
        </section>
      ) : (
        <MoveZone domain={domain}>
          {step === 'records' && <RecordsStep {...props} />}
          {step === 'compare' && <CompareStep {...props} />}
          {step === 'name-servers' && <NameServersStep {...props} />}
          {step === 'delegation' && <DelegationStep {...props} />}
          {step === 'dnssec' && <DnssecStep {...props} />}
        </MoveZone>
      )}
    </>
  );
}
