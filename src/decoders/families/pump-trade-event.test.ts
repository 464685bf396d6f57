import { describe, expect, it } from 'vitest';
import { concat, flag } from '../../../tests/support/borsh-bytes.ts';
import { buildTransaction } from '../../../tests/support/build-transaction.ts';
import { encodeEvent, readIdl } from '../../../tests/support/idl.ts';
import {
  CAT,
  latestTradePieces,
  oldestTradeFields,
  PUMP,
  selfEvent,
  TRADE_EVENT,
  tradeFields,
  tradeFieldsWithFees,
} from '../../../tests/support/pump-drafts.ts';
import { hasTestData } from '../../../tests/support/test-data.ts';
import type { Instruction } from '../../model/instruction.ts';
import { SYSTEM_PROGRAM, USDC, WRAPPED_SOL } from '../../model/program.ts';
import { TransactionView } from '../transaction/transaction-view.ts';
import { readTradeEvent, tradeEventOf } from './pump-trade-event.ts';

const TRADE = {
  isBuy: false,
  solAmount: 500n,
  tokenAmount: 7_000n,
  virtualSol: 41n,
  virtualToken: 42n,
  realSol: 43n,
  realToken: 44n,
};
const FEES = { fee: 60n, creatorFee: 9n };
const LATEST = {
  ...TRADE,
  ...FEES,
  cashback: 11n,
  buybackFee: 30n,
  quoteMint: USDC,
  quoteAmount: 501n,
  virtualQuote: 45n,
  realQuote: 46n,
};

describe('readTradeEvent', () => {
  it('reads the oldest layout, which has neither real reserves nor fees', () => {
    expect(readTradeEvent(oldestTradeFields(TRADE), 0)).toEqual({
      mint: CAT.mint,
      isBuy: false,
      tokenAmount: 7_000n,
      quoteAmount: 500n,
      quoteMint: WRAPPED_SOL,
      virtualReserves: { base: 42n, quote: 41n },
      realReserves: null,
      feeQuoteRaw: null,
      areFeesKept: false,
      keptQuoteRaw: 0n,
    });
  });

  it('reads real reserves of layouts that have them', () => {
    expect(readTradeEvent(tradeFields(TRADE), 0)).toMatchObject({
      realReserves: { base: 44n, quote: 43n },
      feeQuoteRaw: null,
    });
  });

  it('adds the protocol fee and the creator fee', () => {
    const event = readTradeEvent(tradeFieldsWithFees(TRADE, FEES), 0);
    expect(event?.feeQuoteRaw).toBe(69n);
  });

  it('adds cashback, and treats buy-backs as part of the protocol fee', () => {
    const event = readTradeEvent(concat(...latestTradePieces(LATEST)), 0);
    expect(event?.feeQuoteRaw).toBe(60n + 9n + 11n);
  });

  it('does not add holder rewards, which repeat the creator fee', () => {
    const event = readTradeEvent(concat(...latestTradePieces({ ...LATEST, holderRewards: 9n })), 0);
    expect(event?.feeQuoteRaw).toBe(60n + 9n + 11n);
  });

  it('keeps the fees except the buy-back when the fee recipient is the zero key', () => {
    const kept = { ...LATEST, cashback: 0n, feeRecipient: SYSTEM_PROGRAM };
    expect(readTradeEvent(concat(...latestTradePieces(kept)), 0)).toMatchObject({
      areFeesKept: true,
      feeQuoteRaw: 69n,
      keptQuoteRaw: 60n - 30n + 9n,
    });
    expect(readTradeEvent(concat(...latestTradePieces(LATEST)), 0)).toMatchObject({
      areFeesKept: false,
      keptQuoteRaw: 0n,
    });
  });

  it('reads amount and reserves in the quote token of a curve that has one', () => {
    expect(readTradeEvent(concat(...latestTradePieces(LATEST)), 0)).toMatchObject({
      quoteMint: USDC,
      quoteAmount: 501n,
      virtualReserves: { base: 42n, quote: 45n },
      realReserves: { base: 44n, quote: 46n },
    });
  });

  it('treats the system program as native SOL in the quote', () => {
    const pieces = latestTradePieces({ ...LATEST, quoteMint: SYSTEM_PROGRAM });
    expect(readTradeEvent(concat(...pieces), 0)?.quoteMint).toBe(WRAPPED_SOL);
  });

  it('accepts an event that ends where any layout ended', () => {
    const pieces = latestTradePieces(LATEST);
    const amounts = pieces.map((_, last) => {
      const event = readTradeEvent(concat(...pieces.slice(0, last + 1)), 0);
      return event?.quoteAmount;
    });
    expect(amounts).toEqual([...Array<bigint>(7).fill(500n), ...Array<bigint>(3).fill(501n)]);
  });

  it('accepts bytes after the newest layout', () => {
    const appended = concat(...latestTradePieces(LATEST), flag(true), flag(true));
    expect(readTradeEvent(appended, 0)?.quoteAmount).toBe(501n);
  });

  it('rejects an event that ends anywhere else', () => {
    const pieces = latestTradePieces(LATEST);
    const whole = concat(...pieces);
    const boundaries = new Set([oldestTradeFields(TRADE).length, tradeFields(TRADE).length]);
    for (let end = 0, piece = 0; piece < pieces.length; piece++) {
      end += pieces[piece]?.length ?? 0;
      boundaries.add(end);
    }
    const accepted: number[] = [];
    for (let length = 0; length <= whole.length; length++) {
      if (readTradeEvent(whole.subarray(0, length), 0) !== null) accepted.push(length);
    }
    expect(accepted).toEqual([...boundaries].sort((one, other) => one - other));
  });

  describe.skipIf(!hasTestData)('reads bytes encoded by the published interface', () => {
    const values = {
      mint: CAT.mint,
      sol_amount: 500n,
      token_amount: 7_000n,
      is_buy: true,
      virtual_sol_reserves: 41n,
      virtual_token_reserves: 42n,
      real_sol_reserves: 43n,
      real_token_reserves: 44n,
      fee: 60n,
      creator_fee: 9n,
      cashback: 11n,
      quote_mint: USDC,
      quote_amount: 501n,
      virtual_quote_reserves: 45n,
      real_quote_reserves: 46n,
    };
    const common = { mint: CAT.mint, isBuy: true, tokenAmount: 7_000n };
    it.each([
      ['pump.2024', { quoteAmount: 500n, realReserves: null, feeQuoteRaw: null }],
      [
        'pump.2025-07',
        { quoteAmount: 500n, realReserves: { base: 44n, quote: 43n }, feeQuoteRaw: 69n },
      ],
      [
        'pump.2026-10.idl',
        { quoteAmount: 501n, realReserves: { base: 44n, quote: 46n }, feeQuoteRaw: 80n },
      ],
      [
        'pump.official',
        { quoteAmount: 501n, realReserves: { base: 44n, quote: 46n }, feeQuoteRaw: 80n },
      ],
    ])('of %s', (idl, expected) => {
      const data = encodeEvent(readIdl(idl), 'TradeEvent', values);
      expect(readTradeEvent(data, 0)).toMatchObject({ ...common, ...expected });
    });
  });
});

describe('tradeEventOf', () => {
  const expected = { mint: CAT.mint, isBuy: false, tokenAmount: 7_000n };
  const find = (inner: ReturnType<typeof selfEvent>[], logMessages: string[] = []) => {
    const transaction = buildTransaction({
      signers: [CAT.alice],
      instructions: [{ program: PUMP, inner }],
      logMessages,
    });
    const view = new TransactionView(transaction, (programId) => programId === PUMP);
    return tradeEventOf(view, transaction.instructions[0] as Instruction, expected);
  };
  const log = (fields: Uint8Array) => {
    const data = selfEvent(TRADE_EVENT, fields).data?.subarray(8) ?? new Uint8Array(0);
    return `Program data: ${Buffer.from(data).toString('base64')}`;
  };

  it('prefers the event that the program emitted by a call over the logged one', () => {
    const sent = selfEvent(TRADE_EVENT, tradeFields({ ...TRADE, solAmount: 501n }));
    expect(find([sent], [log(tradeFields(TRADE))])).toMatchObject({ quoteAmount: 501n });
  });

  it('finds the logged event of the same trade among others', () => {
    const logs = [
      'Program log: Instruction: Sell',
      'Program data: AAAA',
      log(tradeFields({ ...TRADE, isBuy: true })),
      log(tradeFields({ ...TRADE, tokenAmount: 7_001n })),
      log(tradeFields({ ...TRADE, solAmount: 502n })),
    ];
    expect(find([], logs)).toMatchObject({ quoteAmount: 502n });
  });

  it('is absent when nothing reports the trade', () => {
    expect(find([selfEvent('5f72619cd42e9808', new Uint8Array(9))], ['Log truncated'])).toBe(
      'absent',
    );
  });

  it('is absent when only the event of another mint was logged', () => {
    const other = tradeFields(TRADE);
    other.set(new Uint8Array(32).fill(3));
    expect(find([], [log(other)])).toBe('absent');
  });

  it('is short when the program emitted fewer bytes than any layout has', () => {
    expect(find([selfEvent(TRADE_EVENT, tradeFields(TRADE).subarray(0, 50))])).toBe('short');
  });
});
