import { words } from '../words/index.js';

/** The screens that the main navigation leads to. */
export const AREAS = [
  { at: '/zones', name: words.areas.zones, icon: 'zones' },
  { at: '/changes', name: words.areas.changes, icon: 'changes' },
  { at: '/name-servers', name: words.areas.nameServers, icon: 'servers' },
  { at: '/tokens', name: words.areas.tokens, icon: 'tokens' },
  { at: '/webhooks', name: words.areas.webhooks, icon: 'webhooks' },
  { at: '/quotas', name: words.areas.quotas, icon: 'quotas' },
  { at: '/audit', name: words.areas.audit, icon: 'audit' },
] as const;

/** Others that have an address of their own. */
export const FURTHER_AREAS = [
  { at: '/search', name: words.areas.search, icon: 'search' },
  { at: '/move-in', name: words.areas.moves, icon: 'import' },
  { at: '/templates', name: words.areas.templates, icon: 'template' },
  { at: '/deleted-zones', name: words.areas.deleted, icon: 'deleted' },
] as const;
