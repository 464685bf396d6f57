import type { RefObject } from 'preact';
import { ChainText } from '../../ui/chain-text.tsx';
import { offsetOf, type Problem, problemsOf } from './problems.ts';

const TEXT_MAX = 400;

/** Why a rule is refused. A position marks its place in the text. */
export function ProblemList({
  message,
  text,
  area,
}: {
  readonly message: string;
  readonly text: string;
  readonly area: RefObject<HTMLTextAreaElement | null>;
}) {
  const show = (position: NonNullable<Problem['position']>) => {
    const at = offsetOf(text, position);
    const end = text.indexOf('\n', at);
    area.current?.focus();
    area.current?.setSelectionRange(at, end === -1 ? text.length : end);
  };
  return (
    <div class="problems" role="alert">
      <p>This is refused:</p>
      <ul>
        {problemsOf(message).map(({ text: sentence, position }) => (
          <li key={`${sentence} ${position?.line} ${position?.column}`}>
            <ChainText text={sentence} lengthMax={TEXT_MAX} />{' '}
            {position !== null && (
              <button type="button" class="link-button" onClick={() => show(position)}>
                line {position.line}, column {position.column}
              </button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
