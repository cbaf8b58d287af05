import { ShownText } from '../parts/shown-text.js';

/** Texts of others, each in a line of its own. */
export function Lines({ texts }: { readonly texts: readonly string[] }) {
  return texts.map((text, index) => (
    <div key={index} className="broken">
      <ShownText text={text} longest={1000} />
    </div>
  ));
}
