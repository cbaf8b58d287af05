/** Entries that stand in lines, or with blanks and commas between. */
export const entriesOf = (text: string): string[] => text.split(/[\s,]+/).filter((entry) => entry !== '');
