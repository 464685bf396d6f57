import { describe, expect, test } from 'vitest';
import { buildClassification, buildFinding } from '../../tests/support/build-classification.ts';
import { buildBundle, buildChanges, buildSwap } from '../../tests/support/build-records.ts';
import { address } from '../../tests/support/build-transaction.ts';
import type { Classification, Finding } from '../model/fraud.ts';
import type { ReviewStatus } from '../model/fraud-review.ts';
import { asSlot } from '../model/units.ts';
import { CurrentTradeLabels } from './trade-labels.ts';
import { UnwrittenRows } from './unwritten-rows.ts';

const MINT = address('mint');
const POOL = address('pool');
const WASHER = address('washer');

function washFinding(
  given: Partial<Omit<Classification, 'finding'>> = {},
  finding: Partial<Finding> = {},
): Classification {
  const wallets = buildFinding().wallets.map((wallet, index) => ({
    ...wallet,
    address: index === 0 ? WASHER : wallet.address,
    labels: index === 0 ? ['wash_trader'] : [],
  }));
  return buildClassification({
    ...{ slot: asSlot(20), ...given },
    finding: {
      ...{ fraudType: 'wash_volume', mint: MINT, wallets, patternStartSlot: asSlot(10) },
      ...finding,
    },
  });
}

const swapOf = (slot: number, trader = WASHER) =>
  buildSwap(POOL, `${slot}`, { slot: asSlot(slot), swap: { trader, baseMint: MINT } });

interface Known {
  readonly findings?: readonly Classification[];
  readonly unwritten?: readonly Classification[];
  readonly review?: ReviewStatus;
}

function labelsOf({ findings = [], unwritten = [], review }: Known) {
  const slots = [{ changes: buildChanges(30, { classifications: unwritten }) }];
  const stored = { bundled: async () => [], washFindings: async () => [...findings] };
  const rows = new UnwrittenRows(() => slots);
  return new CurrentTradeLabels(stored, rows, () => review ?? null);
}

async function washOf(known: Known, slots: readonly number[], trader = WASHER) {
  const swaps = slots.map((slot) => swapOf(slot, trader));
  const labels = await labelsOf(known).of(swaps);
  return swaps.map((swap) => labels.isWash(swap));
}

describe('wash trading of trades', () => {
  test('is that of the labelled wallets from the first evidence to the last version', async () => {
    const known = { findings: [washFinding()] };
    expect(await washOf(known, [9, 10, 20, 21])).toEqual([false, true, true, false]);
    const other = buildFinding().wallets[1]?.address;
    expect(await washOf(known, [15], other)).toEqual([false]);
    const ofOtherMint = washFinding({}, { mint: address('other') });
    expect(await washOf({ findings: [ofOtherMint] }, [15])).toEqual([false]);
  });

  test('is that of the newest version, stored or not', async () => {
    const newer = washFinding({ slot: asSlot(25) });
    expect(await washOf({ findings: [washFinding()], unwritten: [newer] }, [25])).toEqual([true]);
    expect(await washOf({ findings: [newer], unwritten: [washFinding()] }, [25])).toEqual([true]);
    const doubted = washFinding({ slot: asSlot(25) }, { confidence: 0.49 });
    expect(await washOf({ findings: [washFinding()], unwritten: [doubted] }, [15])).toEqual([
      false,
    ]);
  });

  test.each([
    ['a candidate', { findings: [washFinding({ state: 'candidate' })] }, false],
    ['a finding that has ended', { findings: [washFinding({ state: 'archived' })] }, true],
    ['a false positive', { findings: [washFinding()], review: 'false_positive' as const }, false],
    ['a discarded finding', { findings: [washFinding()], review: 'archived' as const }, false],
    ['a confirmed finding', { findings: [washFinding()], review: 'confirmed' as const }, true],
    ['another pattern', { unwritten: [washFinding({}, { fraudType: 'fake_dump' })] }, false],
  ])('is reported or not by %s', async (_what, known, expected) => {
    expect(await washOf(known, [15])).toEqual([expected]);
  });
});

describe('bundles of trades', () => {
  test('are those of the same wallet, token and transaction, stored or not', async () => {
    const bundles = [buildBundle(MINT, '', { owner: WASHER, slot: asSlot(8), txIndex: 0 })];
    const isBundled = async (stored: typeof bundles, unwritten: typeof bundles) => {
      const slots = [{ changes: buildChanges(30, { bundles: unwritten }) }];
      const reads = { bundled: async () => stored, washFindings: async () => [] };
      const labels = new CurrentTradeLabels(reads, new UnwrittenRows(() => slots), () => null);
      const swaps = [
        swapOf(8),
        swapOf(9),
        swapOf(8, address('other')),
        { ...swapOf(8), txIndex: 1 },
        buildSwap(POOL, '', { slot: asSlot(8), swap: { trader: WASHER, baseMint: address('n') } }),
        buildSwap(POOL, '', { slot: asSlot(8), swap: { trader: null, baseMint: MINT } }),
      ];
      const known = await labels.of(swaps);
      return swaps.map((swap) => known.isBundled(swap));
    };
    const expected = [true, false, false, false, false, false];
    expect(await isBundled(bundles, [])).toEqual(expected);
    expect(await isBundled([], bundles)).toEqual(expected);
  });
});
