import type { Token } from '../api/types.js';
import { instantOf, Moment } from '../parts/moment.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';

interface Props {
  readonly tokens: readonly Token[];
  /** The id of the token that is used. */
  readonly own: string | null;
  readonly onRevoke: (token: Token) => void;
}

export const nameOf = ({ id, description }: Token): string => description ?? words.tokens.untitled(id.slice(0, 8));

export function TokensTable({ tokens, own, onRevoke }: Props) {
  const { columns } = words.tokens;
  return (
    <table className="list" aria-label={words.access.tokens}>
      <thead>
        <tr>
          <th scope="col">{columns.description}</th>
          <th scope="col">{columns.limits}</th>
          <th scope="col">{columns.madeBy}</th>
          <th scope="col">{columns.created}</th>
          <th scope="col">{columns.used}</th>
          <th scope="col">{columns.expires}</th>
          <th scope="col">
            <span className="visually-hidden">{columns.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} isOwn={token.id === own} onRevoke={() => onRevoke(token)} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly token: Token;
  readonly isOwn: boolean;
  readonly onRevoke: () => void;
}

function TokenRow({ token, isOwn, onRevoke }: RowProps) {
  const { columns } = words.tokens;
  const { made_by: madeBy, made_by_user: user, last_used_at: used, last_used_from: from, expires_at: expires } = token;
  const end = endOf(token);
  const maker = user ?? (madeBy === null ? null : words.tokens.madeByToken(madeBy.slice(0, 8)));
  return (
    <tr>
      <td>
        <ShownText text={nameOf(token)} /> {isOwn && <span className="badge current">{words.tokens.own}</span>}
      </td>
      <td data-label={columns.limits}>
        <Permissions limits={token} roles={token.roles} />
      </td>
      <td data-label={columns.madeBy}>{maker !== null && <ShownText text={maker} />}</td>
      <td data-label={columns.created}>
        <Moment at={token.created_at} />
      </td>
      <td data-label={columns.used}>
        {used === null ? words.common.never : <Moment at={used} />}{' '}
        {from !== null && <ShownText text={words.tokens.usedFrom(from)} />}
      </td>
      <td data-label={columns.expires}>{expires === null ? words.common.never : <Moment at={expires} />}</td>
      <td>
        {end === null ? (
          <button type="button" className="danger" aria-label={words.tokens.revoke(nameOf(token))} onClick={onRevoke}>
            {words.tokens.revokeShort}
          </button>
        ) : (
          <span className="badge failed">{end}</span>
        )}
      </td>
    </tr>
  );
}

/** Why a token or key no longer works; `null`: it works. */
export function endOf({ revoked_at: revoked, expires_at: expires }: Pick<Token, 'revoked_at' | 'expires_at'>) {
  if (revoked !== null) return words.tokens.revokedBadge;
  return expires !== null && instantOf(expires).getTime() < Date.now() ? words.tokens.expiredBadge : null;
}

type Limits = Pick<Token, 'domains' | 'names' | 'types' | 'actions' | 'networks'> & Partial<Pick<Token, 'labels'>>;

interface PermissionsProps {
  readonly limits: Limits;
  readonly roles: readonly string[];
}

export function Permissions({ limits, roles }: PermissionsProps) {
  return limitsInWords(limits, roles).map((limit, index) => (
    <div key={index}>
      <ShownText text={limit} />
    </div>
  ));
}

function limitsInWords(
  { domains, labels = null, names, types, actions, networks }: Limits,
  roles: readonly string[],
): string[] {
  const { limits } = words.tokens;
  const isReader = roles.length > 0 && roles.every((role) => role === 'reader');
  const said = [
    ...(isReader ? [words.tokens.readOnly] : roles.includes('admin') ? [limits.roles(roles)] : []),
    ...(domains === null ? [] : [limits.domains(domains)]),
    ...(labels === null ? [] : [limits.labels(labels)]),
    ...(names === null ? [] : [limits.names(names)]),
    ...(types === null ? [] : [limits.types(types)]),
    ...(actions === null ? [] : [limits.actions(actions)]),
    ...(networks === null ? [] : [limits.networks(networks)]),
  ];
  return said.length === 0 ? [words.tokens.everything] : said;
}
