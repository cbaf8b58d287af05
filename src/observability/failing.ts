/** Of one kind: the names of what does not work, while the service does. */
type Failing = () => readonly string[];

const sources = new Map<string, Failing>();

/**
 * Has shown, where somebody asks whether the service is ready, what does not work although requests are served.
 * @param kind as the answer names it: `failing_listeners`
 * @returns what ends that
 */
export function showFailing(kind: string, failing: Failing): () => void {
  sources.set(kind, failing);
  return () => {
    if (sources.get(kind) === failing) sources.delete(kind);
  };
}

/** The names of what does not work, by their kind; nothing of what does. */
export function currentlyFailing(): Readonly<Record<string, readonly string[]>> {
  const all = [...sources].map(([kind, failing]) => [kind, failing()] as const);
  return Object.fromEntries(all.filter(([, names]) => names.length > 0));
}
