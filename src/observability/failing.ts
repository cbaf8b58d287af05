/** Names of failing parts of one kind, while the service works. */
type Failing = () => readonly string[];

const sources = new Map<string, Failing>();

/** Adds failing parts to the readiness answer, with a kind such as `failing_listeners`. Returns their removal. */
export function showFailing(kind: string, failing: Failing): () => void {
  sources.set(kind, failing);
  return () => {
    if (sources.get(kind) === failing) sources.delete(kind);
  };
}

/** By kind; only kinds with failing parts. */
export function currentlyFailing(): Readonly<Record<string, readonly string[]>> {
  const all = [...sources].map(([kind, failing]) => [kind, failing()] as const);
  return Object.fromEntries(all.filter(([, names]) => names.length > 0));
}
