import { useQuery } from '@tanstack/react-query';
import { ask } from '../api/client.js';
import { isGone, Refusal } from '../api/errors.js';
import { useWhoami } from '../api/queries.js';
import type { Dnssec } from '../api/types.js';
import { useTitle } from '../frame/title.js';
import { Moment } from '../parts/moment.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { permittedTo } from '../session/permitted.js';
import { useIsSignedIn } from '../session/session.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';
import { Denial } from './denial.js';
import { DelegationSigners } from './delegation-signers.js';
import { Keys } from './keys.js';
import { type Awaited, ParentForm } from './parent-form.js';
import { RolloverSteps } from './rollover-steps.js';
import { SignForm } from './sign-form.js';
import { StopSigning } from './stop-signing.js';
import { useDnssecAction } from './use-dnssec-action.js';

/** In milliseconds: what goes on by itself is looked at again while somebody looks. */
const LOOK_AGAIN = { waiting: 3_000, settled: 30_000 };

/** Whether the zone is signed, what its parent zone needs, and what can be done about it. */
export function DnssecPage() {
  const { zone } = useOpenZone();
  useTitle(`${words.dnssec.heading} – ${zone.name}`);
  const isSignedIn = useIsSignedIn();
  const { data, error, failureReason } = useQuery({
    queryKey: ['dnssec', zone.id],
    queryFn: async ({ signal }) => (await ask<Dnssec>(`/v1/domains/${zone.id}/dnssec`, { signal })).body,
    refetchInterval: ({ state }) => (isWaiting(state.data) ? LOOK_AGAIN.waiting : LOOK_AGAIN.settled),
    staleTime: 0,
    enabled: isSignedIn,
  });
  const trouble = error ?? failureReason;
  return (
    <section aria-labelledby="dnssec">
      <div className="heading">
        <h2 id="dnssec">
          {words.dnssec.heading} {data !== undefined && <StateBadge state={data.state} />}
        </h2>
      </div>
      {isOff(trouble) && <p className="empty">{words.dnssec.off}</p>}
      {trouble !== null && !isOff(trouble) && <Trouble isRetried error={trouble} />}
      {data === undefined && trouble === null && <Skeleton rows={4} />}
      {data !== undefined && <Shown dnssec={data} />}
    </section>
  );
}

/** The path is there where the service signs. */
const isOff = (error: unknown): boolean => error instanceof Refusal && error.status === 404 && !isGone(error);
const isWaiting = (dnssec: Dnssec | undefined): boolean => typeof dnssec?.waits_for === 'string';

function Shown({ dnssec }: { readonly dnssec: Dnssec }) {
  const { data: whoami } = useWhoami();
  // Scoped tokens have no part in it, as they make no zones.
  const mayEdit = permittedTo(whoami).makeZones;
  if (!dnssec.enabled)
    return (
      <>
        <p className="prose">{words.dnssec.insecure}</p>
        {mayEdit ? <SignForm /> : <p className="hint">{words.dnssec.notPermitted}</p>}
      </>
    );
  const { state, rollover, waits_for: waitsFor } = dnssec;
  const awaited = awaitedIn(dnssec);
  return (
    <>
      {/* While a key is rolled, its steps say it. */}
      {waitsFor !== null && (rollover === null || state === 'halted') && (
        <p className={state === 'halted' ? 'trouble' : 'notice'}>
          <ShownText text={words.dnssec.waitsFor(waitsFor)} />
        </p>
      )}
      {rollover !== null && <RolloverSteps rollover={rollover} waitsFor={waitsFor} mayEdit={mayEdit} />}
      {dnssec.ds.length > 0 && <DelegationSigners dnssec={dnssec} />}
      <p className="prose">{words.dnssec.cds[state]}</p>
      {mayEdit && awaited !== null && <ParentForm key={awaited} awaited={awaited} />}
      <Keys dnssec={dnssec} mayEdit={mayEdit} />
      <Denial dnssec={dnssec} mayEdit={mayEdit} />
      <Signatures dnssec={dnssec} mayEdit={mayEdit} />
      {mayEdit && (state === 'leaving' ? <KeepSigning /> : <StopSigning state={state} />)}
      {!mayEdit && <p className="hint">{words.dnssec.notPermitted}</p>}
    </>
  );
}

/** What the parent zone is to have next, which somebody has to say. */
function awaitedIn({ state, rollover }: Dnssec): Awaited | null {
  if (state === 'leaving') return 'removed';
  const isNewKey = rollover !== null && rollover.key !== 'zsk' && rollover.step === 'swap';
  return state === 'ready' || (state === 'secure' && isNewKey) ? 'published' : null;
}

/** Takes back that signing is to end. */
function KeepSigning() {
  const { act, fault } = useDnssecAction();
  const keep = () => act('', { method: 'PUT', json: { enabled: true } }, words.dnssec.kept);
  return (
    <>
      {fault !== null && <Trouble error={fault} />}
      <p>
        <button type="button" onClick={() => void keep()}>
          {words.dnssec.keep}
        </button>
      </p>
    </>
  );
}

interface SignaturesProps {
  readonly dnssec: Dnssec;
  readonly mayEdit: boolean;
}

function Signatures({ dnssec, mayEdit }: SignaturesProps) {
  const { act, fault } = useDnssecAction();
  const { next_renewal: renewal, published_serial: serial } = dnssec;
  return (
    <div className="tools">
      {fault !== null && <Trouble error={fault} />}
      {renewal !== null && (
        <span>
          {words.dnssec.renewal} <Moment at={renewal} />
        </span>
      )}
      {serial !== null && <span className="serial">{words.dnssec.serial(serial)}</span>}
      {mayEdit && (
        <button type="button" onClick={() => void act('/resign', { method: 'POST', json: {} }, words.dnssec.resigned)}>
          {words.dnssec.resign}
        </button>
      )}
    </div>
  );
}

const LOOKS = {
  insecure: 'unknown',
  signing: 'pending',
  proving: 'pending',
  ready: 'pending',
  secure: 'current',
  leaving: 'pending',
  halted: 'failed',
} as const;

const StateBadge = ({ state }: { readonly state: Dnssec['state'] }) => (
  <span className={`badge ${LOOKS[state]}`}>{words.dnssec.states[state]}</span>
);
