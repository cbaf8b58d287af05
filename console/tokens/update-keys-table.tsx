import type { UpdateKey } from '../api/types.js';
import { Moment } from '../parts/moment.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';
import { endOf, Permissions } from './tokens-table.js';

interface Props {
  readonly keys: readonly UpdateKey[];
  readonly onRevoke: (key: UpdateKey) => void;
}

export function UpdateKeysTable({ keys, onRevoke }: Props) {
  const { keyColumns: columns } = words.access;
  return (
    <table className="list" aria-label={words.access.keys}>
      <thead>
        <tr>
          <th scope="col">{columns.name}</th>
          <th scope="col">{columns.description}</th>
          <th scope="col">{columns.limits}</th>
          <th scope="col">{columns.created}</th>
          <th scope="col">{columns.expires}</th>
          <th scope="col">
            <span className="visually-hidden">{columns.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <KeyRow key={key.id} updateKey={key} onRevoke={() => onRevoke(key)} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly updateKey: UpdateKey;
  readonly onRevoke: () => void;
}

function KeyRow({ updateKey, onRevoke }: RowProps) {
  const { keyColumns: columns } = words.access;
  const { name, description, created_at: created, expires_at: expires } = updateKey;
  const end = endOf(updateKey);
  return (
    <tr>
      <td>
        <ShownText text={name} />
      </td>
      <td data-label={columns.description}>
        <ShownText text={description ?? ''} />
      </td>
      <td data-label={columns.limits}>
        <Permissions limits={updateKey} roles={[]} />
      </td>
      <td data-label={columns.created}>
        <Moment at={created} />
      </td>
      <td data-label={columns.expires}>{expires === null ? words.common.never : <Moment at={expires} />}</td>
      <td>
        {end === null ? (
          <button type="button" className="danger" aria-label={words.tokens.revoke(name)} onClick={onRevoke}>
            {words.tokens.revokeShort}
          </button>
        ) : (
          <span className="badge failed">{end}</span>
        )}
      </td>
    </tr>
  );
}
