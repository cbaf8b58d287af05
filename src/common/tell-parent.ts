/** Ignores a closed channel: a worker ends with its parent. */
export function tellParent(message: object): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}
