/** The words of pages without content: no such page, no access, no zones. */
export const englishBlank = {
  notFound: {
    text: (path: string) => `${path} does not exist. Check the address, or go on from here.`,
    search: 'Search all zones',
  },
  noAccess: {
    title: 'No access',
    remedy: 'Ask an admin for access, or sign in with another token.',
    signOut: 'Sign in with another token',
  },
  noZones: {
    title: 'No zones yet',
    text: 'A zone holds the DNS records for a domain and its subdomains. Create one, or move a domain in with its records.',
    forAdmins: 'Your own tenant has no zones. Switch tenant to see others.',
    forReaders:
      'Your sign-in cannot create zones. Ask an admin of your tenant to create one or to give you more access.',
    forAll: 'No tenant has a zone. To create one, switch to its tenant first.',
    noTenant: 'Your sign-in has no tenant of its own. Switch to a tenant, or see the zones of all of them.',
  },
};
