import { useWhoami } from '../api/queries.js';
import { type Actor, authorName, initialsOf } from './author-name.js';

/** Names of authors for a reader, to whom the own tenant goes without saying. */
export function useAuthorName(): (actor: Actor) => string {
  const { data: whoami } = useWhoami();
  return (actor) => authorName(actor, whoami?.tenant_id);
}

export const Avatar = ({ name }: { readonly name: string }) => (
  <span className="avatar" data-initial={initialsOf(name)} aria-hidden="true" />
);
