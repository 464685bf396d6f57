import { describe, expect, it } from 'vitest';
import type { InstructionDraft } from '../../../tests/support/build-transaction.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { factsOfDraft } from '../../../tests/support/decode-draft.ts';
import {
  CAT,
  catBalances,
  selfEvent,
  systemTransfer,
  tokenTransfer,
  tradeDraft,
} from '../../../tests/support/pump-drafts.ts';
import {
  completeEvent,
  keptTradeEvent,
  POST_COMPLETE_BUY_EVENT,
  poolPartFields,
} from '../../../tests/support/pump-october-drafts.ts';
import { decodeScene } from '../../../tests/support/pump-scene.ts';
import { mulDiv } from '../../lib/decimal.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import { readCompletedMint, readPoolPart } from './pump-pool-part.ts';

/**
 * A buy for exactly 0.0198 SOL past the end of its curve, according to the events of transaction
 * 3hYp997p8dPUpoonLZL3E5ZTCA8WS8sUUaQV1qWRfLXTVdJXjSUVoWBpLC7vNijR5uP7AdSYy6QwKf85hq84oU7R.
 *
 * Tokens: 1,132,030,466 of the curve and 46,463,173,329 of the future pool, 47,595,203,795 in all.
 * Quote: 465,127 + 19,090,426 = 19,555,553.
 * Fees: 4,419 + 1,396 + 181,360 + 57,272 = 244,447; with the quote 19,800,000.
 * Kept: 4,419 - 2,209 + 1,396 = 3,606 and 181,360 - 90,680 + 57,272 = 147,952, 151,558 in all.
 * The curve's lamports: 19,555,553 + 151,558 = 19,707,111 more.
 */
const CURVE_PART = {
  isBuy: true,
  quoteAmount: 465_127n,
  tokenAmount: 1_132_030_466n,
  fee: 4_419n,
  creatorFee: 1_396n,
  buybackFee: 2_209n,
};
const POOL_PART = {
  baseOut: 46_463_173_329n,
  quoteIn: 19_090_426n,
  fee: 181_360n,
  creatorFee: 57_272n,
  buybackFee: 90_680n,
  baseAfter: 206_853_536_826_671n,
  quoteAfter: 85_009_452_637n,
};
const TOKENS_IN_ALL = 47_595_203_795n;
const CURVE_GAIN = 19_707_111n;

function poolPartEvent(changes: Partial<typeof POOL_PART & { mint: string }> = {}) {
  return selfEvent(POST_COMPLETE_BUY_EVENT, poolPartFields({ ...POOL_PART, ...changes }));
}

function lastBuy(
  events: readonly InstructionDraft[] = [
    keptTradeEvent(CURVE_PART),
    completeEvent(),
    poolPartEvent(),
  ],
): InstructionDraft {
  return tradeDraft('buy_exact_quote_in_v3', [
    tokenTransfer(CAT.baseVault, CAT.aliceBase, CAT.curve, 1_132_030_466n),
    tokenTransfer(CAT.baseVault, CAT.aliceBase, CAT.curve, 46_463_173_329n),
    systemTransfer(CAT.alice, CAT.curve, 465_127n + 3_606n),
    systemTransfer(CAT.alice, CAT.buybackRecipient, 2_209n),
    systemTransfer(CAT.alice, CAT.curve, 19_090_426n + 147_952n),
    systemTransfer(CAT.alice, CAT.buybackRecipient, 90_680n),
    ...events,
  ]);
}

describe('a buy past the end of its curve', () => {
  it('is one swap: amounts and fees of both parts, and the initial reserves of the pool', () => {
    const { swaps, malformed } = decodeScene({
      instructions: [lastBuy()],
      sold: TOKENS_IN_ALL,
      curveGain: CURVE_GAIN,
    });
    expect(malformed).toEqual([]);
    expect(swaps).toHaveLength(1);
    expect(swaps[0]).toMatchObject({
      side: 'buy',
      trader: CAT.alice,
      pool: CAT.curve,
      poolBaseDelta: -47_595_203_795n,
      poolQuoteDelta: 19_555_553n,
      keptFees: { base: 0n, quote: 151_558n },
      traderBaseDelta: 47_595_203_795n,
      traderQuoteDelta: -19_800_000n,
      feeQuoteRaw: 244_447n,
      reserves: {
        base: 206_853_536_826_671n,
        quote: 85_009_452_637n,
        virtualBase: null,
        virtualQuote: null,
      },
      quarantine: null,
    });
  });

  it('has one price, that of both parts together', () => {
    const { swaps } = decodeScene({
      instructions: [lastBuy()],
      sold: TOKENS_IN_ALL,
      curveGain: CURVE_GAIN,
    });
    const { poolQuoteDelta = 0n, poolBaseDelta = 0n } = swaps[0] ?? {};
    // 19,555,553 / 10^9 SOL for 47,595,203,795 / 10^6 tokens, with 18 fraction digits.
    const price = mulDiv(poolQuoteDelta, 10n ** (18n - 9n + 6n), -poolBaseDelta, 'down');
    expect(price).toBe(410_872_345_125n);
  });

  it('is followed by the completion of its curve', () => {
    const { events } = factsOfDraft({
      signers: [CAT.alice],
      instructions: [lastBuy()],
      tokenBalances: catBalances(TOKENS_IN_ALL),
      lamports: { [CAT.curve]: [10n ** 12n, 10n ** 12n + CURVE_GAIN] },
    });
    const own = events.filter(({ kind }) => kind !== 'tokenTransfer' && kind !== 'solTransfer');
    expect(own.map(({ kind }) => kind)).toEqual(['swap', 'curveComplete']);
    expect(own[1]).toMatchObject({ mint: CAT.mint, pool: CAT.curve, outerIx: 0, innerIx: -1 });
  });

  it('is checked against the lamports of the curve', () => {
    const { swaps } = decodeScene({
      instructions: [lastBuy()],
      sold: TOKENS_IN_ALL,
      curveGain: CURVE_GAIN - 147_952n,
    });
    expect(swaps[0]?.quarantine).toBe('curve gained 19559159 lamports, its swaps explain 19707111');
  });

  it('is quarantined when tokens moved that neither part reports', () => {
    const { swaps } = decodeScene({
      instructions: [lastBuy([keptTradeEvent(CURVE_PART), completeEvent()])],
      sold: TOKENS_IN_ALL,
      curveGain: CURVE_GAIN,
    });
    expect(swaps[0]?.quarantine).toBe('event says 1132030466 tokens, 47595203795 moved');
  });

  it.each([
    ['is cut', [selfEvent(POST_COMPLETE_BUY_EVENT, poolPartFields(POOL_PART).subarray(0, 215))]],
    ['is of another mint', [poolPartEvent({ mint: address('dog mint') })]],
  ])('is malformed when the event of its second part %s', (_case, events) => {
    const { swaps, malformed } = decodeScene({
      instructions: [lastBuy([keptTradeEvent(CURVE_PART), ...events])],
      sold: TOKENS_IN_ALL,
      curveGain: CURVE_GAIN,
    });
    expect(swaps).toEqual([]);
    expect(malformed).toHaveLength(1);
  });

  it('is malformed when the event of its first part is missing', () => {
    const { swaps, malformed } = decodeScene({
      instructions: [lastBuy([poolPartEvent()])],
      sold: TOKENS_IN_ALL,
      curveGain: CURVE_GAIN,
    });
    expect(swaps).toEqual([]);
    expect(malformed).toEqual(['PostCompleteBuyEvent without its TradeEvent']);
  });
});

describe('the events of a completed curve', () => {
  const header = new Uint8Array(16);

  it('are read completely or not at all', () => {
    const fields = poolPartFields(POOL_PART);
    for (let length = 0; length < fields.length; length++) {
      expect(readPoolPart(Uint8Array.of(...header, ...fields.subarray(0, length)))).toBeNull();
    }
    expect(readPoolPart(Uint8Array.of(...header, ...fields))).toEqual({
      mint: CAT.mint,
      quoteMint: WRAPPED_SOL,
      baseOut: 46_463_173_329n,
      quoteIn: 19_090_426n,
      feeQuoteRaw: 238_632n,
      keptQuoteRaw: 147_952n,
      poolReserves: { base: 206_853_536_826_671n, quote: 85_009_452_637n },
    });
  });

  it('name the mint, or nothing when they are truncated', () => {
    const data = completeEvent().data ?? header;
    expect(readCompletedMint(data)).toBe(CAT.mint);
    expect(readCompletedMint(data.subarray(0, 16 + 63))).toBeNull();
  });
});
