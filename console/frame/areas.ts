import { words } from '../words/index.js';

/** The screens that the main navigation leads to. */
export const AREAS = [
  { at: '/zones', name: words.zones.heading },
  { at: '/search', name: words.search.heading },
  { at: '/tokens', name: words.tokens.heading },
  { at: '/webhooks', name: words.webhooks.heading },
  { at: '/quotas', name: words.quotas.heading },
  { at: '/audit', name: words.audit.heading },
] as const;

/** Others that have an address of their own. */
export const FURTHER_AREAS = [
  { at: '/changes', name: words.recentChanges.heading },
  { at: '/deleted-zones', name: words.deleted.heading },
] as const;
