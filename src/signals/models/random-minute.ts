import { HashDraws } from '../../lib/hash-draws.ts';
import { CONTROL_MODEL } from '../../model/signal.ts';
import { parseModelParameters } from '../features/model-parameters.ts';
import type { SignalModel } from '../features/signal-model.ts';
import table from './random-minute.json' with { type: 'json' };

/**
 * The control for all other models: minutes of the same pools, under the same vetoes, selected by a
 * hash of pool and minute, so anyone with the blocks selects the same ones.
 */
export const randomMinute: SignalModel = createRandomMinute('');

/** Each salt gives an independent selection. */
export function createRandomMinute(salt: string): SignalModel {
  return {
    name: CONTROL_MODEL,
    card: {
      pattern: 'One in a hundred of the minutes in which a pool was traded and no veto applies.',
      rationale: 'It uses no information: its return is that of the market.',
      lookAlikes: ['None: it detects nothing, and is shown beside the models as their baseline.'],
    },
    parameters: parseModelParameters(table),
    measure: ({ window, facts }) => ({
      draw: new HashDraws(`${salt}${facts.pool.pool} ${window.minuteMs}`).unit(),
    }),
  };
}
