import type { Dnssec } from '../api/types.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';
import { CopyList } from './copy-list.js';

/** The DS records of the zone, and their keys as DNSKEY, by the fields that registrars ask for. */
export function DelegationSigners({ dnssec: { ds, keys } }: { readonly dnssec: Dnssec }) {
  const { zone } = useOpenZone();
  const { digestTypes, dsFields, dnskeyFields, numbered } = words.dnssec;
  const signers = ds.map(readDs);
  const signing = keys.filter(({ tag }) => signers.some((signer) => signer.tag === String(tag)));
  const nameOf = (tag: string): string | null => signing.find((key) => String(key.tag) === tag)?.algorithm ?? null;
  return (
    <>
      {signers.map(({ data, tag, algorithm, digestType, digest }) => {
        const name = words.dnssec.dsOf(tag, digestTypes[digestType] ?? digestType);
        return (
          <section key={data}>
            <h4>{name}</h4>
            <CopyList
              of={name}
              fields={[
                { label: dsFields.tag, value: tag },
                { label: dsFields.algorithm, value: algorithm, shown: numbered(algorithm, nameOf(tag)) },
                {
                  label: dsFields.digestType,
                  value: digestType,
                  shown: numbered(digestType, digestTypes[digestType] ?? null),
                },
                { label: dsFields.digest, value: digest },
                { label: dsFields.record, value: `${zone.name} IN DS ${data}` },
              ]}
            />
          </section>
        );
      })}
      {signing.length > 0 && (
        <details>
          <summary>{words.dnssec.dnskeyAdvice}</summary>
          {signing.map(({ id, tag, algorithm: algorithmName, dnskey }) => {
            const { flags, protocol, algorithm, publicKey } = readDnskey(dnskey);
            const name = words.dnssec.dnskeyOf(tag);
            return (
              <section key={id}>
                <h4>{name}</h4>
                <CopyList
                  of={name}
                  fields={[
                    { label: dnskeyFields.flags, value: flags, shown: words.dnssec.flags(flags) },
                    { label: dnskeyFields.protocol, value: protocol, shown: words.dnssec.protocol(protocol) },
                    { label: dnskeyFields.algorithm, value: algorithm, shown: numbered(algorithm, algorithmName) },
                    { label: dnskeyFields.publicKey, value: publicKey },
                    { label: dnskeyFields.record, value: `${zone.name} IN DNSKEY ${dnskey}` },
                  ]}
                />
              </section>
            );
          })}
        </details>
      )}
    </>
  );
}

function readDs(data: string) {
  const [tag = '', algorithm = '', digestType = '', digest = ''] = data.split(' ');
  return { data, tag, algorithm, digestType, digest };
}

function readDnskey(data: string) {
  const [flags = '', protocol = '', algorithm = '', ...publicKey] = data.split(' ');
  return { flags, protocol, algorithm, publicKey: publicKey.join('') };
}
