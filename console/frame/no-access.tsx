import { Blank } from '../parts/blank.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';
import { useSignOut } from './use-sign-out.js';

/** In place of a page that the credential may not see. After the next sign-in, the page opens again. */
export function NoAccess({ message }: { readonly message: string }) {
  const { title, remedy, signOut } = words.blank.noAccess;
  const leaving = useSignOut();
  return (
    <>
      <Blank
        icon="managed"
        title={title}
        actions={[
          { label: words.states.go.zones, to: '/zones' },
          { label: signOut, to: leaving.begin },
        ]}
      >
        <p role="alert">
          <ShownText text={message} />
        </p>
        <p>{remedy}</p>
      </Blank>
      {leaving.dialog}
    </>
  );
}
