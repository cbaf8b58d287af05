/** In a worker: sends its parent a message. A parent that is gone takes its workers with it, so nothing is to be done then. */
export function tellParent(message: object): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}
