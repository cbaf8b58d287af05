export async function makeDomains({ call }, count) {
  const domains = [];
  for (let at = 0; at < count; at += 1) {
    const name = `listened-${at}.example.`;
    const { id } = await call('POST', '/v1/domains', { name, email: 'hostmaster@example.org' });
    domains.push({ id, name });
  }
  return domains;
}
