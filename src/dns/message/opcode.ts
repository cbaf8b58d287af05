/** The operation codes that the service knows by name (IANA, DNS OpCodes). */
export const Opcode = { QUERY: 0, NOTIFY: 4, UPDATE: 5 } as const;
