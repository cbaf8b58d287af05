import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';
import type { LineFault } from './line-faults.js';

interface Props {
  readonly lines: readonly LineFault[];
  /** Shows a line in the editor. */
  readonly onShow?: ((line: number) => void) | undefined;
}

/** Faults of a file, each with its line. */
export function LineFaults({ lines, onShow }: Props) {
  const { columns, faults } = words.import;
  return (
    <div className="plan-rows" tabIndex={0} role="group" aria-label={faults}>
      <table aria-label={faults}>
        <thead>
          <tr>
            <th scope="col" className="number">
              {columns.line}
            </th>
            <th scope="col">{columns.text}</th>
            <th scope="col">{columns.fault}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ line, text, message }, index) => (
            <tr key={index}>
              <td className="number" data-label={columns.line}>
                {onShow === undefined ? (
                  line
                ) : (
                  <button type="button" aria-label={words.file.showLine(line)} onClick={() => onShow(line)}>
                    {line}
                  </button>
                )}
              </td>
              <td className="data">
                <ShownText text={text} longest={300} />
              </td>
              <td className="error">
                <ShownText text={message} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
