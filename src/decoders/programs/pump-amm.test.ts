import { describe, expect, it } from 'vitest';
import { concat, hex } from '../../../tests/support/borsh-bytes.ts';
import {
  address,
  type InstructionDraft,
  type TokenBalanceDraft,
} from '../../../tests/support/build-transaction.ts';
import { decodeDraft } from '../../../tests/support/decode-draft.ts';
import { describeDecoderLaws } from '../../../tests/support/decoder-laws.ts';
import { boughtFrom, createdBy } from '../../../tests/support/pool-events.ts';
import {
  ALICE,
  BOUGHT,
  BUY,
  BUY_EVENT,
  BUY_EXACT_QUOTE_IN,
  BUY_LEGS,
  balances,
  buyEvent,
  CAT_MINT,
  firstTradeFields,
  HELD,
  LP_MINT,
  POOL,
  POOL_BASE,
  POOL_QUOTE,
  PUMP_AMM,
  SALE_LEGS,
  SELL,
  SOLD,
  selfEvent,
  sellEvent,
  swapDraft,
  tradeFields,
  USER_BASE,
  USER_QUOTE,
} from '../../../tests/support/pump-amm-drafts.ts';
import { tokenTransfer } from '../../../tests/support/pump-drafts.ts';
import { burn, mintTo } from '../../../tests/support/token-instructions.ts';
import type { ChainEvent } from '../../model/chain-event.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import { pumpAmmLayout } from '../families/pump-amm-layout.ts';
import type { DecodeResult } from '../legs/decoder.ts';
import { pumpAmm } from './pump-amm.ts';

/** Result of BUY_LEGS: 1,000,000 for the curve, 1,002,800 from the user. */
const BOUGHT_FOR = { quoteAmount: 1_000_000n, userQuoteAmount: 1_002_800n };

describe('a pump_amm buy', () => {
  it.each([
    ['buy', BUY],
    ['buy_exact_quote_in', BUY_EXACT_QUOTE_IN],
  ])("has the vaults' exchange, with the fees implied by its event: %s", (_name, tag) => {
    const event = buyEvent(BOUGHT_FOR);
    expect(decode(swapDraft(tag, [...BUY_LEGS, event]), balances(BOUGHT))).toEqual([
      boughtFrom('pump_amm', {
        pool: POOL,
        baseMint: CAT_MINT,
        trader: ALICE,
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
      }),
    ]);
  });

  it('is read without its event, with an unknown fee', () => {
    const [swap] = decode(swapDraft(BUY, BUY_LEGS), balances(BOUGHT));
    expect(swap).toMatchObject({ poolQuoteDelta: 1_002_000n, feeQuoteRaw: null });
  });

  it('is malformed when its event ends inside the fields that are read', () => {
    const fields = firstTradeFields(BOUGHT_FOR).subarray(0, -1);
    const result = run(swapDraft(BUY, [...BUY_LEGS, selfEvent(BUY_EVENT, fields)]));
    expect(result).toEqual({
      status: 'malformed',
      reason: 'swap event ends inside its fields',
    });
  });

  it('reads an event with any fields the program has appended since', () => {
    const fields = concat(tradeFields(BOUGHT_FOR, true), new Uint8Array(301));
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

describe('a pump_amm sell', () => {
  it('pays the user less than the vault paid in total', () => {
    const event = sellEvent({ quoteAmount: 1_000_000n, userQuoteAmount: 997_200n });
    const sold = swapDraft(SELL, [...SALE_LEGS, event]);
    expect(decode(sold, balances(SOLD))[0]).toMatchObject({
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

describe('a pool created with SOL as its base', () => {
  it('is inverted: a buy of SOL is a sell of the token, and the fee, in tokens, is unknown', () => {
    const event = buyEvent(BOUGHT_FOR);
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

  it('is added by a deposit', () => {
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

  it('is removed by a withdrawal', () => {
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

  it('starts with the creation of a pool', () => {
    const data = concat(hex('e992d18ecf6840bc'), new Uint8Array(18));
    const draft = { program: PUMP_AMM, accounts, data, inner: added };
    const fresh = balances(deposited).map((balance) =>
      balance.owner === POOL ? { ...balance, before: 0n, after: balance.after - HELD } : balance,
    );
    expect(decode(draft, fresh)).toEqual([
      createdBy('pump_amm', {
        pool: POOL,
        baseMint: CAT_MINT,
        creator: ALICE,
        vaultOwner: POOL,
        baseRaw: 300n,
        quoteRaw: 20n,
        lpMint: LP_MINT,
        lpRaw: 77n,
      }),
    ]);
  });
});

describeDecoderLaws('pump_amm', pumpAmm, pumpAmmLayout);

function run(
  instruction: InstructionDraft,
  tokenBalances: readonly TokenBalanceDraft[] = [],
): DecodeResult {
  return decodeDraft({ signers: [ALICE], instructions: [instruction], tokenBalances });
}

function decode(
  instruction: InstructionDraft,
  tokenBalances: readonly TokenBalanceDraft[],
): readonly ChainEvent[] {
  const result = run(instruction, tokenBalances);
  return result.status === 'event' ? result.events : [];
}
