/**
 * SQLite stores the records of a zone under the id of the zone, or under that of its last large change (storage 18.14).
 * These marks translate between both ids in each statement, so that it sees one snapshot. PostgreSQL needs no other id.
 */
const CONTENTS = '/*contents*/';
const ZONE = '/*zone*/';
const MARKED = /(@\w+|\?|[\w."]+)\/\*(contents|zone)\*\//g;

/** SQL for the id under which the records of a zone are stored. @param zoneId a parameter or a column */
export const contentsOf = (zoneId: string): string => zoneId + CONTENTS;

/** SQL for the zone of a stored record or set. @param contentsId a column */
export const zoneOf = (contentsId: string): string => contentsId + ZONE;

/** The condition for records and record sets of one zone. */
export const IN_ZONE = `zone_id = ${contentsOf('?')}`;

export function expandContents(sql: string): string {
  if (!sql.includes(CONTENTS) && !sql.includes(ZONE)) return sql;
  return sql.replaceAll(MARKED, (_, id: string, kind: string) => {
    const [wanted, known] = kind === 'zone' ? ['zone', 'contents'] : ['contents', 'zone'];
    const isColumn = !id.startsWith('?') && !id.startsWith('@');
    return isColumn
      ? `COALESCE((SELECT moved.${wanted} FROM moved_contents moved WHERE moved.${known} = ${id}), ${id})`
      : // Names the parameter once.
        `(SELECT COALESCE(moved.${wanted}, given.id) FROM (SELECT ${id} AS id) given` +
          ` LEFT JOIN moved_contents moved ON moved.${known} = given.id)`;
  });
}
