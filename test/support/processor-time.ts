/** Milliseconds of the processor that this process has had: other work on the machine does not make them more. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
