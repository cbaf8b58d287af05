/** How zones are called in paths: their names, with `=XX` for octets other than letters, digits, `.` and `-`. */

const PLAIN = /[^a-z0-9.-]/g;
const ESCAPE = /=([0-9a-f]{2})/gi;

/** @param name absolute */
export function zoneIdOf(name: string): string {
  if (name === '.') return '=2E';
  return name.toLowerCase().replace(PLAIN, (character) => {
    const octets = [...Buffer.from(character)];
    return octets.map((octet) => `=${octet.toString(16).toUpperCase().padStart(2, '0')}`).join('');
  });
}

/** The name that a part of a path stands for, with its last dot. What stands for none is the name of no zone. */
export function zoneNameOf(id: string): string {
  const name = id.replace(ESCAPE, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
  return name.endsWith('.') ? name : `${name}.`;
}

/** Where a zone is found. */
export function zoneUrlOf(name: string): string {
  return urlOfId(zoneIdOf(name));
}

export function urlOfId(id: string): string {
  return `/api/v1/servers/localhost/zones/${id}`;
}
