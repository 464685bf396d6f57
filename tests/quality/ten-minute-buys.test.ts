import { expect, test } from 'vitest';
import { CONTROL_MODEL, type Signal } from '../../src/model/signal.ts';
import type { Address } from '../../src/model/units.ts';
import { aSignal, SCENE_START_MS } from '../support/signal-scene.ts';
import type { Candidate } from './signal-market.ts';
import { tenMinuteBuys } from './ten-minute-buys.ts';

const MINUTE_MS = 60_000;
const NO_RETURNS = {} as Candidate['returns'];

function minuteOf(mint: string, ageMinutes: number | null, given: Partial<Signal> = {}): Candidate {
  const signal: Signal = {
    ...aSignal(),
    model: CONTROL_MODEL,
    mint: mint as Address,
    ageMs: ageMinutes === null ? null : ageMinutes * MINUTE_MS,
    createdAtMs: SCENE_START_MS + (ageMinutes ?? 0) * MINUTE_MS,
    ...given,
  };
  return { signal, returns: NO_RETURNS };
}

test('each token is bought once, at its first random minute from ten minutes of age on', () => {
  const first = minuteOf('a', 10);
  const later = minuteOf('b', 14);
  const minutes = [minuteOf('a', 12), minuteOf('a', 5), first, later, minuteOf('c', 20)];
  expect(tenMinuteBuys(minutes)).toEqual([first, later]);
});

test('tokens of unknown age and minutes that a model chose are no part of the baseline', () => {
  const chosen = minuteOf('a', 11, { model: 'organic_momentum' });
  expect(tenMinuteBuys([minuteOf('a', null), chosen])).toEqual([]);
});
