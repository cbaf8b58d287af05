import tr46 from 'tr46';

/** UTS 46: the ASCII form of a name with international labels, or null when it has none. Call it on short text only. */
export function toALabels(name: string): string | null {
  return tr46.toASCII(name, { checkBidi: true, checkJoiners: true });
}

/** UTS 46: whether a label that begins with `xn--` decodes to something it may stand for. */
export function isALabel(label: string): boolean {
  return !tr46.toUnicode(label, { checkBidi: true, checkJoiners: true }).error;
}
