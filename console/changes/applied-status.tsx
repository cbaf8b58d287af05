import { usePublication, useWhoami } from '../api/queries.js';
import { words } from '../words/index.js';

interface Props {
  readonly zoneId: string;
  readonly size: number;
  readonly serial: number;
}

/** What was applied, and how many name servers have it by now. */
export function AppliedStatus({ zoneId, size, serial }: Props) {
  const { data: whoami } = useWhoami();
  const publishes = whoami?.service.publishes === true;
  return (
    <>
      {words.applied.done(size, serial)}
      {publishes && <Arrived zoneId={zoneId} />}
    </>
  );
}

function Arrived({ zoneId }: { readonly zoneId: string }) {
  const { data } = usePublication(zoneId, true);
  if (data === undefined || data.servers.length === 0) return null;
  const current = data.servers.filter(({ state }) => state === 'current').length;
  return <> · {data.published ? words.applied.allServers : words.applied.servers(current, data.servers.length)}</>;
}
