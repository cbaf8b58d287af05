/** Waits until all have settled: in transactions, a part that went on would write after the rollback. */
export async function allOf<Works extends readonly unknown[] | []>(
  works: Works,
): Promise<{ -readonly [At in keyof Works]: Awaited<Works[At]> }> {
  const all = Promise.all(works);
  await Promise.allSettled([all, ...works]);
  // Rejects with the first error: on PostgreSQL, later errors only say that the transaction is aborted.
  return all;
}
