import { NO_STYLE, type Style } from '../../lib/terminal/terminal.ts';
import { wrapText } from '../../lib/terminal/wrap-text.ts';
import { durationText } from '../terminal/status-parts.ts';

/**
 * What the headers of an answer say: slot, age, completeness, and whether the chain is simulated.
 */
export function answerHead(
  headers: Pick<Headers, 'get'>,
  columns: number,
  style: Style = NO_STYLE,
): string[] {
  const slot = headers.get('x-slot');
  const ageMs = Number(headers.get('x-data-age-ms') ?? Number.NaN);
  const isComplete = headers.get('x-complete');
  const parts = [
    slot !== null && /^\d+$/.test(slot) ? `as of slot ${slot}` : 'before the first slot',
    ...(Number.isFinite(ageMs) ? [`${durationText(ageMs)} old`] : []),
    ...(isComplete === null ? [] : [isComplete === 'true' ? 'complete' : INCOMPLETE]),
    ...(headers.get('x-simulated') === 'true' ? ['simulated: on no real chain'] : []),
  ];
  const isFine = isComplete !== 'false';
  return wrapText(parts.join(', '), columns).map((line) => style(isFine ? 'dim' : 'yellow', line));
}

const INCOMPLETE = 'incomplete: slots of its history are missing';
