import { describe, expect, test } from 'vitest';
import { address, type InstructionDraft } from '../../../tests/support/build-transaction.ts';
import { decodeDraft } from '../../../tests/support/decode-draft.ts';
import {
  ALICE,
  BOUGHT,
  BUY,
  BUY_LEGS,
  BUY_V2,
  balances,
  buyEvent,
  eventsOf,
  HELD,
  POOL,
  POOL_BASE,
  POOL_QUOTE,
  PROTOCOL,
  SELL,
  sellEvent,
  swapDraft,
  USER_BASE,
  USER_QUOTE,
  vault,
} from '../../../tests/support/pump-amm-drafts.ts';
import { tokenTransfer } from '../../../tests/support/pump-drafts.ts';
import { SYSTEM_PROGRAM, USDC, WRAPPED_SOL } from '../../model/program.ts';

const QUOTE = address('aa quote coin');

describe('a pool whose base is SOL', () => {
  const mints = { base: WRAPPED_SOL, quote: QUOTE };

  test('sells as recorded in 4cEC86Wu…: SOL for the coin is a buy of the coin', () => {
    // base_amount_in 7,282,637,458 lamports; the vault pays 768,224,367,296,869 -
    // 1,920,560,918,243. The vaults after it are the reserves in the next event of the same
    // transaction.
    const event = sellEvent({
      base: 7_282_637_458n,
      quoteAmount: 768_224_367_296_869n,
      userQuoteAmount: 765_919_694_194_977n,
      lp: 1_920_560_918_243n,
      protocol: 384_112_183_649n,
      creator: 0n,
      buyback: 192_056_091_824n,
    });
    const legs = [
      tokenTransfer(USER_BASE, POOL_BASE, ALICE, 7_282_637_458n),
      tokenTransfer(POOL_QUOTE, USER_QUOTE, POOL, 765_919_694_194_977n),
      tokenTransfer(POOL_QUOTE, PROTOCOL, POOL, 384_112_183_649n),
    ];
    const after = [
      vault(POOL_BASE, WRAPPED_SOL, [696_466_813_570n, 703_749_451_028n]),
      vault(POOL_QUOTE, QUOTE, [74_236_494_658_623_003n, 73_470_190_852_244_377n]),
      vault(USER_BASE, WRAPPED_SOL, [7_282_637_458n, 0n], ALICE),
      vault(USER_QUOTE, QUOTE, [0n, 765_919_694_194_977n], ALICE),
    ];
    const swap = decode(swapDraft(SELL, [...legs, event]), after);
    expect(swap).toMatchObject({
      side: 'buy',
      baseMint: QUOTE,
      quoteMint: WRAPPED_SOL,
      poolBaseDelta: -766_303_806_378_626n,
      poolQuoteDelta: 7_282_637_458n,
      reserves: { base: 73_470_190_852_244_377n, quote: 703_749_451_028n, virtualBase: null },
      feeQuoteRaw: null,
      quarantine: null,
    });
    expect(swap).not.toHaveProperty('keptFees');
  });

  test('keeps fees on the side they are in, which is our base', () => {
    const legs = [
      tokenTransfer(POOL_BASE, USER_BASE, POOL, 70_000n),
      tokenTransfer(USER_QUOTE, POOL_QUOTE, ALICE, 1_002_550n),
      tokenTransfer(USER_QUOTE, PROTOCOL, ALICE, 250n),
    ];
    const event = buyEvent({
      quoteAmount: 1_000_000n,
      userQuoteAmount: 1_002_800n,
      buyback: 250n,
      virtualQuote: -400n,
      protocolRecipient: SYSTEM_PROGRAM,
    });
    const changes = { base: -70_000n, quote: 1_002_550n, user: [70_000n, -1_002_800n] } as const;
    expect(decode(swapDraft(BUY_V2, [...legs, event]), balances(changes, mints))).toMatchObject({
      side: 'sell',
      poolBaseDelta: 1_002_000n,
      poolQuoteDelta: -70_000n,
      keptFees: { base: 550n, quote: 0n },
      traderBaseDelta: -1_002_800n,
      reserves: {
        base: HELD + 1_002_550n,
        quote: HELD - 70_000n,
        virtualBase: HELD + 1_002_550n - 400n - 550n,
        virtualQuote: HELD - 70_000n,
      },
      quarantine: null,
    });
  });

  test('remains base against a stablecoin, which outranks it', () => {
    const event = buyEvent({ quoteAmount: 1_000_000n, userQuoteAmount: 1_002_800n });
    const against = balances(BOUGHT, { base: WRAPPED_SOL, quote: USDC });
    expect(decode(swapDraft(BUY, [...BUY_LEGS, event]), against)).toMatchObject({
      side: 'buy',
      baseMint: WRAPPED_SOL,
      quoteMint: USDC,
      feeQuoteRaw: 2_800n,
    });
  });
});

describe('a coin quoted in another coin', () => {
  // Of two mints that are not quote mints, other venues take the lexically greater one as quote.
  const event = buyEvent({ quoteAmount: 1_000_000n, userQuoteAmount: 1_002_800n });

  test.each([
    ['xx coin', 'aa coin'],
    ['aa coin', 'xx coin'],
  ])('remains base regardless of lexical order: %s in %s', (one, other) => {
    const mints = { base: address(one), quote: address(other) };
    const swap = decode(swapDraft(BUY, [...BUY_LEGS, event]), balances(BOUGHT, mints));
    expect(swap).toMatchObject({
      side: 'buy',
      baseMint: address(one),
      quoteMint: address(other),
      poolBaseDelta: -70_000n,
      feeQuoteRaw: 2_800n,
    });
  });

  test('remains base in its liquidity as well', () => {
    const mints = { base: address('xx coin'), quote: address('aa coin') };
    const deposit = swapDraft('f223c68952e1f2b6', [
      tokenTransfer(USER_BASE, POOL_BASE, ALICE, 300n),
      tokenTransfer(USER_QUOTE, POOL_QUOTE, ALICE, 20n),
    ]);
    const accounts = [
      POOL,
      'config',
      ALICE,
      'base',
      'quote',
      'lp',
      USER_BASE,
      USER_QUOTE,
      'own lp',
    ];
    const words = [...accounts, POOL_BASE, POOL_QUOTE];
    const named = words.map((word) => (word.length >= 32 ? word : address(word)));
    const changes = { base: 300n, quote: 20n, user: [-300n, -20n] } as const;
    expect(decode({ ...deposit, accounts: named }, balances(changes, mints))).toMatchObject({
      kind: 'liquidity',
      baseMint: address('xx coin'),
      poolBaseDelta: 300n,
      poolQuoteDelta: 20n,
    });
  });
});

function decode(draft: InstructionDraft, tokenBalances: ReturnType<typeof vault>[]) {
  const result = decodeDraft({ signers: [ALICE], instructions: [draft], tokenBalances });
  return eventsOf(result)[0];
}
