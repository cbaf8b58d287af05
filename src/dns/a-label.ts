import tr46 from 'tr46';

/** The ASCII form of a name with international labels (UTS 46), null where it has none. Its time grows fast with the text. */
export function toALabels(name: string): string | null {
  return tr46.toASCII(name, { checkBidi: true, checkJoiners: true });
}

/** Whether a label that begins with `xn--` decodes to a label that it may stand for (UTS 46). */
export function isALabel(label: string): boolean {
  return !tr46.toUnicode(label, { checkBidi: true, checkJoiners: true }).error;
}
