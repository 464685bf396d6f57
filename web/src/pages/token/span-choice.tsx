import { setQuery } from '../../state/router.ts';
import { Segments } from '../../ui/controls.tsx';
import { SPANS, spanInQuery } from './time-span.ts';

/** The choice of how far a chart reaches back. */
export function SpanChoice() {
  return (
    <Segments
      label="Time span"
      value={spanInQuery()}
      options={SPANS.map((value) => ({ value, title: value }))}
      onChange={(span) => setQuery({ span: span === SPANS[0] ? null : span })}
    />
  );
}
