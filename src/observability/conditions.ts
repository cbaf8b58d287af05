/** Of one kind: the names of what does not work, while the service does. */
type Troubled = () => readonly string[];

const sources = new Map<string, Troubled>();

/**
 * Has shown, where somebody asks whether the service is ready, what does not work although requests are served.
 * @param kind as the answer names it: `failing_listeners`
 * @returns what ends that
 */
export function showConditions(kind: string, troubled: Troubled): () => void {
  sources.set(kind, troubled);
  return () => {
    if (sources.get(kind) === troubled) sources.delete(kind);
  };
}

/** The names of what does not work, by their kind; nothing of what does. */
export function currentConditions(): Readonly<Record<string, readonly string[]>> {
  const all = [...sources].map(([kind, troubled]) => [kind, troubled()] as const);
  return Object.fromEntries(all.filter(([, names]) => names.length > 0));
}
