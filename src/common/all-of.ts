/**
 * As `Promise.all`, but it waits until all have ended before it says that one has failed. Parts of a transaction need that: what
 * still goes on when the transaction is rolled back would write behind its end.
 */
export async function allOf<Works extends readonly unknown[] | []>(
  works: Works,
): Promise<{ -readonly [At in keyof Works]: Awaited<Works[At]> }> {
  const all = Promise.all(works);
  await Promise.allSettled([all, ...works]);
  // It fails with what went wrong first: on PostgreSQL what follows only says that the transaction is aborted.
  return all;
}
