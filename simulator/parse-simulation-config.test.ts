import { describe, expect, test } from 'vitest';
import { isRefusal, parseSimulationConfig } from './parse-simulation-config.ts';
import { PRESETS } from './simulation-presets.ts';

describe('a configuration of the simulation', () => {
  test('keeps what is not given from its preset', () => {
    const parsed = parseSimulationConfig({ seed: 'other', people: { sniper: 3 } }, PRESETS.calm);
    expect(parsed).toEqual({
      ...PRESETS.calm,
      seed: 'other',
      people: { ...PRESETS.calm.people, sniper: 3 },
    });
  });

  test.each(Object.entries(PRESETS))('%s passes its own rules', (_, preset) => {
    expect(isRefusal(parseSimulationConfig(preset))).toBe(false);
  });

  test.each([
    ['a negative rate', { launchesPerHour: -1 }, 'launchesPerHour'],
    ['zero wallets', { people: everybody(0) }, 'people'],
    ['pools for nobody', { people: everybody(0), launchesPerHour: 0 }, 'people'],
    ['an unknown scenario', { attacksPerHour: { rug_pull: 1 } }, 'attacksPerHour.rug_pull'],
    ['an unknown kind of people', { people: { shark: 1 } }, 'people.shark'],
    ['neither yes nor no', { skipsIdleSlots: 1 }, 'skipsIdleSlots'],
    ['half a wallet', { people: { sniper: 0.5 } }, 'people.sniper'],
    ['a slot length no cluster has', { slotMs: 50 }, 'slotMs'],
    ['an unknown setting', { colour: 'red' }, 'colour'],
    ['a name the language knows', { constructor: 1 }, 'constructor'],
    ['no number', { skipRate: Number.NaN }, 'skipRate'],
    ['an empty seed', { seed: '' }, 'seed'],
    ['a list', [], ''],
  ])('with %s is refused by the name of the field', (_, given, field) => {
    expect(parseSimulationConfig(given)).toMatchObject({ field });
  });
});

function everybody(count: number): Record<string, number> {
  return Object.fromEntries(Object.keys(PRESETS.market.people).map((name) => [name, count]));
}
