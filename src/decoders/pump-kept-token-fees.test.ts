import { describe, expect, it } from 'vitest';
import { address } from '../../tests/support/build-transaction.ts';
import { CAT, tokenTransfer, tradeDraft } from '../../tests/support/pump-drafts.ts';
import { keptTradeEvent } from '../../tests/support/pump-october-drafts.ts';
import { decodeScene, TOKENS } from '../../tests/support/pump-scene.ts';
import { transferChecked, transferCheckedWithFee } from '../../tests/support/token-instructions.ts';
import { USDC } from '../model/program.ts';

describe('fees that stay in the vault of a curve quoted in a token', () => {
  /** 100 USDC: 950,000 + 300,000 in fees; 950,000 - 475,000 + 300,000 = 775,000 of them stay. */
  const quoted = {
    tokenAmount: TOKENS,
    quoteAmount: 100_000_000n,
    fee: 950_000n,
    creatorFee: 300_000n,
    buybackFee: 475_000n,
    quoteMint: USDC,
  };
  const XSTOCK = address('xstock mint');

  it('are separate from the traded amount of a buy', () => {
    const instruction = tradeDraft('buy_v3', [
      tokenTransfer(CAT.aliceQuote, CAT.quoteVault, CAT.alice, 100_775_000n),
      tokenTransfer(CAT.aliceQuote, CAT.buybackRecipient, CAT.alice, 475_000n),
      tokenTransfer(CAT.baseVault, CAT.aliceBase, CAT.curve, TOKENS),
      keptTradeEvent({ ...quoted, isBuy: true }),
    ]);
    const { swaps } = decodeScene({
      instructions: [instruction],
      sold: TOKENS,
      quote: { mint: USDC, curve: 100_775_000n, alice: -101_250_000n },
    });
    expect(swaps[0]).toMatchObject({
      side: 'buy',
      baseMint: CAT.mint,
      quoteMint: USDC,
      quoteDecimals: 6,
      poolQuoteDelta: 100_000_000n,
      keptFees: { base: 0n, quote: 775_000n },
      traderQuoteDelta: -101_250_000n,
      feeQuoteRaw: 1_250_000n,
      quarantine: null,
    });
  });

  it('are separate from the traded amount of a sell', () => {
    const instruction = tradeDraft('sell_v3', [
      tokenTransfer(CAT.aliceBase, CAT.baseVault, CAT.alice, TOKENS),
      tokenTransfer(CAT.quoteVault, CAT.aliceQuote, CAT.curve, 98_750_000n),
      tokenTransfer(CAT.quoteVault, CAT.buybackRecipient, CAT.curve, 475_000n),
      keptTradeEvent({ ...quoted, isBuy: false }),
    ]);
    const { swaps } = decodeScene({
      instructions: [instruction],
      sold: -TOKENS,
      quote: { mint: USDC, curve: -99_225_000n, alice: 98_750_000n },
    });
    expect(swaps[0]).toMatchObject({
      side: 'sell',
      poolQuoteDelta: -100_000_000n,
      keptFees: { base: 0n, quote: 775_000n },
      traderQuoteDelta: 98_750_000n,
      quarantine: null,
    });
  });

  it('are separate from the amount received in a Token-2022 mint that withholds a fee', () => {
    // 101,000,000 sent and 225,000 withheld: 100,775,000 arrive.
    const sent = { from: CAT.aliceQuote, to: CAT.quoteVault, by: CAT.alice, amount: 101_000_000n };
    const instruction = tradeDraft('buy_v3', [
      transferCheckedWithFee(sent, XSTOCK, 225_000n),
      tokenTransfer(CAT.baseVault, CAT.aliceBase, CAT.curve, TOKENS),
      keptTradeEvent({ ...quoted, quoteMint: XSTOCK, isBuy: true }),
    ]);
    const { swaps } = decodeScene({
      instructions: [instruction],
      sold: TOKENS,
      quote: { mint: XSTOCK, curve: 100_775_000n, alice: -101_000_000n },
    });
    expect(swaps[0]).toMatchObject({
      quoteMint: XSTOCK,
      poolQuoteDelta: 100_000_000n,
      keptFees: { base: 0n, quote: 775_000n },
      traderQuoteDelta: -101_000_000n,
      quarantine: null,
    });
  });

  it('keep the launched mint as base when another launched mint is the quote', () => {
    const dog = address('dog mint');
    const sent = { from: CAT.aliceQuote, to: CAT.quoteVault, by: CAT.alice, amount: 100_775_000n };
    const instruction = tradeDraft('buy_v3', [
      transferChecked(sent, dog),
      tokenTransfer(CAT.baseVault, CAT.aliceBase, CAT.curve, TOKENS),
      keptTradeEvent({ ...quoted, quoteMint: dog, isBuy: true }),
    ]);
    const { swaps } = decodeScene({
      instructions: [instruction],
      sold: TOKENS,
      quote: { mint: dog, curve: 100_775_000n, alice: -100_775_000n },
    });
    expect(swaps[0]).toMatchObject({
      baseMint: CAT.mint,
      quoteMint: dog,
      poolQuoteDelta: 100_000_000n,
      quarantine: null,
    });
  });

  it('quarantine the trade when they did not stay', () => {
    const instruction = tradeDraft('buy_v3', [
      tokenTransfer(CAT.aliceQuote, CAT.quoteVault, CAT.alice, 100_000_000n),
      tokenTransfer(CAT.baseVault, CAT.aliceBase, CAT.curve, TOKENS),
      keptTradeEvent({ ...quoted, isBuy: true }),
    ]);
    const { swaps } = decodeScene({
      instructions: [instruction],
      sold: TOKENS,
      quote: { mint: USDC, curve: 100_000_000n, alice: -100_000_000n },
    });
    expect(swaps[0]?.quarantine).toBe('event says 100000000 of quote, 99225000 moved');
  });
});
