import { describe, expect, it } from 'vitest';
import { judge, sceneFacts, sceneTrade } from '../../tests/support/signal-scene.ts';
import { CONTROL_MODEL, SIGNAL_MODELS } from '../model/signal.ts';
import { parseModelParameters } from './features/model-parameters.ts';
import type { SignalModel } from './features/signal-model.ts';
import { MODELS } from './registry.ts';

/**
 * Hash of each version that was ever in use. Detects parameters that change without their version;
 * a raised version adds a line. The meaning of a feature is not in the hash: changing it requires a
 * new version too.
 */
const KNOWN_HASHES: Readonly<Record<string, string>> = {
  'influx_high_on_dip 1': '33f972759e2e8f3ec4df9905465122de9734d4930182ae870a460b8290864cde',
  'smart_money_bounce 1': '457a6681e3ca797bd82046a5ed86123edf6d7b2bf9fdd74d88a3c3f6d59a62bb',
  'smart_money_surge 1': 'd0941888e081a6cd06551e34293aa65dd27ad41eda35c4a433ca71e6f1fd1bec',
  'organic_momentum 1': 'ba4e8364597bcab9090673c9eb25c13f111e3daa36564b65cd2318bfdada087b',
  'graduation_velocity 1': '7fab5423f4767ed27c25d98763871c558e1bf24ffe048bd3aa58c7693e3f64f4',
  'random_minute 1': 'c08aac85c5b8db975cb3228d7ab38ccb60ccab28fd3eeb514a00196a04c764ca',
};

describe('the registry of models', () => {
  it('has each model of the contract once, and the control last', () => {
    expect(MODELS.map(({ name }) => name)).toEqual([...SIGNAL_MODELS, CONTROL_MODEL]);
  });

  it.each(MODELS)('has the known parameters of $name for their version', ({ name, parameters }) => {
    expect(parameters.hash).toBe(KNOWN_HASHES[`${name} ${parameters.version}`]);
  });

  it.each(MODELS)('has a complete card and a reason for every condition of $name', (model) => {
    expect(missingOf(model)).toEqual([]);
  });

  it('detects missing parts of a card', () => {
    const [model] = MODELS;
    if (model === undefined) throw new Error('no model');
    const bare = {
      ...model,
      card: { pattern: ' ', rationale: '', lookAlikes: [''] },
      parameters: {
        ...model.parameters,
        conditions: { depth: { least: 1, most: null, reason: '' } },
      },
    };
    expect(missingOf(bare)).toEqual(['pattern', 'rationale', 'look-alike', 'reason of depth']);
  });

  it.each(MODELS)('measures for $name the features of its conditions and no others', (model) => {
    const { features } = judge(model, [sceneTrade(5)], sceneFacts(5));
    expect(Object.keys(features).sort()).toEqual(Object.keys(model.parameters.conditions).sort());
  });

  it.each(MODELS)('has a cool-down of six hours for $name', ({ parameters }) => {
    expect(parameters.coolDownMinutes).toBe(360);
  });
});

describe('parameters', () => {
  const table = {
    version: 1,
    coolDownMinutes: 5,
    conditions: { depth: { least: 1, reason: 'Why.' } },
  };

  it('have the same hash in any order, and another when any number changes', () => {
    const { hash } = parseModelParameters(table);
    const turned = {
      conditions: { depth: { reason: 'Else.', least: 1 } },
      coolDownMinutes: 5,
      version: 1,
    };
    expect(parseModelParameters(turned).hash).toBe(hash);
    for (const change of [
      { version: 2 },
      { coolDownMinutes: 6 },
      { conditions: { depth: { least: 2, reason: 'Why.' } } },
      { conditions: { depth: { most: 1, reason: 'Why.' } } },
    ]) {
      expect(parseModelParameters({ ...table, ...change }).hash).not.toBe(hash);
    }
  });

  it.each([
    [null],
    [{ ...table, version: 1.5 }],
    [{ ...table, coolDownMinutes: -1 }],
    [{ ...table, conditions: { depth: { reason: 'No end.' } } }],
    [{ ...table, conditions: { depth: { least: 1 } } }],
    [{ ...table, conditions: { depth: { lest: 1, most: 2, reason: 'Misspelt.' } } }],
  ])('are rejected when they are %j', (json) => {
    expect(() => parseModelParameters(json)).toThrow(TypeError);
  });
});

function missingOf({ card, parameters }: SignalModel): string[] {
  const isEmpty = (text: string) => text.trim() === '';
  const conditions = Object.entries(parameters.conditions);
  return [
    ...(isEmpty(card.pattern) ? ['pattern'] : []),
    ...(isEmpty(card.rationale) ? ['rationale'] : []),
    ...(card.lookAlikes.length === 0 ? ['look-alikes'] : []),
    ...card.lookAlikes.filter(isEmpty).map(() => 'look-alike'),
    ...(conditions.length === 0 ? ['conditions'] : []),
    ...conditions.filter(([, { reason }]) => isEmpty(reason)).map(([name]) => `reason of ${name}`),
  ];
}
