import { describe, expect, test } from 'vitest';
import { isRefusal, parseSimulationConfig } from './parse-simulation-config.ts';
import { PRESETS } from './simulation-presets.ts';

describe('a simulation configuration', () => {
  test('takes omitted fields from its preset', () => {
    const parsed = parseSimulationConfig({ seed: 'other', people: { sniper: 3 } }, PRESETS.calm);
    expect(parsed).toEqual({
      ...PRESETS.calm,
      seed: 'other',
      people: { ...PRESETS.calm.people, sniper: 3 },
    });
  });

  test.each(Object.entries(PRESETS))('%s is valid', (_, preset) => {
    expect(isRefusal(parseSimulationConfig(preset))).toBe(false);
  });

  test.each([
    ['a negative rate', { launchesPerHour: -1 }, 'launchesPerHour'],
    ['zero wallets', { people: everybody(0) }, 'people'],
    ['pool launches without people', { people: everybody(0), launchesPerHour: 0 }, 'people'],
    ['an unknown scenario', { attacksPerHour: { rug_pull: 1 } }, 'attacksPerHour.rug_pull'],
    ['an unknown kind of people', { people: { shark: 1 } }, 'people.shark'],
    ['an invalid boolean', { skipsIdleSlots: 1 }, 'skipsIdleSlots'],
    ['half a wallet', { people: { sniper: 0.5 } }, 'people.sniper'],
    ['an invalid slot length', { slotMs: 50 }, 'slotMs'],
    ['an unknown setting', { colour: 'red' }, 'colour'],
    ['the name of a built-in property', { constructor: 1 }, 'constructor'],
    ['NaN', { skipRate: Number.NaN }, 'skipRate'],
    ['an empty seed', { seed: '' }, 'seed'],
    ['a list', [], ''],
  ])('with %s is rejected with the name of the field', (_, given, field) => {
    expect(parseSimulationConfig(given)).toMatchObject({ field });
  });
});

function everybody(count: number): Record<string, number> {
  return Object.fromEntries(Object.keys(PRESETS.market.people).map((name) => [name, count]));
}
