/** Highest ttl in seconds (RFC 2181 §8). */
export const MAX_TTL = 2_147_483_647;

export const MAX_DESCRIPTION = 160;

export const MAX_MESSAGE = 500;

/** Serials have unsigned 32 bits (RFC 1035 §3.3.13). */
export const MAX_SERIAL = 4_294_967_295;

/** 255 octets without the first length octet and the root (RFC 1035 §8). */
export const MAX_MAILBOX = 253;
