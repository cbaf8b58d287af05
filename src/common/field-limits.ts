/** Highest ttl in seconds (RFC 2181 §8). */
export const MAX_TTL = 2_147_483_647;

/** Longest description in characters. */
export const MAX_DESCRIPTION = 160;
