import { useQuery } from '@tanstack/react-query';
import { ask } from '../api/client.js';
import type { Template, TemplateList } from '../api/types.js';
import { useIsSignedIn } from '../session/session.js';
import type { TemplateRecord } from './templates.js';

type StoredRecord = Template['records'][number];

/** Templates of the service, by their names. */
export function useStoredTemplates() {
  const isSignedIn = useIsSignedIn();
  return useQuery({
    queryKey: ['templates'],
    queryFn: async ({ signal }) => {
      const { templates } = (await ask<TemplateList>('/v1/templates', { signal })).body;
      return templates.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    },
    staleTime: 0,
    enabled: isSignedIn,
  });
}

/** Built-in templates that the console has too, with fields for values of the provider. */
const OF_CONSOLE = ['parked', 'no-mail', 'google-workspace', 'microsoft-365', 'fastmail'];

export const isOfConsole = ({ name, built_in }: Template): boolean => built_in && OF_CONSOLE.includes(name);

/** The records of a template in a zone (rule 28.1). */
export function recordsIn({ records }: Template, zone: string): TemplateRecord[] {
  const bare = zone.slice(0, -1);
  const fill = (text: string): string => text.replaceAll('{zone}', () => bare);
  const absolute = (name: string): string => {
    if (name === '@') return zone;
    if (name.endsWith('.')) return `${fill(name).replace(/\.+$/, '')}.`;
    return zone === '.' ? `${fill(name)}.` : `${fill(name)}.${zone}`;
  };
  return records.map(({ name, type, data, ttl = null, priority = null }) => {
    return { name: absolute(name), type, data: fill(data), ttl, priority };
  });
}

/** `@ 300 MX 10 mail.{zone}.` */
export function lineOf({ name, ttl = null, type, priority = null, data }: StoredRecord): string {
  return [name, ttl, type, priority, data].filter((part) => part !== null).join(' ');
}

const LINE = /^(\S+)\s+(?:(\d+)\s+)?([A-Z][A-Z0-9-]*)\s+(\S.*)$/;
/** Their data begin with it. */
const WITH_PRIORITY = ['MX', 'SRV'];

/** @returns `null` for a line that is no record */
export function recordIn(line: string): StoredRecord | null {
  const [, name = '', ttl, type = '', rest = ''] = LINE.exec(line.trim()) ?? [];
  if (name === '') return null;
  const [, priority, data = rest] = WITH_PRIORITY.includes(type) ? (/^(\d+)\s+(\S.*)$/.exec(rest) ?? []) : [];
  return {
    ...{ name, type, data },
    ...(ttl !== undefined && { ttl: Number(ttl) }),
    ...(priority !== undefined && { priority: Number(priority) }),
  };
}
