/**
 * Programs against generated clients, by version and generator. What is to be refused stands behind `@ts-expect-error`, which
 * the compiler complains of where it is not.
 */
export const PROGRAMS: Readonly<Record<'v1' | 'v2', Readonly<Record<string, string>>>> = {
  v1: {
    'openapi-typescript': `
      import type { components, operations } from './client';
      type Schemas = components['schemas'];
      // A field with a default may be left out of a request.
      export const webhook: Schemas['CreateWebhookDto'] = { url: 'https://hooks.example.org/' };
      export const query: operations['changeRecords']['parameters']['query'] = { dry_run: true };
      // @ts-expect-error a boolean is no text
      export const text: operations['importZone']['parameters']['query'] = { dry_run: 'true' };
      // All errors of an operation are of one type.
      type Answers = operations['createDomain']['responses'];
      type Refusal = Answers[Exclude<keyof Answers, 200>]['content'];
      export const words = (refusal: Refusal[keyof Refusal]): string => refusal.message;
      export const type: Schemas['ErrorDto']['type'] = 'domain_not_found';
      // @ts-expect-error no error has this type
      export const none: Schemas['ErrorDto']['type'] = 'zone_not_found';
      export const action: Schemas['HistoryEntryDto']['action'] = 'domain.transfer';
      export const told: Schemas['CloudEventDto']['type'] = 'zonewright.domain.transferred';
      export const wait = (answer: Answers[429]): number | undefined => answer.headers['Retry-After'];
      export const replayed = (answer: Answers[200]): string | undefined => answer.headers['Idempotent-Replayed'];
      export const rate = (answer: Answers[200]): string | undefined => answer.headers['RateLimit'];
    `,
    'swagger-typescript-api': `
      import { Api, type CloudEventDto, type ErrorDto } from './client';
      const api = new Api({ baseUrl: 'http://127.0.0.1:9001' });
      export async function work(): Promise<string> {
        const { data: domain } = await api.v1.createDomain({ name: 'example.org.', email: 'hostmaster@example.org' });
        const { data: found } = await api.v1.listDomains({ name: domain.name, limit: 1 });
        await api.v1.createRecord(domain.id, { name: domain.name, type: 'MX', data: 'mail.example.org.', priority: 10 });
        const changes = [{ action: 'delete' as const, id: domain.id }];
        const { data: done, error } = await api.v1.changeRecords(domain.id, { changes }, { dry_run: true });
        await api.v1.createWebhook({ url: 'https://hooks.example.org/' });
        await api.v1.listServers(domain.id);
        const said: ErrorDto = error;
        return said.message + done.serial + found.domains.length;
      }
      export const told = ({ data }: CloudEventDto): string => data.domain.name;
    `,
    '@hey-api/openapi-ts': `
      import { changeRecords, createDomain, createWebhook, importZone, listDomains, streamEvents } from './client';
      import { createClient, createConfig } from './client/client';
      import type { CloudEventDto, ErrorDto } from './client';
      const client = createClient(createConfig({ baseUrl: 'http://127.0.0.1:9001' }));
      export async function work(): Promise<string> {
        const body = { name: 'example.org.', email: 'hostmaster@example.org' };
        const { data, error } = await createDomain({ client, body, headers: { 'Idempotency-Key': 'k' } });
        if (data === undefined) return error.message + error.code + error.type;
        const path = { domain_id: data.id };
        const changes = { changes: [{ action: 'delete' as const, id: data.id }] };
        await changeRecords({ client, path, body: changes, query: { dry_run: true } });
        await createWebhook({ client, body: { url: 'https://hooks.example.org/' } });
        // @ts-expect-error a boolean is no text
        await importZone({ client, path, body: '', query: { dry_run: 'true' } });
        const { stream } = await streamEvents({ client });
        for await (const event of stream) tell(event);
        const list = await listDomains({ client, query: { name: 'example.org.' } });
        return list.data?.domains[0]?.name ?? list.error?.message ?? '';
      }
      const tell = ({ type, data }: CloudEventDto): string => type + data.domain.name;
      // @ts-expect-error no error has this type
      export const none: ErrorDto['type'] = 'zone_not_found';
    `,
  },
  v2: {
    'openapi-typescript': `
      import type { components, operations } from './client';
      type Schemas = components['schemas'];
      export const zone: Schemas['CreateZoneDto'] = { name: 'example.org.', email: 'hostmaster@example.org' };
      export const page: operations['listZones']['parameters']['query'] = { limit: 50, sort_dir: 'asc' };
      export const all: operations['listZones']['parameters']['query'] = { limit: 'max' };
      // @ts-expect-error a limit is a number, or max
      export const text: operations['listZones']['parameters']['query'] = { limit: '50' };
      type Answers = operations['createZone']['responses'];
      type Refusal = Answers[Exclude<keyof Answers, 202>]['content'];
      export const words = (refusal: Refusal[keyof Refusal]): string => refusal.message;
      export const type: Schemas['V2ErrorDto']['type'] = 'zone_not_found';
      // @ts-expect-error no error has this type
      export const none: Schemas['V2ErrorDto']['type'] = 'domain_not_found';
      type FloatingIp = operations['getFloatingIp']['responses'][200]['content']['application/json'];
      export const name = (ip: FloatingIp): string | null => ip.ptrdname;
      export const wait = (answer: Answers[503]): number | undefined => answer.headers['Retry-After'];
    `,
    'swagger-typescript-api': `
      import { Api, type V2ErrorDto } from './client';
      const api = new Api({ baseUrl: 'http://127.0.0.1:9001' });
      export async function work(): Promise<string> {
        const { data: zone } = await api.v2.createZone({ name: 'example.org.', email: 'hostmaster@example.org' });
        const { data: zones } = await api.v2.listZones({ limit: 50 });
        const set = { name: zone.name, type: 'A', records: ['192.0.2.1'], ttl: 0 };
        const { data: made, error } = await api.v2.createRecordSet(zone.id, set);
        await api.v2.createTld({ name: 'org' });
        await api.v2.getTsigKey(zone.id);
        const { data: ip } = await api.v2.updateFloatingIp('RegionOne:' + zone.id, { ptrdname: null });
        const said: V2ErrorDto = error;
        return said.message + made.records.length + zones.zones.length + ip.address;
      }
    `,
    '@hey-api/openapi-ts': `
      import { createRecordSet, createZone, getServiceStatus, listZones, updateFloatingIp } from './client';
      import { createClient, createConfig } from './client/client';
      const client = createClient(createConfig({ baseUrl: 'http://127.0.0.1:9001' }));
      export async function work(): Promise<string> {
        const body = { name: 'example.org.', email: 'hostmaster@example.org' };
        const { data, error } = await createZone({ client, body });
        if (data === undefined) return error.message + error.type;
        const set = { name: data.name, type: 'TXT', records: ['"text"'], ttl: 0 };
        const made = await createRecordSet({ client, path: { zone_id: data.id }, body: set });
        const list = await listZones({ client, query: { limit: 50 } });
        await listZones({ client, query: { limit: 'max', sort_key: 'name' } });
        const status = await getServiceStatus({ client, path: { service_id: data.id } });
        const ip = await updateFloatingIp({ client, path: { floatingip_id: 'r:1' }, body: { ptrdname: null } });
        const count = list.data?.zones.length ?? 0;
        return String(made.data?.ttl) + count + (status.data?.status ?? '') + (ip.error?.message ?? '');
      }
    `,
  },
};
