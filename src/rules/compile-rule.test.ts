import { describe, expect, test } from 'vitest';
import { buildRule, buildRuleFile } from '../../tests/support/build-rule.ts';
import { compileRule, compileRuleText } from './compile-rule.ts';
import { problemText } from './problem.ts';
import { canonicalRule } from './rule-id.ts';

const TEXT = `# A comment
name: cheap-and-busy
version: 3
kind: alert
title: Cheap and busy
pattern: Many wallets buy a small token.
rationale: Attention comes before the price.
look_alikes:
  - A launch, which is always busy.
scope: pool_minute
when: |
  token.market_cap_usd < 50000 &&
  window.organic_buyers_5m >= 10
confidence: 0.4
reasons:
  - when: smart.holders >= 2
    add: 0.3
    reason: Smart wallets hold it.
evidence: [token.market_cap_usd, window.organic_buyers_5m]
cool_down_minutes: 30
`;

function problemsOf(text: string): string[] {
  return compileRuleText(text).problems.map(problemText);
}

describe('a rule', () => {
  test('is compiled from its text', () => {
    const { value } = compileRuleText(TEXT);
    expect(value?.id).toMatch(/^cheap-and-busy@3\+[0-9a-f]{16}$/);
    expect(value?.coolDownMs).toBe(30 * 60_000);
    // Market cap, organic buyers, smart holders: three features, the evidence being two of them.
    expect(value?.features).toHaveLength(3);
  });

  test('has one id whatever the order, the layout and the comments of its text', () => {
    const { value } = compileRuleText(TEXT);
    const lines = canonicalRule(value?.file ?? buildRuleFile());
    expect(compileRuleText(lines).value?.id).toBe(value?.id);
    const reversed = Object.fromEntries(Object.entries(JSON.parse(lines)).reverse());
    expect(compileRuleText(JSON.stringify(reversed, null, 4)).value?.id).toBe(value?.id);
    const other = TEXT.replace('>= 10', '>= 11');
    expect(compileRuleText(other).value?.hash).not.toBe(value?.hash);
  });
});

describe('the text of a rule is refused', () => {
  test('with line and column of an unknown feature', () => {
    expect(
      problemsOf(TEXT.replace('window.organic_buyers_5m >=', 'window.organic_byers_5m >=')),
    ).toEqual([
      'when: There is no feature window.organic_byers_5m for the scope pool_minute. ' +
        'Did you mean window.organic_buyers_5m? (line 13, column 3)',
    ]);
  });

  test('with all problems of all its expressions', () => {
    const text = TEXT.replace('smart.holders >= 2', 'smart.holders >= "2"').replace(
      '< 50000 &&',
      '< 0 - 1 || false &&',
    );
    const wrong = text.replace('[token.market_cap_usd,', '[token.market_cap,');
    expect(problemsOf(wrong)).toEqual([
      'reasons.0.when: double >= string cannot be compared. Numbers have an order; texts and truths ' +
        'are equal or not. (line 16, column 11)',
      'evidence.0: There is no feature token.market_cap for the scope pool_minute. Did you mean ' +
        'token.market_cap_usd? (line 19, column 12)',
    ]);
  });

  test('when it is too large, too deep, not YAML, or something else', () => {
    expect(problemsOf(`${TEXT}# ${'x'.repeat(70_000)}`)[0]).toMatch(
      /has 70\d{3} bytes, at most 65536/,
    );
    expect(problemsOf('['.repeat(60_000))[0]).toContain('60000 levels deep, at most 16');
    expect(problemsOf('- '.repeat(30_000))[0]).toContain('30000 levels deep');
    expect(problemsOf('? '.repeat(30_000))[0]).toContain('levels deep');
    expect(problemsOf(`a: ${'{a: '.repeat(15_000)}`)[0]).toContain('levels deep');
    expect(problemsOf('name: [')[0]).toContain('not YAML');
    expect(problemsOf('')).toHaveLength(1);
    expect(problemsOf('- a')).toHaveLength(1);
    expect(problemsOf('"text"')).toHaveLength(1);
  });

  test('when aliases would make it larger than it is', () => {
    const bomb = [
      'a: &a [x, x, x, x, x, x, x, x, x]',
      'b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]',
      'c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]',
      'd: [*c, *c, *c, *c, *c, *c, *c, *c, *c]',
    ].join('\n');
    expect(problemsOf(bomb)).toEqual([
      'The rule has an alias, which is not allowed: write the text twice.',
    ]);
  });

  test('when a key is unknown, missing or given twice', () => {
    expect(problemsOf(`${TEXT}severity: high\n`).join()).toContain('severity');
    expect(problemsOf(TEXT.replace('title: Cheap and busy\n', '')).join()).toContain('title');
    expect(problemsOf(`${TEXT}version: 4\n`)[0]).toContain('not YAML');
    expect(problemsOf(TEXT.replace('version: 3', 'version: 3.5'))[0]).toContain('version');
  });

  test('when its keys are those of objects', () => {
    expect(problemsOf(`${TEXT}__proto__: {kind: label}\n`)).not.toEqual([]);
    expect(problemsOf(`${TEXT}constructor: 1\n`)).not.toEqual([]);
  });
});

describe('a rule of the right shape is refused', () => {
  const problemsOfFile = (given: Parameters<typeof buildRuleFile>[0]) =>
    compileRule(buildRuleFile(given)).problems.map(problemText);

  test('when kind, scope and label do not fit', () => {
    expect(problemsOfFile({ kind: 'label' })[0]).toContain('A label belongs to');
    expect(problemsOfFile({ label: 'hot' })[0]).toContain('A label belongs to');
    expect(problemsOfFile({ kind: 'fraud' })[0]).toContain('scope case or cluster');
  });

  test('when all its expressions together cost too much', () => {
    // 15 elements of a list, two operations for each, the list itself: 60 of at most 400; 40 of them.
    const dear = 'window.closes_15m.all(x, x > 1)';
    const reasons = Array.from({ length: 16 }, () => ({
      when: Array.from({ length: 3 }, () => dear).join(' && '),
      add: 0,
      reason: 'None.',
    }));
    expect(problemsOfFile({ reasons })[0]).toMatch(/may cost 2\d{3} operations, at most 2000/);
  });

  test('when a step of its sequence can never be reached', () => {
    const sequence = [{ when: 'pool.buys < 0', within_minutes: 5 }];
    expect(problemsOfFile({ sequence })[0]).toContain('sequence.0.when: The condition can never');
  });
});

test('a rule with the same content is the same rule', () => {
  expect(buildRule().hash).toBe(buildRule().hash);
  expect(buildRule({ version: 2 }).hash).not.toBe(buildRule().hash);
});
