import { once } from 'node:events';
import type { Attack } from './attack.ts';

/**
 * Sends nothing. A longer measurement includes what a shorter one does not: checkpoints, and a state
 * that has grown. What this shows as "attacked" is due to that alone.
 */
export const noAttack: Attack = {
  name: 'no-attack',
  summary: 'Sends nothing: a control for what the time of the measurement alone does.',
  async run(_target, _tally, signal) {
    if (!signal.aborted) await once(signal, 'abort');
  },
};
