/** Preloaded into a measured process: writes its resource use to descriptor 3 at exit. */
import { readFileSync, writeSync } from 'node:fs';

process.on('exit', () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  const figures = {
    peakMegabytes: Math.round(peakKilobytes() / 1024),
    cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
  };
  writeSync(3, JSON.stringify(figures));
});

/** On Linux `maxRSS` starts at the value of the parent process. */
function peakKilobytes() {
  try {
    return Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
}
