/** Users of each test Keystone, by user name. */
export const PEOPLE = {
  admin: { project: 'admin', role: 'admin' },
  /** The service's own user. */
  zonewright: { project: 'service', role: 'admin' },
  demo: { project: 'demo', role: 'member' },
  other: { project: 'other', role: 'member' },
  reader: { project: 'demo', role: 'reader' },
} as const;

export type Person = keyof typeof PEOPLE;

export const PASSWORD = 'a-password-for-tests';
export const REGION = 'regionOne';
