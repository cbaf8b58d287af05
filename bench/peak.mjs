/** Preloaded into a measured process: writes what it took to descriptor 3 when it ends. */
import { readFileSync, writeSync } from 'node:fs';

process.on('exit', () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const figures = {
    peakMegabytes: Math.round(peakKilobytes() / 1024),
    cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
  };
  writeSync(3, JSON.stringify(figures));
});

/** `maxRSS` begins with what the process had that has started this one, as Linux counts it. */
function peakKilobytes() {
  try {
    return Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
}
