import { type AwaitedDs, isAsAwaited } from './awaited-ds.js';
import { agreedDs, type ParentObservation, type ServerObservation } from './parent-observation.js';

/** How far the parent zone is with what is waited for: what stands behind the colon in `waits_for`. `null`: nobody has looked. */
export function parentStatusText(zoneName: string, awaited: AwaitedDs, sight: ParentObservation | null): string | null {
  if (sight === null) return null;
  const { zone, servers, problem } = sight;
  if (problem !== null) return problem;
  const have = servers.filter(({ ds }) => ds !== null && isAsAwaited(zoneName, ds, awaited)).length;
  const count = `${have} of ${servers.length} name servers of ${zone ?? 'the parent zone'} ${have === 1 ? 'has' : 'have'}`;
  const wanted = awaited.of.length === 0 ? 'none' : 'it';
  const said = [`${count} ${wanted}`, firstError(servers), whatResolverLacks(zoneName, awaited, sight)];
  return said.filter((one) => one !== null).join('; ');
}

function firstError(servers: readonly ServerObservation[]): string | null {
  const failed = servers.find(({ error }) => error !== null);
  return failed === undefined ? null : `${failed.name}: ${failed.error ?? ''}`;
}

/** It is told of only when it is all that is missing. */
function whatResolverLacks(zoneName: string, awaited: AwaitedDs, sight: ParentObservation): string | null {
  const agreed = agreedDs(sight);
  if (sight.resolver === null || agreed === null || !isAsAwaited(zoneName, agreed, awaited)) return null;
  const { verdict, ds } = sight.resolver;
  if (verdict === 'bogus') return 'the resolver finds its answer bogus';
  if (verdict === 'silent') return 'the resolver does not answer';
  return ds !== null && isAsAwaited(zoneName, ds, awaited) ? null : 'the resolver has what was there before';
}
