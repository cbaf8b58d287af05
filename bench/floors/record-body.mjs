/** Validates the request body of all floors by hand; floors exclude the DNS rules of the service. */
export function isRecordBody(body) {
  if (typeof body !== 'object' || body === null) return false;
  const { name, type, data, priority, ttl, description } = body;
  return (
    isText(name, 255) &&
    isText(type, 16) &&
    isText(data, 65_535) &&
    isWithin(priority, 0, 65_535) &&
    isWithin(ttl, 1, 2_147_483_647) &&
    (description === undefined || description === null || isText(description, 160))
  );
}

/** The ten fields of an answer. */
export function recordAnswer(body) {
  const { name, type, data, priority = null, ttl = null, description = null } = body;
  return { ...IDENTITY, name, type, data, priority, ttl, description };
}

const IDENTITY = {
  id: '019aa5f4-9c1e-7b3a-8000-3f0c1f1a2b4d',
  created_at: '2026-11-20T08:30:00.123456',
  updated_at: null,
  domain_id: '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4',
};

function isText(value, length) {
  return typeof value === 'string' && value.length > 0 && value.length <= length;
}

function isWithin(value, least, most) {
  return value === undefined || value === null || (Number.isInteger(value) && value >= least && value <= most);
}
