import { useWhoami } from '../api/queries.js';
import { useSignOut } from '../frame/use-sign-out.js';
import { Blank } from '../parts/blank.js';
import { useActsForAll, useActsForSelf } from '../session/acting.js';
import { permittedTo } from '../session/permitted.js';
import { useActing } from '../tenants/use-acting.js';
import { words } from '../words/index.js';

/** In place of the list of zones of a tenant that has none. */
export function NoZones({ onNew }: { readonly onNew: () => void }) {
  const { data: whoami } = useWhoami();
  const isForSelf = useActsForSelf();
  const isForAll = useActsForAll();
  const { seeAll } = useActing();
  const { title, text, forAdmins, forReaders, forAll, noTenant } = words.blank.noZones;
  const { go } = words.states;
  const leaving = useSignOut();
  if (whoami === undefined) return null;
  const isAdmin = whoami.roles.includes('admin');
  const mayMake = permittedTo(whoami).makeZones && !isForAll;
  const reason = isForAll ? forAll : isAdmin && whoami.tenant_id === null ? noTenant : mayMake ? text : forReaders;
  return (
    <Blank
      icon="zones"
      title={title}
      className="no-zones"
      actions={[
        mayMake && { label: go.newZone, to: onNew },
        mayMake && { label: words.moves.heading, to: '/move-in' },
        reason === forReaders && { label: words.blank.noAccess.signOut, to: leaving.begin },
        isAdmin && isForSelf ? { label: go.seeAll, to: seeAll } : { label: words.deleted.link, to: '/deleted-zones' },
      ]}
    >
      <p>{reason}</p>
      {isAdmin && isForSelf && whoami.tenant_id !== null && <p>{forAdmins}</p>}
      {leaving.dialog}
    </Blank>
  );
}
