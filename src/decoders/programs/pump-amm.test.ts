import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concat, hex } from '../../../tests/support/borsh-bytes.ts';
import {
  address,
  buildTransaction,
  type InstructionDraft,
  type TokenBalanceDraft,
} from '../../../tests/support/build-transaction.ts';
import { encodeEvent, readIdl } from '../../../tests/support/idl.ts';
import {
  ALICE,
  BOUGHT,
  BUY,
  BUY_EVENT,
  BUY_EXACT_QUOTE_IN,
  BUY_LEGS,
  balances,
  CAT_MINT,
  CREATOR_FEES,
  HELD,
  LP_MINT,
  POOL,
  POOL_BASE,
  POOL_QUOTE,
  PROTOCOL,
  PUMP_AMM,
  SELL,
  SELL_EVENT,
  selfEvent,
  swapDraft,
  swapFields,
  USER_BASE,
  USER_QUOTE,
} from '../../../tests/support/pump-amm-drafts.ts';
import { tokenTransfer } from '../../../tests/support/pump-drafts.ts';
import { hasTestData } from '../../../tests/support/test-data.ts';
import { burn, mintTo } from '../../../tests/support/token-instructions.ts';
import type { ChainEvent } from '../../model/chain-event.ts';
import type { Instruction } from '../../model/instruction.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import type { Decoder } from '../decoder.ts';
import { TransactionView } from '../transaction-view.ts';
import { pumpAmm } from './pump-amm.ts';

describe('a pump_amm buy', () => {
  it.each([
    ['buy', BUY],
    ['buy_exact_quote_in', BUY_EXACT_QUOTE_IN],
  ])('is what the vaults exchanged, with the fees its event implies: %s', (_name, tag) => {
    const event = selfEvent(BUY_EVENT, swapFields(1_000_000n, 1_002_800n));
    expect(decode(swapDraft(tag, [...BUY_LEGS, event]), balances(BOUGHT))).toEqual([
      {
        kind: 'swap',
        outerIx: 0,
        innerIx: -1,
        venue: 'pump_amm',
        pool: POOL,
        baseMint: CAT_MINT,
        quoteMint: WRAPPED_SOL,
        baseDecimals: 6,
        quoteDecimals: 9,
        trader: ALICE,
        side: 'buy',
        poolBaseDelta: -70_000n,
        poolQuoteDelta: 1_002_000n,
        traderBaseDelta: 70_000n,
        traderQuoteDelta: -1_002_800n,
        reserves: {
          base: HELD - 70_000n,
          quote: HELD + 1_002_000n,
          virtualBase: null,
          virtualQuote: null,
        },
        feeQuoteRaw: 2_800n,
        router: null,
        isIntermediateHop: false,
        isAtomicRoundTrip: false,
        isPureArbitrage: false,
        quarantine: null,
      },
    ]);
  });

  it('without an event stands, its fee unknown', () => {
    const [swap] = decode(swapDraft(BUY, BUY_LEGS), balances(BOUGHT));
    expect(swap).toMatchObject({ poolQuoteDelta: 1_002_000n, feeQuoteRaw: null });
  });

  it('is malformed when its event ends inside the fields that are read', () => {
    const fields = swapFields(1_000_000n, 1_002_800n).subarray(0, -1);
    const result = run(swapDraft(BUY, [...BUY_LEGS, selfEvent(BUY_EVENT, fields)]));
    expect(result).toEqual({
      status: 'malformed',
      reason: 'swap event ends inside its fields',
    });
  });

  it('reads an event with whatever the program has appended since', () => {
    const fields = concat(swapFields(1_000_000n, 1_002_800n), new Uint8Array(301));
    const event = selfEvent(BUY_EVENT, fields);
    const [swap] = decode(swapDraft(BUY, [...BUY_LEGS, event]), balances(BOUGHT));
    expect(swap).toMatchObject({ feeQuoteRaw: 2_800n });
  });

  it('that moved nothing is ignored', () => {
    expect(run(swapDraft(BUY, []))).toEqual({ status: 'ignored' });
  });

  it('is malformed when only one vault moved', () => {
    expect(run(swapDraft(BUY, BUY_LEGS.slice(0, 1)), balances(BOUGHT))).toEqual({
      status: 'malformed',
      reason: 'only one vault moved',
    });
  });
});

describe('a pump_amm sale', () => {
  it('pays the user less than the vault gave to all', () => {
    const legs = [
      tokenTransfer(USER_BASE, POOL_BASE, ALICE, 70_000n),
      tokenTransfer(POOL_QUOTE, USER_QUOTE, POOL, 997_200n),
      tokenTransfer(POOL_QUOTE, PROTOCOL, POOL, 500n),
      tokenTransfer(POOL_QUOTE, CREATOR_FEES, POOL, 300n),
      selfEvent(SELL_EVENT, swapFields(1_000_000n, 997_200n)),
    ];
    const sold = { base: 70_000n, quote: -998_000n, user: [-70_000n, 997_200n] } as const;
    expect(decode(swapDraft(SELL, legs), balances(sold))[0]).toMatchObject({
      side: 'sell',
      poolBaseDelta: 70_000n,
      poolQuoteDelta: -998_000n,
      traderBaseDelta: -70_000n,
      traderQuoteDelta: 997_200n,
      feeQuoteRaw: 2_800n,
      quarantine: null,
    });
  });
});

describe('a pool opened with SOL as its base', () => {
  it('is turned round: its buy of SOL is a sale of the token, the fee is in tokens and unknown', () => {
    const event = selfEvent(BUY_EVENT, swapFields(1_000_000n, 1_002_800n));
    const turned = balances(BOUGHT, { base: WRAPPED_SOL, quote: CAT_MINT });
    expect(decode(swapDraft(BUY, [...BUY_LEGS, event]), turned)[0]).toMatchObject({
      side: 'sell',
      baseMint: CAT_MINT,
      quoteMint: WRAPPED_SOL,
      poolBaseDelta: 1_002_000n,
      poolQuoteDelta: -70_000n,
      traderBaseDelta: -1_002_800n,
      feeQuoteRaw: null,
    });
  });
});

describe('pump_amm liquidity', () => {
  const accounts = [
    POOL,
    address('global config'),
    ALICE,
    CAT_MINT,
    WRAPPED_SOL,
    LP_MINT,
    USER_BASE,
    USER_QUOTE,
    address('alice lp'),
    POOL_BASE,
    POOL_QUOTE,
  ];
  const added = [
    tokenTransfer(USER_BASE, POOL_BASE, ALICE, 300n),
    tokenTransfer(USER_QUOTE, POOL_QUOTE, ALICE, 20n),
    mintTo(LP_MINT, 'alice lp', 77n),
  ];
  const deposited = { base: 300n, quote: 20n, user: [-300n, -20n] } as const;

  it('comes with a deposit', () => {
    const draft = { program: PUMP_AMM, accounts, data: hex('f223c68952e1f2b6'), inner: added };
    expect(decode(draft, balances(deposited))[0]).toMatchObject({
      kind: 'liquidity',
      pool: POOL,
      provider: ALICE,
      poolBaseDelta: 300n,
      poolQuoteDelta: 20n,
      lpDelta: 77n,
    });
  });

  it('leaves with a withdrawal', () => {
    const inner = [
      tokenTransfer(POOL_BASE, USER_BASE, POOL, 300n),
      tokenTransfer(POOL_QUOTE, USER_QUOTE, POOL, 20n),
      burn('alice lp', LP_MINT, 77n),
    ];
    const draft = { program: PUMP_AMM, accounts, data: hex('b712469c946da122'), inner };
    const withdrawn = { base: -300n, quote: -20n, user: [300n, 20n] } as const;
    expect(decode(draft, balances(withdrawn))[0]).toMatchObject({
      poolBaseDelta: -300n,
      poolQuoteDelta: -20n,
      lpDelta: -77n,
      reserves: { base: HELD - 300n, quote: HELD - 20n },
    });
  });

  it('opens a pool', () => {
    const data = concat(hex('e992d18ecf6840bc'), new Uint8Array(18));
    const draft = { program: PUMP_AMM, accounts, data, inner: added };
    const fresh = balances(deposited).map((balance) =>
      balance.owner === POOL ? { ...balance, before: 0n, after: balance.after - HELD } : balance,
    );
    expect(decode(draft, fresh)).toEqual([
      {
        kind: 'poolCreated',
        outerIx: 0,
        innerIx: -1,
        venue: 'pump_amm',
        pool: POOL,
        baseMint: CAT_MINT,
        quoteMint: WRAPPED_SOL,
        baseDecimals: 6,
        quoteDecimals: 9,
        creator: ALICE,
        vaultOwner: POOL,
        baseRaw: 300n,
        quoteRaw: 20n,
        lpMint: LP_MINT,
        lpRaw: 77n,
      },
    ]);
  });
});

describe('pump_amm', () => {
  it('ignores fee claims, settings, and events, which are read with their instruction', () => {
    expect(run(selfEvent(BUY_EVENT, swapFields(1n, 2n)))).toEqual({ status: 'ignored' });
    for (const tag of ['a039592ab58b2b42', 'c9cff3724b6f2fbd']) {
      expect(run({ program: PUMP_AMM, data: hex(tag) })).toEqual({ status: 'ignored' });
    }
  });

  it('names instructions and events it has never seen', () => {
    const unknown = { status: 'unknown', discriminator: '0102030405060708' };
    expect(run({ program: PUMP_AMM, data: hex('0102030405060708') })).toEqual(unknown);
    expect(run(selfEvent('0102030405060708', new Uint8Array(0)))).toEqual(unknown);
  });

  it('never throws on any data and makes no swap without transfers', () => {
    const tags = fc.constantFrom(BUY, BUY_EXACT_QUOTE_IN, SELL, 'f223c68952e1f2b6', '00');
    fc.assert(
      fc.property(tags, fc.uint8Array({ maxLength: 200 }), fc.nat(25), (tag, bytes, count) => {
        const accounts = Array.from({ length: count }, (_, at) => address(`account ${at}`));
        const event = selfEvent(BUY_EVENT, bytes);
        const data = concat(hex(tag), bytes);
        const result = run({ program: PUMP_AMM, accounts, data, inner: [event] });
        expect(result.status).not.toBe('event');
      }),
    );
  });
});

describe.skipIf(!hasTestData)('fees read from bytes encoded by the published interface', () => {
  it.each(['pump_amm.2025-07', 'pump_amm.official'])('of %s', (file) => {
    const idl = readIdl(file);
    const fields = encodeEvent(idl, 'BuyEvent', {
      quote_amount_in: 1_000_000n,
      user_quote_amount_in: 1_002_800n,
    });
    const bought = swapDraft(BUY, [...BUY_LEGS, selfEvent(BUY_EVENT, fields)]);
    expect(decode(bought, balances(BOUGHT))[0]).toMatchObject({ feeQuoteRaw: 2_800n });
    const sellFields = encodeEvent(idl, 'SellEvent', {
      quote_amount_out: 1_000_000n,
      user_quote_amount_out: 997_200n,
    });
    const sold = swapDraft(SELL, [...BUY_LEGS, selfEvent(SELL_EVENT, sellFields)]);
    expect(decode(sold, balances(BOUGHT))[0]).toMatchObject({ feeQuoteRaw: 2_800n });
  });
});

function run(
  instruction: InstructionDraft,
  tokenBalances: readonly TokenBalanceDraft[] = [],
): ReturnType<Decoder['decode']> {
  const transaction = buildTransaction({
    signers: [ALICE],
    instructions: [instruction],
    tokenBalances,
  });
  const view = new TransactionView(transaction, (programId) => programId === PUMP_AMM);
  return pumpAmm.decode(transaction.instructions[0] as Instruction, view);
}

function decode(
  instruction: InstructionDraft,
  tokenBalances: readonly TokenBalanceDraft[],
): readonly ChainEvent[] {
  const result = run(instruction, tokenBalances);
  return result.status === 'event' ? result.events : [];
}
