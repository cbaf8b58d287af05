import { actorOf } from '../changes/plan-requests.js';
import { words } from '../words/index.js';

export type Actor = Parameters<typeof actorOf>[0];

/** The name of an author, with the tenant where it is another one than expected. */
export function authorName(actor: Actor, tenant: string | null | undefined): string {
  const name = actorOf(actor) || words.history.service;
  const isForeign = actor !== null && tenant !== null && tenant !== undefined && actor.tenant_id !== tenant;
  return isForeign && name !== actor.tenant_id ? words.history.ofTenant(name, actor.tenant_id) : name;
}

const WORD = /[\p{L}\p{N}]+/gu;

/** `Anna Lindqvist` is AL, `deploy` is D. Decoration: the name stands next to it. */
export function initialsOf(name: string): string {
  const [first, ...others] = name.match(WORD) ?? [];
  return [first, others.at(-1)].map((word) => [...(word ?? '')].slice(0, 1).join('').toUpperCase()).join('');
}
