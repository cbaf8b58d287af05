/** Classes of records and questions (RFC 1035 §3.2.4, RFC 2136 §2.4). */
export const RecordClass = { IN: 1, CH: 3, NONE: 254, ANY: 255 } as const;

/** Types of questions, and of records that belong to a message instead of a zone (RFC 6895 §3.1). */
export const MetaType = { OPT: 41, TSIG: 250, IXFR: 251, AXFR: 252, ANY: 255 } as const;
