import { useQueryClient } from '@tanstack/react-query';
import { CheckFindings } from '../check/findings.js';
import { LiveCheck } from '../check/live-check.js';
import { useTitle } from '../frame/title.js';
import { Icon } from '../parts/icon.js';
import { Delegation } from '../publication/delegation.js';
import { PublishedServers } from '../publication/servers.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';

/** Whether the zone works: on its name servers, at its parent, and by the check of its records. */
export function HealthPage() {
  const { zone } = useOpenZone();
  useTitle(`${words.health.heading} – ${zone.name}`);
  const queries = useQueryClient();
  const checkAgain = (): void => {
    for (const view of ['publication', 'dnssec', 'check', 'last-live-check'])
      void queries.invalidateQueries({ queryKey: [view, zone.id] });
  };
  return (
    <section aria-labelledby="health" className="health">
      <div className="heading">
        <h2 id="health">{words.health.heading}</h2>
        <button type="button" className="with-icon" onClick={checkAgain}>
          <Icon name="refresh" />
          {words.health.again}
        </button>
      </div>
      <PublishedServers />
      <Delegation />
      <CheckFindings />
      <LiveCheck />
    </section>
  );
}
