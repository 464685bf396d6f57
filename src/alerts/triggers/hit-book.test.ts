import { describe, expect, test } from 'vitest';
import { buildRuleHit } from '../../../tests/support/build-rule-hit.ts';
import {
  ACCOUNT,
  BUSY,
  buildTrigger,
  ofPool,
  ofToken,
} from '../../../tests/support/build-trigger.ts';
import { fakePool, MINT, OTHER_POOL, POOL } from '../../../tests/support/fake-api-deps.ts';
import { NO_WIDER_FIGURES } from '../../model/pool-figures.ts';
import type { PoolRecord } from '../../model/pool-record.ts';
import { OPERATOR } from '../../model/rule-change.ts';
import type { RuleHit } from '../../model/rule-hit.ts';
import type { HitCondition, StoredTrigger } from '../../model/trigger.ts';
import { HitBook } from './hit-book.ts';

const HASH = '0123456789abcdef';
const OTHER_HASH = 'f'.repeat(16);

const onHit = (given: Partial<HitCondition> = {}): HitCondition => ({
  ...{ field: 'rule_hit_confidence', operator: 'gt', value: '0.5', rule: 'dip', author: 'account' },
  ...given,
});
const hitOf = (given: Partial<RuleHit> = {}): RuleHit =>
  buildRuleHit({ author: ACCOUNT, mint: MINT, pool: POOL, ...given });
const triggerOf = (given: Partial<StoredTrigger> = {}) =>
  buildTrigger({ target: ofToken(MINT), conditions: [], hits: [onHit()], ...given });

/** The keys that fire and the rules that were compared, with a pool of eleven buys. */
function firing(
  triggers: readonly StoredTrigger[],
  hits: readonly RuleHit[],
  pool: PoolRecord | null = fakePool({ pool: POOL, baseMint: MINT, buyCount: 11 }),
) {
  const book = new HitBook(() => NO_WIDER_FIGURES);
  for (const trigger of triggers) book.put(trigger);
  return book
    .judge(hits, () => pool)
    .map(({ trigger, hits: compared }) => [
      trigger.key,
      ...compared.map((one) => `${one.ruleId} ${one.compared}`),
    ]);
}

const FIRED = [[1, `dip@1+${HASH} 0.75`]];

describe('triggers on hits of rules', () => {
  test.each<[string, Partial<HitCondition>, Partial<RuleHit>, unknown]>([
    ['of the name', {}, {}, FIRED],
    ['of the version', { rule: `dip@1+${HASH}` }, {}, FIRED],
    ['of another version', { rule: `dip@1+${OTHER_HASH}` }, {}, []],
    ['of another name', {}, { name: 'rise' }, []],
    ['of another account', {}, { author: 'two' }, []],
    ['of the operator', { author: 'operator' }, { author: OPERATOR }, FIRED],
    ['of the operator, for a rule of the account', {}, { author: OPERATOR }, []],
    ['of the account, for a rule of the operator', { author: 'operator' }, {}, []],
    ['that is as confident as the value', { value: '0.75' }, {}, []],
    ['that is just above the value', { value: '0.74999' }, {}, FIRED],
    ['below', { operator: 'lt', value: '0.7501' }, {}, FIRED],
    ['equal, for below', { operator: 'lt', value: '0.75' }, {}, []],
    ['with a confidence of more than four digits', { value: '0.33333' }, { confidence: 1 / 3 }, []],
  ])('fire for a hit %s or do not', (_, condition, hit, expected) => {
    expect(firing([triggerOf({ hits: [onHit(condition)] })], [hitOf(hit)])).toEqual(expected);
  });

  test('are of a token by its mint, and of a pool by the pool', () => {
    const ofThePool = triggerOf({ target: ofPool(POOL) });
    expect(firing([triggerOf()], [hitOf({ pool: OTHER_POOL })])).toEqual(FIRED);
    expect(firing([ofThePool], [hitOf({ pool: OTHER_POOL })])).toEqual([]);
    expect(firing([ofThePool], [hitOf()])).toEqual(FIRED);
    // A case is of the token, whatever pool prices it.
    expect(firing([ofThePool], [hitOf({ pool: OTHER_POOL, kind: 'fraud' })])).toEqual(FIRED);
    const ofOther = fakePool({ pool: POOL, baseMint: OTHER_POOL });
    expect(firing([ofThePool], [hitOf({ pool: OTHER_POOL, kind: 'fraud' })], ofOther)).toEqual([]);
  });

  test('need all of their conditions in the same slot, and a pool', () => {
    const both = triggerOf({ hits: [onHit(), onHit({ rule: 'rise', author: 'operator' })] });
    const rise = hitOf({ name: 'rise', author: OPERATOR, confidence: 0.9 });
    expect(firing([both], [hitOf()])).toEqual([]);
    expect(firing([both], [rise, hitOf()])).toEqual([
      [1, `dip@1+${HASH} 0.75`, `rise@1+${HASH} 0.9`],
    ]);
    const busy = triggerOf({ conditions: [BUSY] });
    expect(firing([busy], [hitOf()])).toEqual(FIRED);
    expect(firing([busy], [hitOf()], fakePool({ pool: POOL, buyCount: 10 }))).toEqual([]);
    // A figure that is not known is not above anything.
    const holders = { ...BUSY, field: 'raw_holders', value: '0' } as const;
    expect(firing([triggerOf({ conditions: [holders] })], [hitOf()])).toEqual([]);
    expect(firing([triggerOf()], [hitOf()], null)).toEqual([]);
  });

  test('name the most confident hit of several, and fire in the order of their keys', () => {
    const hits = [
      hitOf({ rowId: 1, confidence: 0.6 }),
      hitOf({ rowId: 2, confidence: 0.8, hash: OTHER_HASH.repeat(4) }),
      hitOf({ rowId: 3, confidence: 0.8 }),
    ];
    const expected = `dip@1+${OTHER_HASH} 0.8`;
    expect(firing([triggerOf({ key: 9 }), triggerOf({ key: 4 })], hits)).toEqual([
      [4, expected],
      [9, expected],
    ]);
  });

  test('are gone when they are removed, and replaced by their key', () => {
    const book = new HitBook(() => NO_WIDER_FIGURES);
    book.put(triggerOf({ hits: [onHit({ rule: 'rise' })] }));
    book.put(triggerOf({ revision: 2 }));
    expect(book.size).toBe(1);
    const judge = () => book.judge([hitOf(), hitOf({ name: 'rise' })], () => fakePool());
    expect(judge()).toMatchObject([{ trigger: { revision: 2 } }]);
    book.remove(1);
    expect([book.size, judge()]).toEqual([0, []]);
  });
});
