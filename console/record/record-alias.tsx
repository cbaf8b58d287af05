import { useQuery } from '@tanstack/react-query';
import { ask } from '../api/client.js';
import { Refusal } from '../api/errors.js';
import type { Aliases, StoredRecord } from '../api/types.js';
import { Fact, TimeFact } from '../parts/server-card.js';
import { ShownText } from '../parts/shown-text.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';

/** In milliseconds. */
const LOOK_AGAIN = 10_000;

/** What the target of an ALIAS resolves to. */
export function RecordAlias({ record: { name } }: { readonly record: Pick<StoredRecord, 'name'> }) {
  const { zone, etag } = useOpenZone();
  const { data, error } = useQuery({
    queryKey: ['alias', zone.id, name, etag],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ name }).toString();
      return (await ask<Aliases>(`/v1/domains/${zone.id}/aliases?${query}`, { signal })).body.aliases[0] ?? null;
    },
    retry: false,
    placeholderData: (before) => before,
    refetchInterval: LOOK_AGAIN,
  });
  // Only the owner of a shared zone sees it.
  if (error instanceof Refusal && error.status === 404) return null;
  if (error !== null) return <Trouble error={error} />;
  if (data === undefined || data === null) return null;
  const { state, problem, addresses, resolved_at: resolved } = data;
  return (
    <section aria-labelledby="alias">
      <h3 id="alias">{words.alias.heading}</h3>
      <dl className="facts">
        <Fact label={words.alias.state}>{words.alias.states[state]}</Fact>
        {problem !== null && (
          <Fact label={words.alias.problem}>
            <ShownText text={problem} />
          </Fact>
        )}
        <Fact label={words.alias.addresses}>
          {addresses.length === 0 ? words.alias.none : <ShownText text={addresses.join(', ')} longest={Infinity} />}
        </Fact>
        {resolved !== null && <TimeFact label={words.alias.resolved} at={resolved} />}
      </dl>
    </section>
  );
}
