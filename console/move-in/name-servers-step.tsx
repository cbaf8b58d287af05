import { useEffect } from 'react';
import { usePublication, useWhoami } from '../api/queries.js';
import { CopyList } from '../dnssec/copy-list.js';
import { instantOf } from '../parts/moment.js';
import { Trouble } from '../parts/trouble.js';
import { moveIn } from '../words/move-in.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';
import type { StepProps } from './move.js';
import { FormerDs, ParentWarning } from './parent-warning.js';
import { StepFrame } from './step-frame.js';
import { useParentLook } from './use-parent-look.js';

/** Of a DS without a TTL in the answer. */
const USUAL_TTL = 86_400;

const hasDs = ({ servers }: { readonly servers: readonly { readonly ds: readonly string[] | null }[] }): boolean =>
  servers.some(({ ds }) => ds !== null && ds.length > 0);

/** The name servers to set at the registrar, and the order of the change. */
export function NameServersStep({ move, onChange, onDone }: StepProps) {
  const { zone } = useOpenZone();
  const { data: whoami } = useWhoami();
  const publishes = whoami?.service.publishes !== false;
  const { data: publication } = usePublication(zone.id, publishes);
  // A DS goes while the page is open.
  const { data: look, error } = useParentLook(zone.id, hasDs);
  useEffect(() => {
    if (look === undefined || look === null || !hasDs(look)) return;
    const until = instantOf(look.seen_at).getTime() + (look.ds_ttl ?? USUAL_TTL) * 1000;
    onChange({ dsUntil: new Date(until).toISOString() });
  }, [look]);
  const servers = zone.name_servers ?? whoami?.service.name_servers ?? [];
  const { nameServers } = moveIn;
  const all = servers.map(withoutDot).join('\n');
  return (
    <StepFrame
      domain={move.domain}
      step="name-servers"
      intro={nameServers.intro}
      onDone={onDone}
      done={nameServers.done}
    >
      {error !== null && <Trouble isRetried error={error} />}
      <ParentWarning look={look} isSigned={move.isSigned} />
      {look !== undefined && !(look !== null && hasDs(look)) && <FormerDs until={move.dsUntil} />}
      <p role="status" className="notice">
        {publishes &&
          publication !== undefined &&
          !publication.published &&
          nameServers.unpublished(
            publication.servers.filter(({ state }) => state === 'current').length,
            publication.servers.length,
          )}
      </p>
      {servers.length === 0 ? (
        <p className="empty">{nameServers.none}</p>
      ) : (
        <CopyList
          of={words.moves.steps['name-servers']}
          fields={[
            ...servers.map((name, at) => ({ label: nameServers.number(at + 1), value: withoutDot(name) })),
            ...(servers.length > 1 ? [{ label: nameServers.all, value: all, shown: nameServers.allShown }] : []),
          ]}
        />
      )}
      <h3>{nameServers.order}</h3>
      <ol className="prose move-order">
        {nameServers.steps.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ol>
    </StepFrame>
  );
}

/** Registrars ask for host names. */
const withoutDot = (name: string): string => (name.length > 1 ? name.replace(/\.$/, '') : name);
