/** A random UUID (RFC 9562 §5.4) as an SQL expression of each database. */
export const RANDOM_UUID = {
  sqlite:
    "(lower(hex(randomblob(4))) || '-' || lower(hex(randomblob(2))) || '-4' || substr(lower(hex(randomblob(2))), 2) ||" +
    " '-' || substr('89ab', 1 + abs(random() % 4), 1) || substr(lower(hex(randomblob(2))), 2) ||" +
    " '-' || lower(hex(randomblob(6))))",
  postgres: 'gen_random_uuid()::text',
} as const;
