export const number = new Intl.NumberFormat('en');
export const count = (n: number, one: string, many: string): string => `${number.format(n)} ${n === 1 ? one : many}`;
export const records = (n: number): string => count(n, 'record', 'records');
export const changes = (n: number): string => count(n, 'change', 'changes');
