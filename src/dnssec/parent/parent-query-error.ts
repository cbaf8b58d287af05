/** Why the parent zone could not be looked at, in words for the owner of the zone. */
export class ParentQueryError extends Error {
  override readonly name = 'ParentQueryError';
}
