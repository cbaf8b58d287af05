import type { Dnssec } from '../api/types.js';
import { ColumnHeads } from '../parts/column-heads.js';
import { CopyField } from '../parts/copy-field.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';

/** What the parent zone is to have: as fields, which registrars ask for, and as the lines of a zone file. */
export function DelegationSigners({ dnssec }: { readonly dnssec: Dnssec }) {
  const { zone } = useOpenZone();
  const { dsColumns: columns, digestTypes } = words.dnssec;
  const signers = dnssec.ds.map(readDs);
  return (
    <>
      <h3>{words.dnssec.ds}</h3>
      <p className={mayBeSet(dnssec) ? 'prose' : 'notice'}>{words.dnssec.dsAdvice[adviceOf(dnssec)]}</p>
      <table className="list" aria-label={words.dnssec.ds}>
        <ColumnHeads labels={columns} />
        <tbody>
          {signers.map(({ data, tag, algorithm, digestType, digest }) => (
            <tr key={data}>
              <td data-label={columns.tag}>{tag}</td>
              <td data-label={columns.algorithm}>{words.dnssec.numbered(algorithm, dnssec.algorithm)}</td>
              <td data-label={columns.digestType}>
                {words.dnssec.numbered(digestType, digestTypes[digestType] ?? null)}
              </td>
              <td data-label={columns.digest} className="data broken">
                {digest}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {signers.map(({ data, tag, digestType }) => (
        <CopyField
          key={data}
          label={words.dnssec.dsLine(tag, digestTypes[digestType] ?? digestType)}
          text={`${zone.name} IN DS ${data}`}
        />
      ))}
    </>
  );
}

function readDs(data: string) {
  const [tag = '', algorithm = '', digestType = '', digest = ''] = data.split(' ');
  return { data, tag, algorithm, digestType, digest };
}

type Advice = keyof typeof words.dnssec.dsAdvice;

function adviceOf({ state, rollover }: Dnssec): Advice {
  switch (state) {
    case 'leaving':
      return 'remove';
    case 'halted':
      return 'leave';
    case 'ready':
    case 'secure':
      return rollover?.step === 'swap' && rollover.key !== 'zsk' ? 'replace' : state;
    default:
      return 'early';
  }
}

const mayBeSet = (dnssec: Dnssec): boolean => ['ready', 'secure', 'replace'].includes(adviceOf(dnssec));
