import { describe, expect, test } from 'vitest';
import { buildRuleFile } from '../../tests/support/build-rule.ts';
import { compileNewRule } from './compile-new-rule.ts';
import { compileRuleText } from './compile-rule.ts';
import type { RuleFile } from './file/rule-file.ts';

const textOf = (given: Partial<RuleFile>) => JSON.stringify(buildRuleFile(given));

describe('a rule that is about to be published', () => {
  test.each<[string, Partial<RuleFile>, string]>([
    ['of its condition', { when: 'pool.buys / 0 > 1' }, 'when'],
    [
      'of a step',
      { sequence: [{ when: '5 % 0 == 1 && pool.buys > 1', within_minutes: 1 }] },
      'sequence.0.when',
    ],
    [
      'of a reason',
      { reasons: [{ when: '1.0 / 0.0 > 1.0', add: 0.1, reason: 'r' }] },
      'reasons.0.when',
    ],
  ])('is refused for a division by 0 %s, and judged if it is in the log', (_, given, path) => {
    const text = textOf(given);
    expect(compileNewRule(text).problems).toMatchObject([{ path, line: 1 }]);
    expect(compileRuleText(text).problems).toEqual([]);
  });

  test('may divide by a feature, by another number, and have "0" in a text', () => {
    const when = 'pool.buys / 2 > 1 && pool.buys / pool.buys >= 0 && !("0".contains("/ 0"))';
    const text = textOf({ when });
    expect(compileNewRule(text).problems).toEqual([]);
    expect(compileNewRule(text).value?.id).toBe(compileRuleText(text).value?.id);
  });

  test('has the problems of any rule first', () => {
    const text = textOf({ when: 'pool.nothing / 0 > 1' });
    expect(compileNewRule(text)).toEqual(compileRuleText(text));
  });
});
