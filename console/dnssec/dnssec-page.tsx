import { useQuery } from '@tanstack/react-query';
import { ask } from '../api/client.js';
import { isGone, Refusal } from '../api/errors.js';
import type { Dnssec } from '../api/types.js';
import { useTitle } from '../frame/title.js';
import { Empty } from '../parts/empty.js';
import { ExactMoment } from '../parts/moment.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { useIsSignedIn } from '../session/session.js';
import { words } from '../words/index.js';
import { zoneAddress } from '../zones/zone-address.js';
import { usePermitted } from '../zones/use-permitted.js';
import { useOpenZone } from '../zones/zone-context.js';
import { Denial } from './denial.js';
import { DelegationSigners } from './delegation-signers.js';
import { Keys } from './keys.js';
import { type Awaited, ParentForm, SeenParent } from './parent-form.js';
import { RolloverSteps } from './rollover-steps.js';
import { SignForm } from './sign-form.js';
import { SigningSteps } from './signing-steps.js';
import { StopSigning } from './stop-signing.js';
import { useDnssecAction } from './use-dnssec-action.js';

/** Polling intervals in milliseconds. */
const LOOK_AGAIN = { waiting: 3_000, settled: 30_000 };

/** The signing state of the zone, the records for its parent zone, and the possible actions. */
export function DnssecPage() {
  const { zone } = useOpenZone();
  useTitle(`${words.dnssec.heading} – ${zone.name}`);
  const isSignedIn = useIsSignedIn();
  const { data, error, failureReason, refetch } = useQuery({
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
      {isOff(trouble) && (
        <Empty
          icon="signed"
          actions={[
            { label: words.states.go.records, to: zoneAddress(zone.name, 'records') },
            { label: words.states.go.health, to: zoneAddress(zone.name, 'health') },
          ]}
        >
          {words.dnssec.off}
        </Empty>
      )}
      {trouble !== null && !isOff(trouble) && <Trouble isRetried error={trouble} onRetry={() => void refetch()} />}
      {data === undefined && trouble === null && <Skeleton rows={4} columns={[1, 3]} />}
      {data !== undefined && <Shown dnssec={data} />}
    </section>
  );
}

/** The path is there where the service signs. */
const isOff = (error: unknown): boolean => error instanceof Refusal && error.status === 404 && !isGone(error);
const isWaiting = (dnssec: Dnssec | undefined): boolean => typeof dnssec?.waits_for === 'string';

function Shown({ dnssec }: { readonly dnssec: Dnssec }) {
  // Scoped tokens have no part in it, as they make no zones.
  const mayEdit = usePermitted().makeZones;
  if (!dnssec.enabled)
    return (
      <SigningSteps dnssec={dnssec}>
        <p className="prose">{words.dnssec.insecure}</p>
        {mayEdit ? <SignForm /> : <p className="hint">{words.dnssec.notPermitted}</p>}
      </SigningSteps>
    );
  const { state, rollover, waits_for: waitsFor } = dnssec;
  const awaited = awaitedIn(dnssec);
  const form = mayEdit && awaited !== null && <ParentForm key={awaited} awaited={awaited} parent={dnssec.parent} />;
  return (
    <>
      {state === 'halted' && (
        <p role="alert" className="trouble">
          <ShownText text={words.dnssec.halted(waitsFor ?? '')} />
        </p>
      )}
      <SigningSteps dnssec={dnssec}>{form}</SigningSteps>
      {rollover !== null && (
        <>
          <RolloverSteps dnssec={dnssec} rollover={rollover} mayEdit={mayEdit} />
          {state !== 'ready' && form}
        </>
      )}
      {(state === 'secure' || state === 'halted') && <ParentRecords dnssec={dnssec} isAwaited={awaited !== null} />}
      <p className="prose">{words.dnssec.cds[state]}</p>
      <Keys dnssec={dnssec} mayEdit={mayEdit} />
      <Denial dnssec={dnssec} mayEdit={mayEdit} />
      <Signatures dnssec={dnssec} mayEdit={mayEdit} />
      {mayEdit && (state === 'leaving' ? <KeepSigning /> : <StopSigning state={state} />)}
      {!mayEdit && <p className="hint">{words.dnssec.notPermitted}</p>}
    </>
  );
}

/** The parent state that the user has to confirm next. */
function awaitedIn({ state, rollover, waits_on: event }: Dnssec): Awaited | null {
  if (state === 'leaving') return event === 'parent' ? 'removed' : null;
  const isNewKey = rollover !== null && rollover.key !== 'zsk' && rollover.step === 'swap';
  if (state === 'secure' && isNewKey) return 'replaced';
  return state === 'ready' ? 'published' : null;
}

interface ParentRecordsProps {
  readonly dnssec: Dnssec;
  /** Whether the DS is to be replaced. */
  readonly isAwaited: boolean;
}

/** The DS records of a zone whose parent zone has one. */
function ParentRecords({ dnssec, isAwaited }: ParentRecordsProps) {
  const advice = dnssec.state === 'halted' ? 'leave' : isAwaited ? 'replace' : 'secure';
  return (
    <>
      <h3>{words.dnssec.ds}</h3>
      <p className="prose">{words.dnssec.dsAdvice[advice]}</p>
      <DelegationSigners dnssec={dnssec} />
      {dnssec.parent !== null && !isAwaited && <SeenParent parent={dnssec.parent} />}
    </>
  );
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
          {words.dnssec.renewal} <ExactMoment at={renewal} />
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
  insecure: 'unsigned',
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
