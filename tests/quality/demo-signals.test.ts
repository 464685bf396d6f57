import { describe, expect, test } from 'vitest';
import type { Signal } from '../../src/model/signal.ts';
import { buildSignal } from '../support/build-signal.ts';
import { firstSignals } from './demo-signals.ts';

describe('the first signals of a market', () => {
  test('are counted model by model, with the minute of the first, and without the control', () => {
    const at = (model: Signal['model'], createdAtMs: number) => buildSignal({ model, createdAtMs });
    const rows = firstSignals(
      [
        at('organic_momentum', 400_000),
        at('organic_momentum', 160_000),
        at('random_minute', 150_000),
      ],
      100_000,
    );
    const momentum = rows.find(({ model }) => model === 'organic_momentum');
    expect(momentum).toEqual({ model: 'organic_momentum', count: 2, firstMinutes: 1 });
    expect(rows.filter(({ count }) => count === 0)).toHaveLength(rows.length - 1);
    expect(rows.map(({ model }) => model)).not.toContain('random_minute');
  });
});
