import { describe, expect, it } from 'vitest';
import { concat } from '../../tests/support/borsh-bytes.ts';
import type { InstructionDraft } from '../../tests/support/build-transaction.ts';
import {
  CAT,
  latestTradePieces,
  selfEvent,
  systemTransfer,
  TRADE_EVENT,
  type TradeForm,
  tokenTransfer,
  tradeDraft,
} from '../../tests/support/pump-drafts.ts';
import { keptTradeEvent } from '../../tests/support/pump-october-drafts.ts';
import { decodeScene, SOL, TOKENS } from '../../tests/support/pump-scene.ts';
import { SYSTEM_PROGRAM, WRAPPED_SOL } from '../model/program.ts';

/**
 * One SOL at 95 basis points for the protocol, half of them for the buy-back, and 30 for the
 * creator: 9,500,000 + 3,000,000 in fees, of which 9,500,000 - 4,750,000 + 3,000,000 = 7,750,000
 * stay.
 */
const BUY = {
  isBuy: true,
  quoteAmount: SOL,
  tokenAmount: TOKENS,
  fee: 9_500_000n,
  creatorFee: 3_000_000n,
  buybackFee: 4_750_000n,
};
const KEPT = 7_750_000n;

/** Half a SOL at the same rates: 4,750,000 + 1,500,000, of which 3,875,000 stay. */
const SALE = {
  isBuy: false,
  quoteAmount: 500_000_000n,
  tokenAmount: TOKENS,
  fee: 4_750_000n,
  creatorFee: 1_500_000n,
  buybackFee: 2_375_000n,
};

function buy(changes: Partial<typeof BUY & { feeRecipient: string }> = {}, form?: TradeForm) {
  return buyPaying([SOL + KEPT], [keptTradeEvent({ ...BUY, ...changes })], form);
}

/** A buy that sends these lamports to the curve, as separate transfers. */
function buyPaying(
  payments: readonly bigint[],
  events: readonly InstructionDraft[] = [keptTradeEvent(BUY)],
  form: TradeForm = 'buy_v3',
): InstructionDraft {
  return tradeDraft(form, [
    tokenTransfer(CAT.baseVault, CAT.aliceBase, CAT.curve, TOKENS),
    ...payments.map((lamports) => systemTransfer(CAT.alice, CAT.curve, lamports)),
    systemTransfer(CAT.alice, CAT.buybackRecipient, 4_750_000n),
    ...events,
  ]);
}

function sale(inner: readonly InstructionDraft[] = []): InstructionDraft {
  return tradeDraft('sell_v3', [
    tokenTransfer(CAT.aliceBase, CAT.baseVault, CAT.alice, TOKENS),
    ...inner,
    keptTradeEvent(SALE),
  ]);
}

describe('a buy whose fees stay on a SOL curve', () => {
  it.each<TradeForm>(['buy_v3', 'buy_exact_quote_in_v3', 'buy', 'buy_v2'])(
    'trades the amount that reached the curve less those fees: %s',
    (form) => {
      const { swaps, malformed } = decodeScene({
        instructions: [buy({}, form)],
        sold: TOKENS,
        curveGain: 1_007_750_000n,
      });
      expect(malformed).toEqual([]);
      expect(swaps).toHaveLength(1);
      expect(swaps[0]).toMatchObject({
        side: 'buy',
        pool: CAT.curve,
        baseMint: CAT.mint,
        quoteMint: WRAPPED_SOL,
        trader: CAT.alice,
        poolBaseDelta: -TOKENS,
        poolQuoteDelta: 1_000_000_000n,
        keptFees: { base: 0n, quote: 7_750_000n },
        traderBaseDelta: TOKENS,
        traderQuoteDelta: -1_012_500_000n,
        feeQuoteRaw: 12_500_000n,
        quarantine: null,
      });
    },
  );

  it('is quarantined when the curve gained one lamport more or less', () => {
    for (const off of [1n, -1n]) {
      const { swaps } = decodeScene({
        instructions: [buy()],
        sold: TOKENS,
        curveGain: 1_007_750_000n + off,
      });
      expect(swaps[0]?.quarantine).toBe(
        `curve gained ${1_007_750_000n + off} lamports, its swaps explain 1007750000`,
      );
    }
  });

  it('is quarantined when only the traded amount reached the curve', () => {
    const { swaps } = decodeScene({
      instructions: [buyPaying([SOL])],
      sold: TOKENS,
      curveGain: SOL,
    });
    expect(swaps[0]).toMatchObject({
      quarantine: 'event says 1000000000 of quote, 992250000 moved',
    });
  });

  it('is quarantined when its event reports fees as paid out but they stayed', () => {
    const { swaps } = decodeScene({
      instructions: [buy({ feeRecipient: CAT.feeRecipient })],
      sold: TOKENS,
      curveGain: SOL + KEPT,
    });
    expect(swaps[0]?.keptFees).toBeUndefined();
    expect(swaps[0]?.quarantine).toBe('event says 1000000000 of quote, 1007750000 moved');
  });

  it('does not count a separate transfer that is the deposit for a larger account', () => {
    const deposit = 640_320n;
    const payments = [deposit, SOL, KEPT];
    const { swaps } = decodeScene({
      instructions: [buyPaying(payments)],
      sold: TOKENS,
      curveGain: SOL + KEPT + deposit,
    });
    expect(swaps[0]).toMatchObject({
      poolQuoteDelta: SOL,
      keptFees: { base: 0n, quote: KEPT },
      traderQuoteDelta: -1_012_500_000n,
      quarantine: null,
    });
  });

  it('does not treat part of a payment as a deposit', () => {
    const { swaps } = decodeScene({
      instructions: [buyPaying([SOL + KEPT + 640_320n])],
      sold: TOKENS,
      curveGain: SOL + KEPT + 640_320n,
    });
    expect(swaps[0]?.quarantine).toBe('event says 1000000000 of quote, 1000640320 moved');
  });

  it('finds its event in the log when the program did not emit one by a call', () => {
    const event = keptTradeEvent(BUY).data?.subarray(8) ?? new Uint8Array(0);
    const { swaps } = decodeScene({
      instructions: [buyPaying([SOL + KEPT], [])],
      sold: TOKENS,
      curveGain: SOL + KEPT,
      logMessages: [`Program data: ${Buffer.from(event).toString('base64')}`],
    });
    expect(swaps[0]).toMatchObject({ poolQuoteDelta: SOL, quarantine: null });
  });

  it('is malformed without its event, which alone separates fees from the amount', () => {
    const { swaps, malformed } = decodeScene({
      instructions: [buyPaying([SOL + KEPT], [])],
      sold: TOKENS,
      curveGain: SOL + KEPT,
    });
    expect(swaps).toEqual([]);
    expect(malformed).toEqual(['a trade that keeps its fees without its event']);
  });

  it('is malformed when its event keeps more than reached the curve', () => {
    const event = keptTradeEvent({ ...BUY, fee: 10n * SOL });
    const { swaps, malformed } = decodeScene({
      instructions: [buyPaying([SOL + KEPT], [event])],
      sold: TOKENS,
      curveGain: SOL + KEPT,
    });
    expect(swaps).toEqual([]);
    expect(malformed).toEqual(['less reached the curve than the fees it keeps']);
  });

  it('is malformed when its buy-back exceeds all fees', () => {
    const event = keptTradeEvent({ ...BUY, buybackFee: 13_000_000n });
    const { malformed } = decodeScene({
      instructions: [buyPaying([SOL], [event])],
      sold: TOKENS,
      curveGain: SOL,
    });
    expect(malformed).toEqual(['a buy-back larger than the fees']);
  });
});

describe('a sell whose fees stay on a SOL curve', () => {
  it('removes the traded amount less those fees from the curve', () => {
    const { swaps } = decodeScene({
      instructions: [sale()],
      sold: -TOKENS,
      curveGain: -496_125_000n,
    });
    expect(swaps[0]).toMatchObject({
      side: 'sell',
      poolBaseDelta: TOKENS,
      poolQuoteDelta: -500_000_000n,
      keptFees: { base: 0n, quote: 3_875_000n },
      traderBaseDelta: -TOKENS,
      traderQuoteDelta: 493_750_000n,
      feeQuoteRaw: 6_250_000n,
      quarantine: null,
    });
  });

  it('is quarantined when the fees also left the curve', () => {
    const { swaps } = decodeScene({
      instructions: [sale()],
      sold: -TOKENS,
      curveGain: -500_000_000n,
    });
    expect(swaps[0]?.quarantine).toBe(
      'curve gained -500000000 lamports, its swaps explain -496125000',
    );
  });

  it('does not count the deposit for a larger account', () => {
    const { swaps } = decodeScene({
      instructions: [sale([systemTransfer(CAT.alice, CAT.curve, 640_320n)])],
      sold: -TOKENS,
      curveGain: -496_125_000n + 640_320n,
    });
    expect(swaps[0]).toMatchObject({ poolQuoteDelta: -500_000_000n, quarantine: null });
  });

  it('is checked against the curve together with buys and sells', () => {
    const older = tradeDraft('buy', [
      tokenTransfer(CAT.baseVault, CAT.aliceBase, CAT.curve, TOKENS),
      systemTransfer(CAT.alice, CAT.curve, SOL),
      systemTransfer(CAT.alice, CAT.feeRecipient, 4_750_000n),
      systemTransfer(CAT.alice, CAT.buybackRecipient, 4_750_000n),
      systemTransfer(CAT.alice, CAT.creatorVault, 3_000_000n),
      keptTradeEvent({ ...BUY, feeRecipient: CAT.feeRecipient }),
    ]);
    const { swaps } = decodeScene({
      instructions: [buy(), older, sale()],
      sold: TOKENS,
      curveGain: 1_007_750_000n + 1_000_000_000n - 496_125_000n,
    });
    expect(swaps.map(({ quarantine }) => quarantine)).toEqual([null, null, null]);
    expect(swaps.map(({ keptFees }) => keptFees?.quote)).toEqual([KEPT, undefined, 3_875_000n]);
  });
});

it('a trade whose event is truncated anywhere inside its fields is malformed', () => {
  const whole = concat(
    ...latestTradePieces({
      ...BUY,
      solAmount: SOL,
      cashback: 0n,
      quoteMint: SYSTEM_PROGRAM,
      feeRecipient: SYSTEM_PROGRAM,
      virtualQuote: 31n * SOL,
      realQuote: SOL,
    }),
  );
  for (const cut of [1, 7, 9, 15]) {
    const event = selfEvent(TRADE_EVENT, whole.subarray(0, whole.length - cut));
    const { swaps, malformed } = decodeScene({
      instructions: [buyPaying([SOL + KEPT], [event])],
      sold: TOKENS,
      curveGain: SOL + KEPT,
    });
    expect(swaps).toEqual([]);
    expect(malformed).toEqual(['TradeEvent ends inside its fields']);
  }
});
