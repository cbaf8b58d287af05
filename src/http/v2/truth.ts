const TRUE = /^\s*(?:true|1|yes|on|t|y)\s*$/i;

/** Whether a header or parameter says yes. Clients of version 2 write it in several ways; whatever is no yes is a no. */
export function saysYes(text: string | undefined): boolean {
  return text !== undefined && TRUE.test(text);
}
