import { expect, test, vi } from 'vitest';
import { named } from '../../../tests/support/made-up-units.ts';
import { aBuy, aCase, LAUNCH_TIME_MS, supplyShare } from '../../../tests/support/mint-case.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { MintCase } from '../../model/mint-case.ts';
import { type Address, asRawAmount, asSlot } from '../../model/units.ts';
import { RuleWatch } from '../rules/rule-watch.ts';
import { FraudWatch } from './fraud-watch.ts';

const DAY_MS = 86_400_000;
const mint = named('mint');

/** Three buyers of one bundle in the first slot: the more they buy, the more confident. */
function aBundle(share: number): MintCase {
  const group = { id: 'group', level: 'L2o' } as const;
  const trades = ['a', 'b', 'c'].map((wallet, index) =>
    aBuy(wallet, { txIndex: index + 1, baseRaw: supplyShare(share), group }),
  );
  return aCase({ trades });
}

function createWatch() {
  const undo = new UndoLog();
  const ids = new AddressIds<Address>(undo);
  return new FraudWatch(undo, ids, { rules: new RuleWatch(undo, ids).cases, detectors: null });
}

/** Evaluates a case in a slot, of which the mint's trades are known. */
function settle(watch: FraudWatch, slot: number, timeMs: number, mintCase: MintCase) {
  const placed = { buyers: 3, groupedBuyers: 3, isLiquidityOut: false };
  const update = { mint, trades: 3, soldRaw: asRawAmount(0n), ...placed };
  const source = {
    read: () => mintCase,
    readPlain: () => mintCase,
    entriesOf: () => 3,
    supplyOf: () => mintCase.supplyRaw,
    priceOf: () => null,
  };
  const at = { slot: asSlot(slot), timeMs, isTimeKnown: true };
  const { classifications } = watch.settle([update], at, source, vi.fn());
  return classifications.map(({ id, state, finding }) => ({
    id,
    state,
    confidence: finding.confidence,
  }));
}

test('a finding that lapses has one version in that slot: archived, as last found', () => {
  const watch = createWatch();
  const [begun] = settle(watch, 1_000, LAUNCH_TIME_MS, aBundle(0.06));
  expect(begun).toMatchObject({ state: 'active', confidence: 0.6729 });
  const [weak] = settle(watch, 1_001, LAUNCH_TIME_MS + 400, aBundle(0.033));
  const lapsed = settle(watch, 300_000, LAUNCH_TIME_MS + 400 + DAY_MS, aBundle(0.03));
  expect(lapsed).toEqual([{ id: begun?.id, state: 'archived', confidence: 0.286 }]);
  expect(weak?.confidence).toBeGreaterThan(0.3);
});

test('a finding that is strong again in the slot in which it would lapse stays', () => {
  const watch = createWatch();
  const [begun] = settle(watch, 1_000, LAUNCH_TIME_MS, aBundle(0.06));
  settle(watch, 1_001, LAUNCH_TIME_MS + 400, aBundle(0.033));
  const after = settle(watch, 300_000, LAUNCH_TIME_MS + 400 + DAY_MS, aBundle(0.06));
  expect(after).toEqual([{ id: begun?.id, state: 'active', confidence: 0.6729 }]);
});
