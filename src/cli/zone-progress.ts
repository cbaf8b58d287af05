/** Says how far a long command is, on standard error; standard output stays for results. */
export interface Progress {
  readonly advance: (amount: number) => void;
  readonly end: () => void;
}

/** A bar with rate and remaining time on a terminal, nothing otherwise: plain lines are the command's own. */
export async function startProgress(label: string, total: number, unit: string): Promise<Progress> {
  if (!process.stderr.isTTY) return { advance: () => undefined, end: () => undefined };
  const { default: cliProgress } = await import('cli-progress');
  const bar = new cliProgress.SingleBar({
    format: `${label} [{bar}] {percentage}% {rate} ${unit}/s, {eta_formatted} left`,
    stream: process.stderr,
    clearOnComplete: true,
    etaBuffer: 50,
  });
  const started = Date.now();
  let done = 0;
  bar.start(total, 0, { rate: 0 });
  return {
    advance: (amount) => {
      done += amount;
      bar.update(done, { rate: Math.round(done / Math.max(0.001, (Date.now() - started) / 1000)) });
    },
    end: () => bar.stop(),
  };
}
