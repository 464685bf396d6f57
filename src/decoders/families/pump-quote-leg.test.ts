import { describe, expect, it } from 'vitest';
import { concat } from '../../../tests/support/borsh-bytes.ts';
import type { InstructionDraft } from '../../../tests/support/build-transaction.ts';
import {
  CAT,
  latestTradePieces,
  selfEvent,
  systemTransfer,
  TRADE_EVENT,
  type TradeForm,
  tokenTransfer,
  tradeDraft,
  tradeFields,
  tradeFieldsWithFees,
} from '../../../tests/support/pump-drafts.ts';
import {
  buyDraft,
  decodeScene,
  SOL,
  saleDraft,
  TOKENS,
} from '../../../tests/support/pump-scene.ts';
import { SYSTEM_PROGRAM, USDC, WRAPPED_SOL } from '../../model/program.ts';

describe('a sell', () => {
  it('pays the amount of its event less the fees', () => {
    const event = tradeFieldsWithFees(
      { isBuy: false, solAmount: 500_000_000n, tokenAmount: TOKENS },
      { fee: 4_750_000n, creatorFee: 250_000n },
    );
    const { swaps } = decodeScene({
      instructions: [saleDraft({ event })],
      sold: -TOKENS,
      curveGain: -500_000_000n,
    });
    expect(swaps[0]).toMatchObject({
      side: 'sell',
      poolBaseDelta: TOKENS,
      poolQuoteDelta: -500_000_000n,
      traderBaseDelta: -TOKENS,
      traderQuoteDelta: 495_000_000n,
      feeQuoteRaw: 5_000_000n,
      quarantine: null,
    });
  });

  it('without fees in its event paid the amount that the fee recipient gained', () => {
    const { swaps } = decodeScene({
      instructions: [saleDraft()],
      sold: -TOKENS,
      curveGain: -SOL,
      feeGain: 10_000_000n,
    });
    expect(swaps[0]).toMatchObject({ traderQuoteDelta: 990_000_000n, feeQuoteRaw: 10_000_000n });
  });

  it('separates its fee from the one transferred by a buy of the same transaction', () => {
    const { swaps } = decodeScene({
      instructions: [buyDraft(), saleDraft({ solAmount: SOL - 1n })],
      sold: 0n,
      curveGain: 1n,
      feeGain: 20_000_000n,
    });
    expect(swaps.map(({ feeQuoteRaw }) => feeQuoteRaw)).toEqual([10_000_000n, 10_000_000n]);
    expect(swaps.map(({ isAtomicRoundTrip }) => isAtomicRoundTrip)).toEqual([true, true]);
  });

  it('leaves fee and proceeds unknown when two sells share one fee recipient', () => {
    const { swaps } = decodeScene({
      instructions: [saleDraft(), saleDraft()],
      sold: -2n * TOKENS,
      curveGain: -2n * SOL,
      feeGain: 20_000_000n,
    });
    expect(swaps.map((swap) => [swap.poolQuoteDelta, swap.feeQuoteRaw])).toEqual([
      [-SOL, null],
      [-SOL, null],
    ]);
    expect(swaps.map(({ traderQuoteDelta }) => traderQuoteDelta)).toEqual([null, null]);
  });

  it('of dust moves tokens and pays nothing', () => {
    const event = tradeFieldsWithFees(
      { isBuy: false, solAmount: 0n, tokenAmount: 35_724n },
      { fee: 0n, creatorFee: 0n },
    );
    const { swaps } = decodeScene({
      instructions: [saleDraft({ event, tokenAmount: 35_724n })],
      sold: -35_724n,
      curveGain: 0n,
    });
    expect(swaps[0]).toMatchObject({
      poolBaseDelta: 35_724n,
      poolQuoteDelta: 0n,
      traderQuoteDelta: 0n,
      quarantine: null,
    });
  });

  it('without an event has the lamports that the curve lost, if it was the only one', () => {
    const { swaps } = decodeScene({
      instructions: [saleDraft({ event: null })],
      sold: -TOKENS,
      curveGain: -SOL,
      feeGain: 10_000_000n,
    });
    expect(swaps[0]).toMatchObject({ poolQuoteDelta: -SOL, traderQuoteDelta: 990_000_000n });
  });

  it('without an event next to another sell is malformed, not divided', () => {
    const { swaps, malformed } = decodeScene({
      instructions: [saleDraft({ event: null }), saleDraft({ event: null })],
      sold: -2n * TOKENS,
      curveGain: -2n * SOL,
    });
    expect(swaps).toEqual([]);
    expect(malformed).toEqual([
      'a sale without its event or lamports of its own',
      'a sale without its event or lamports of its own',
    ]);
  });

  it('is malformed when its event is truncated', () => {
    const event = tradeFields({ isBuy: false, solAmount: SOL, tokenAmount: TOKENS }).subarray(
      0,
      90,
    );
    const { swaps, malformed } = decodeScene({
      instructions: [saleDraft({ event })],
      sold: -TOKENS,
      curveGain: -SOL,
    });
    expect(swaps).toEqual([]);
    expect(malformed).toEqual(['TradeEvent ends inside its fields']);
  });
});

describe('a trade against a token', () => {
  const quoted = {
    solAmount: 0n,
    tokenAmount: TOKENS,
    cashback: 0n,
    buybackFee: 0n,
    fee: 12_000n,
    creatorFee: 345n,
    quoteMint: USDC,
    quoteAmount: 1_234_567n,
    virtualQuote: 9_798_461_752n,
    realQuote: 25_148_140n,
  };
  const trade = (form: TradeForm, isBuy: boolean, inner: InstructionDraft[]) =>
    tradeDraft(form, [
      isBuy
        ? tokenTransfer(CAT.baseVault, CAT.aliceBase, CAT.curve, TOKENS)
        : tokenTransfer(CAT.aliceBase, CAT.baseVault, CAT.alice, TOKENS),
      ...inner,
    ]);
  const event = (isBuy: boolean, values = quoted) =>
    selfEvent(TRADE_EVENT, concat(...latestTradePieces({ ...values, isBuy })));
  const feeAccount = CAT.buybackRecipient;

  it.each(['buy_v2', 'buy_exact_quote_in_v2'] as const)('is read from its vaults: %s', (form) => {
    const instruction = trade(form, true, [
      tokenTransfer(CAT.aliceQuote, CAT.quoteVault, CAT.alice, 1_234_567n),
      tokenTransfer(CAT.aliceQuote, feeAccount, CAT.alice, 12_345n),
      event(true),
    ]);
    const { swaps } = decodeScene({
      instructions: [instruction],
      sold: TOKENS,
      quote: { mint: USDC, curve: 1_234_567n, alice: -1_246_912n },
    });
    expect(swaps[0]).toMatchObject({
      side: 'buy',
      baseMint: CAT.mint,
      quoteMint: USDC,
      quoteDecimals: 6,
      poolBaseDelta: -TOKENS,
      poolQuoteDelta: 1_234_567n,
      traderQuoteDelta: -1_246_912n,
      feeQuoteRaw: 12_345n,
      reserves: { quote: 25_148_140n, virtualQuote: 9_798_461_752n },
      quarantine: null,
    });
  });

  it('sells for the amount the vault pays, including fees', () => {
    const instruction = trade('sell_v2', false, [
      tokenTransfer(CAT.quoteVault, CAT.aliceQuote, CAT.curve, 1_222_222n),
      tokenTransfer(CAT.quoteVault, feeAccount, CAT.curve, 12_345n),
      event(false),
    ]);
    const { swaps } = decodeScene({
      instructions: [instruction],
      sold: -TOKENS,
      quote: { mint: USDC, curve: -1_234_567n, alice: 1_222_222n },
    });
    expect(swaps[0]).toMatchObject({
      side: 'sell',
      poolQuoteDelta: -1_234_567n,
      traderQuoteDelta: 1_222_222n,
      quarantine: null,
    });
  });

  it('that pays nothing remains a trade against that token', () => {
    const { swaps } = decodeScene({
      instructions: [trade('sell_v2', false, [event(false, { ...quoted, quoteAmount: 0n })])],
      sold: -TOKENS,
      quote: { mint: USDC, curve: 0n, alice: 0n },
    });
    expect(swaps[0]).toMatchObject({ quoteMint: USDC, poolQuoteDelta: 0n, quarantine: null });
  });

  it('in wrapped SOL is not checked against the lamports of the curve account', () => {
    const instruction = trade('buy_v2', true, [
      tokenTransfer(CAT.aliceQuote, CAT.quoteVault, CAT.alice, SOL),
      event(true, { ...quoted, quoteMint: WRAPPED_SOL, quoteAmount: SOL }),
    ]);
    const { swaps } = decodeScene({
      instructions: [instruction],
      sold: TOKENS,
      quote: { mint: WRAPPED_SOL, decimals: 9, curve: SOL, alice: -SOL },
    });
    expect(swaps[0]).toMatchObject({
      quoteMint: WRAPPED_SOL,
      poolQuoteDelta: SOL,
      quarantine: null,
    });
  });

  it('is quarantined when the event reports another amount', () => {
    const instruction = trade('buy_v2', true, [
      tokenTransfer(CAT.aliceQuote, CAT.quoteVault, CAT.alice, 1_234_568n),
      event(true),
    ]);
    const { swaps } = decodeScene({
      instructions: [instruction],
      sold: TOKENS,
      quote: { mint: USDC, curve: 1_234_568n, alice: -1_234_568n },
    });
    expect(swaps[0]?.quarantine).toBe('event says 1234567 of quote, 1234568 moved');
  });

  it('is native when the quote vault exists but does not move', () => {
    const native = { ...quoted, quoteMint: SYSTEM_PROGRAM, solAmount: SOL, quoteAmount: SOL };
    const instruction = trade('buy_v2', true, [
      systemTransfer(CAT.alice, CAT.curve, SOL),
      event(true, native),
    ]);
    const { swaps } = decodeScene({ instructions: [instruction], sold: TOKENS, curveGain: SOL });
    expect(swaps[0]).toMatchObject({
      quoteMint: WRAPPED_SOL,
      quoteDecimals: 9,
      poolQuoteDelta: SOL,
      quarantine: null,
    });
  });
});
