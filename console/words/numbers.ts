export const number = new Intl.NumberFormat('en');
export const count = (n: number, one: string, many: string): string => `${number.format(n)} ${n === 1 ? one : many}`;
export const records = (n: number): string => count(n, 'record', 'records');
export const changes = (n: number): string => count(n, 'change', 'changes');

/** `5 min`, `1 h 30 min`, `7 days`; seconds where it takes more than two parts. Readable by `secondsIn`. */
export function duration(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  const [hours, minutes] = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  const parts = [
    ...(days > 0 ? [`${days} ${days === 1 ? 'day' : 'days'}`] : []),
    ...(hours > 0 ? [`${hours} h`] : []),
    ...(minutes > 0 ? [`${minutes} min`] : []),
    ...(seconds % 60 > 0 ? [`${seconds % 60} s`] : []),
  ];
  return parts.length === 1 || parts.length === 2 ? parts.join(' ') : `${seconds} s`;
}
