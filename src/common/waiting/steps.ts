/** Those who wait, in the order in which they came. */
const waiting: (() => void)[] = [];

/**
 * Waits between two steps of work that takes long. In each turn of the event loop one such work goes on, whichever it is:
 * requests between them then wait for one step, not for one of each list and export that is under way.
 */
export function nextStep(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(goOn);
  });
}

function goOn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(goOn);
}
