import { useWhoami } from '../api/queries.js';
import { useTitle } from '../frame/title.js';
import { Readable } from '../parts/readable.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { useActsForAll } from '../session/acting.js';
import { permittedTo } from '../session/permitted.js';
import { moveIn } from '../words/move-in.js';
import { words } from '../words/index.js';
import './move-in.css';
import { MoveStart } from './move-start.js';
import { MoveSteps } from './move-steps.js';
import { stepIn } from './move.js';

interface Props {
  /** `null`: the start, where the domain is entered. */
  readonly domain: string | null;
  /** The URL segment after the domain. */
  readonly step: string;
}

/** The wizard that moves a domain in from other name servers. */
export default function MoveInPage({ domain, step }: Props) {
  useTitle(words.moves.heading);
  const { data: whoami } = useWhoami();
  // A new zone belongs to one tenant.
  const isForAll = useActsForAll();
  if (whoami === undefined) return <Skeleton rows={6} />;
  const isPermitted = permittedTo(whoami).makeZones && !isForAll;
  const tenant = whoami.tenant_id ?? '';
  return (
    <>
      <h1>{domain === null ? words.moves.heading : <ShownText text={moveIn.headingOf(domain)} longest={300} />}</h1>
      {domain !== null && <Readable name={domain} />}
      {!isPermitted && <p className="empty">{isForAll ? moveIn.forAll : moveIn.notPermitted}</p>}
      {isPermitted && domain === null && <MoveStart tenant={tenant} />}
      {isPermitted && domain !== null && <MoveSteps key={domain} tenant={tenant} domain={domain} step={stepIn(step)} />}
    </>
  );
}
