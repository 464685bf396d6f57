import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concat } from '../../../tests/support/borsh-bytes.ts';
import type { InstructionDraft } from '../../../tests/support/build-transaction.ts';
import { boughtFrom } from '../../../tests/support/pool-events.ts';
import {
  CAT,
  createAccount,
  latestTradePieces,
  oldestTradeFields,
  selfEvent,
  systemTransfer,
  TRADE_EVENT,
  type TradeForm,
  tokenTransfer,
  tradeDraft,
  tradeFields,
} from '../../../tests/support/pump-drafts.ts';
import {
  buyDraft,
  decodeScene,
  SOL,
  saleDraft,
  TOKENS,
  tradeEvent,
} from '../../../tests/support/pump-scene.ts';
import { SPL_TOKEN_PROGRAM, SYSTEM_PROGRAM } from '../../model/program.ts';

describe('a buy', () => {
  it('has the tokens and lamports that moved, and the reserves of its event', () => {
    const { swaps } = decodeScene({ instructions: [buyDraft()], sold: TOKENS, curveGain: SOL });
    expect(swaps).toEqual([
      boughtFrom('pump', {
        pool: CAT.curve,
        baseMint: CAT.mint,
        trader: CAT.alice,
        poolBaseDelta: -TOKENS,
        poolQuoteDelta: SOL,
        traderBaseDelta: TOKENS,
        traderQuoteDelta: -1_010_000_000n,
        reserves: {
          base: 758_487_096_774_194n,
          quote: SOL,
          virtualBase: 1_038_387_096_774_194n,
          virtualQuote: 31n * SOL,
        },
        feeQuoteRaw: 10_000_000n,
      }),
    ]);
  });

  it('has no reserves when its event is of the oldest layout', () => {
    const event = oldestTradeFields({ isBuy: true, solAmount: SOL, tokenAmount: TOKENS });
    const { swaps } = decodeScene({
      instructions: [buyDraft({ event })],
      sold: TOKENS,
      curveGain: SOL,
    });
    expect(swaps[0]).toMatchObject({ reserves: null, poolQuoteDelta: SOL, quarantine: null });
  });

  it('needs no event, since the transfers show both legs and the fee', () => {
    const { swaps } = decodeScene({
      instructions: [buyDraft({ event: null })],
      sold: TOKENS,
      curveGain: SOL,
    });
    expect(swaps[0]).toMatchObject({
      poolBaseDelta: -TOKENS,
      poolQuoteDelta: SOL,
      traderQuoteDelta: -1_010_000_000n,
      feeQuoteRaw: 10_000_000n,
      reserves: null,
      quarantine: null,
    });
  });

  it('costs the trader every transfer, except deposits for new accounts', () => {
    const { swaps } = decodeScene({
      instructions: [buyDraft({ extra: [createAccount(CAT.alice, CAT.cashback, 1_844_400n)] })],
      sold: TOKENS,
      curveGain: SOL,
    });
    expect(swaps[0]?.traderQuoteDelta).toBe(-1_010_000_000n);
  });

  it('with an exact input amount pays protocol, buy-back and cashback from it', () => {
    const values = {
      isBuy: true,
      solAmount: SOL,
      tokenAmount: TOKENS,
      fee: 9_500_000n,
      creatorFee: 0n,
      cashback: 3_000_000n,
      buybackFee: 4_750_000n,
      quoteMint: SYSTEM_PROGRAM,
      quoteAmount: SOL,
      virtualQuote: 31n * SOL,
      realQuote: SOL,
    };
    const instruction = tradeDraft('buy_exact_sol_in', [
      tokenTransfer(CAT.baseVault, CAT.aliceBase, CAT.curve, TOKENS),
      systemTransfer(CAT.alice, CAT.cashback, 3_000_000n),
      systemTransfer(CAT.alice, CAT.curve, SOL),
      systemTransfer(CAT.alice, CAT.buybackRecipient, 4_750_000n),
      systemTransfer(CAT.alice, CAT.feeRecipient, 4_750_000n),
      selfEvent(TRADE_EVENT, concat(...latestTradePieces(values))),
    ]);
    const { swaps } = decodeScene({ instructions: [instruction], sold: TOKENS, curveGain: SOL });
    expect(swaps[0]).toMatchObject({
      poolQuoteDelta: SOL,
      traderQuoteDelta: -1_012_500_000n,
      feeQuoteRaw: 12_500_000n,
      quarantine: null,
    });
  });

  it('is malformed when tokens left and no lamports arrived', () => {
    const instruction = tradeDraft('buy', [
      tokenTransfer(CAT.baseVault, CAT.aliceBase, CAT.curve, TOKENS),
      tradeEvent({ isBuy: true, solAmount: SOL, tokenAmount: TOKENS }),
    ]);
    const { swaps, malformed } = decodeScene({ instructions: [instruction], sold: TOKENS });
    expect(swaps).toEqual([]);
    expect(malformed).toEqual(['tokens left the curve and no lamports reached it']);
  });

  it('below another program has it as its router', () => {
    const router = { program: CAT.cashback, inner: [buyDraft()] };
    const { swaps } = decodeScene({ instructions: [router], sold: TOKENS, curveGain: SOL });
    expect(swaps[0]).toMatchObject({ router: CAT.cashback, outerIx: 0, innerIx: 0 });
  });
});

describe('an inconsistent trade is quarantined', () => {
  it('when the event reports other lamports than reached the curve', () => {
    const event = tradeFields({ isBuy: true, solAmount: SOL + 1n, tokenAmount: TOKENS });
    const { swaps } = decodeScene({
      instructions: [buyDraft({ event })],
      sold: TOKENS,
      curveGain: SOL,
    });
    expect(swaps[0]).toMatchObject({
      poolQuoteDelta: SOL,
      quarantine: 'event says 1000000001 of quote, 1000000000 moved',
    });
  });

  it('when the event reports other tokens than moved', () => {
    const event = tradeFields({ isBuy: true, solAmount: SOL, tokenAmount: 5n });
    const { swaps } = decodeScene({
      instructions: [buyDraft({ event })],
      sold: TOKENS,
      curveGain: SOL,
    });
    expect(swaps[0]?.quarantine).toBe(`event says 5 tokens, ${TOKENS} moved`);
  });

  it('when the event reports the other side', () => {
    const event = tradeFields({ isBuy: false, solAmount: SOL, tokenAmount: TOKENS });
    const { swaps } = decodeScene({
      instructions: [buyDraft({ event })],
      sold: TOKENS,
      curveGain: SOL,
    });
    expect(swaps[0]?.quarantine).toBe('event tells the other side');
  });

  it('when the lamports of the curve contradict its sells', () => {
    const { swaps } = decodeScene({
      instructions: [saleDraft()],
      sold: -TOKENS,
      curveGain: -SOL + 7n,
    });
    expect(swaps[0]?.quarantine).toBe(
      'curve gained -999999993 lamports, its swaps explain -1000000000',
    );
  });

  it('when the balance of the token account contradicts the transfers', () => {
    const { swaps } = decodeScene({
      instructions: [buyDraft()],
      sold: TOKENS + 1n,
      curveGain: SOL,
    });
    expect(swaps[0]?.quarantine).toBe('base vault balance contradicts its transfers');
  });
});

describe('any trade', () => {
  const amount = fc.bigInt({ min: 0n, max: 2n ** 40n });
  const tokens = fc.constantFrom(CAT.baseVault, CAT.aliceBase);
  const tokenLeg = fc
    .tuple(tokens, tokens, amount)
    .map(([from, to, units]) => tokenTransfer(from, to, from, units));
  const payment = fc
    .tuple(fc.constantFrom(CAT.curve, CAT.feeRecipient), amount)
    .map(([to, lamports]) => systemTransfer(CAT.alice, to, lamports));
  const event = fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    {
      weight: 3,
      arbitrary: fc
        .record({ isBuy: fc.boolean(), solAmount: amount, tokenAmount: amount })
        .map((values) => [tradeEvent(values)]),
    },
    {
      weight: 1,
      arbitrary: fc.uint8Array({ maxLength: 260 }).map((data) => [selfEvent(TRADE_EVENT, data)]),
    },
  );
  const legs = fc
    .tuple(
      fc.array(tokenLeg, { minLength: 1, maxLength: 3 }),
      fc.array(payment, { minLength: 1, maxLength: 3 }),
      event,
    )
    .map((parts) => parts.flat());

  it('has exactly the legs that were transferred, or none', () => {
    const form = fc.constantFrom<TradeForm>('buy', 'buy_exact_sol_in', 'sell', 'buy_v2', 'sell_v2');
    fc.assert(
      fc.property(form, legs, (name, inner) => {
        const gained = netOf(inner, CAT.baseVault);
        const paid = paidTo(inner, CAT.curve);
        const instructions = [tradeDraft(name, inner)];
        const { swaps } = decodeScene({ instructions, sold: -gained, curveGain: paid });
        for (const swap of swaps) {
          expect(swap.poolBaseDelta).toBe(gained);
          if (swap.side === 'buy') expect(swap.poolQuoteDelta).toBe(paid);
          if (swap.side === 'sell' && swap.quarantine === null)
            expect(swap.poolQuoteDelta).toBe(0n);
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** Net token transfers into an account, computed from their bytes. */
function netOf(inner: readonly InstructionDraft[], account: string): bigint {
  let net = 0n;
  for (const { program, accounts = [], data = new Uint8Array(0) } of inner) {
    if (program !== SPL_TOKEN_PROGRAM) continue;
    if (accounts[1] === account) net += amountAt(data, 1);
    if (accounts[0] === account) net -= amountAt(data, 1);
  }
  return net;
}

function paidTo(inner: readonly InstructionDraft[], account: string): bigint {
  let paid = 0n;
  for (const { program, accounts = [], data = new Uint8Array(0) } of inner) {
    if (program === SYSTEM_PROGRAM && accounts[1] === account) paid += amountAt(data, 4);
  }
  return paid;
}

function amountAt(data: Uint8Array, offset: number): bigint {
  return new DataView(data.buffer, data.byteOffset).getBigUint64(offset, true);
}
