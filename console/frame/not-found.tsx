import { pathOfScreen } from '../api/prefix.js';
import { Blank } from '../parts/blank.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';
import { useTitle } from './title.js';

export function NotFound() {
  const { text, search } = words.blank.notFound;
  const { pathname } = new URL(pathOfScreen(), window.location.href);
  useTitle(words.frame.notFound);
  return (
    <Blank
      icon={null}
      title={words.frame.notFound}
      level={1}
      actions={[
        { label: words.states.go.zones, to: '/zones' },
        { label: search, to: '/search' },
      ]}
    >
      <p>
        <ShownText text={text(pathname)} longest={300} />
      </p>
    </Blank>
  );
}
