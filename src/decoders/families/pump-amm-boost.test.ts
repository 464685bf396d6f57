import { describe, expect, test } from 'vitest';
import { concat, hex, i128, key, u64 } from '../../../tests/support/borsh-bytes.ts';
import { address, type InstructionDraft } from '../../../tests/support/build-transaction.ts';
import { decodeDraft, factsOfDraft } from '../../../tests/support/decode-draft.ts';
import { boughtFrom } from '../../../tests/support/pool-events.ts';
import {
  buyEvent,
  CAT_MINT,
  eventsOf,
  LP_MINT,
  POOL,
  POOL_BASE,
  POOL_QUOTE,
  PUMP_AMM,
  selfEvent,
  vault,
} from '../../../tests/support/pump-amm-drafts.ts';
import { tokenTransfer } from '../../../tests/support/pump-drafts.ts';
import { burn, mintTo } from '../../../tests/support/token-instructions.ts';
import { SYSTEM_PROGRAM, WRAPPED_SOL } from '../../model/program.ts';
import { pumpAmmLayout } from './pump-amm-layout.ts';

const { instructions, events } = pumpAmmLayout;
const CRANK = address('crank');
const CREATOR = address('migration authority');
const BOOST_VAULT = address('boost vault');
const BOOST_AUTHORITY = address('boost vault authority');

describe('init_boost', () => {
  /** Recorded in 5mHKw7vJ…: 85,009,452,637 lamports in the new pool, 17,584,505,941 set aside. */
  const taken = tokenTransfer(POOL_QUOTE, BOOST_VAULT, POOL, 17_584_505_941n);
  const vaults = [
    vault(POOL_BASE, CAT_MINT, [0n, 206_853_536_826_671n]),
    vault(POOL_QUOTE, WRAPPED_SOL, [0n, 67_424_946_696n]),
  ];

  test('follows the pool of migrate_v2 and takes part of its quote', () => {
    const create: InstructionDraft = {
      program: PUMP_AMM,
      accounts: named({ 0: POOL, 2: CREATOR, 5: LP_MINT, 9: POOL_BASE, 10: POOL_QUOTE }, 18),
      data: concat(hex(instructions.create_pool.discriminator), new Uint8Array(18)),
      inner: [
        tokenTransfer('curve coins', POOL_BASE, CREATOR, 206_853_536_826_671n),
        tokenTransfer('curve quote', POOL_QUOTE, CREATOR, 85_009_452_637n),
        mintTo(LP_MINT, 'creator lp', 4_193_388_360_362n),
      ],
    };
    const boost = initBoost([taken, initEvent(17_584_505_941n, 67_424_946_696n)]);
    const facts = factsOfDraft({
      signers: [CREATOR],
      instructions: [{ program: address('launchpad'), inner: [create, boost] }],
      tokenBalances: vaults,
    });
    expect(facts.events.filter((event) => 'venue' in event)).toMatchObject([
      { kind: 'poolCreated', innerIx: 0, baseMint: CAT_MINT, quoteRaw: 85_009_452_637n },
      { kind: 'poolBoost', pool: POOL, mint: WRAPPED_SOL, poolDelta: -17_584_505_941n },
    ]);
  });

  test('is the transferred amount when its event is missing', () => {
    expect(eventsOf(run(initBoost([taken]), vaults))).toEqual([
      {
        kind: 'poolBoost',
        outerIx: 0,
        innerIx: -1,
        venue: 'pump_amm',
        pool: POOL,
        mint: WRAPPED_SOL,
        poolDelta: -17_584_505_941n,
      },
    ]);
  });

  test('of zero is ignored', () => {
    expect(run(initBoost([initEvent(0n, 9n)]), vaults)).toEqual({ status: 'ignored' });
  });

  test.each([
    [[taken, initEvent(17_584_505_940n, 1n)], 'boost event contradicts its transfers'],
    [
      [taken, selfEvent(events.InitBoostEvent.discriminator, new Uint8Array(127))],
      'boost event ends inside its fields',
    ],
    [[tokenTransfer(BOOST_VAULT, POOL_QUOTE, BOOST_AUTHORITY, 1n)], 'a boost that fills the vault'],
  ])('is malformed when its event differs from the transfers', (inner, reason) => {
    expect(run(initBoost(inner), vaults)).toEqual({ status: 'malformed', reason });
  });
});

describe('boost_buy_and_burn', () => {
  /** Recorded in LK86c649…, slot 454,476,926: balances, transfer, burn and both events. */
  const legs = [
    tokenTransfer(BOOST_VAULT, POOL_QUOTE, BOOST_AUTHORITY, 527_535_158n),
    burn(POOL_BASE, CAT_MINT, 166_548_315_802n),
  ];
  const trade = buyEvent({
    base: 166_548_315_802n,
    quoteAmount: 527_535_158n,
    userQuoteAmount: 527_535_158n,
    lp: 0n,
    protocol: 0n,
    creator: 0n,
    virtualQuote: 17_584_418_739n,
    protocolRecipient: SYSTEM_PROGRAM,
  });
  const burned = burnEvent(527_535_158n, 166_548_315_802n, 17_584_418_739n);
  const recorded = [
    vault(POOL_BASE, CAT_MINT, [74_639_940_558_644n, 74_473_392_242_842n]),
    vault(POOL_QUOTE, WRAPPED_SOL, [218_307_085_056n, 218_834_620_214n]),
    vault(BOOST_VAULT, WRAPPED_SOL, [17_584_505_288n, 17_056_970_130n], BOOST_AUTHORITY),
  ];

  test('is a buy without a trader at the effective reserves', () => {
    expect(eventsOf(run(boostBurn([...legs, trade, burned]), recorded))).toEqual([
      boughtFrom('pump_amm', {
        pool: POOL,
        baseMint: CAT_MINT,
        trader: null,
        poolBaseDelta: -166_548_315_802n,
        poolQuoteDelta: 527_535_158n,
        traderBaseDelta: 0n,
        traderQuoteDelta: null,
        reserves: {
          base: 74_473_392_242_842n,
          quote: 218_834_620_214n,
          virtualBase: 74_473_392_242_842n,
          // 218,834,620,214 + 17,584,418,739
          virtualQuote: 236_419_038_953n,
        },
        feeQuoteRaw: 0n,
      }),
    ]);
  });

  test('receives the amount of the published formula for the reserves before it', () => {
    const effective = 218_307_085_056n + 17_584_418_739n;
    const paid = 527_535_158n - 1n;
    expect((74_639_940_558_644n * paid) / (effective + paid)).toBe(166_548_315_802n);
  });

  test('also yields the burn as an event', () => {
    const { events: all } = factsOfDraft({
      signers: [CRANK],
      instructions: [boostBurn([...legs, trade, burned])],
      tokenBalances: recorded,
    });
    expect(all).toMatchObject([
      { kind: 'swap', trader: null },
      { kind: 'tokenTransfer', transferKind: 'burn', burnVenue: 'pump_amm' },
    ]);
  });

  test('leaves the reserves unknown when its event is missing', () => {
    expect(eventsOf(run(boostBurn([...legs, trade]), recorded))).toMatchObject([
      { poolQuoteDelta: 527_535_158n, reserves: null, quarantine: null },
    ]);
  });

  test('is quarantined when its balances or its event contradict it', () => {
    const [base, ...rest] = recorded;
    if (base === undefined) throw new Error('no vault');
    const tampered = [{ ...base, after: base.after + 1n }, ...rest];
    expect(eventsOf(run(boostBurn([...legs, burned]), tampered))).toMatchObject([
      { quarantine: 'base vault balance contradicts its transfers' },
    ]);
    const other = burnEvent(527_535_158n, 166_548_315_801n, 17_584_418_739n);
    expect(eventsOf(run(boostBurn([...legs, other]), recorded))).toMatchObject([
      { quarantine: 'the event reports other amounts than were transferred and burned' },
    ]);
    const indebted = burnEvent(527_535_158n, 166_548_315_802n, -218_307_085_056n);
    expect(eventsOf(run(boostBurn([...legs, indebted]), recorded))).toMatchObject([
      { quarantine: 'effective reserves are not positive' },
    ]);
  });

  test('is malformed with a truncated event and ignored when nothing moved', () => {
    const half = selfEvent(events.BoostBuyAndBurnEvent.discriminator, new Uint8Array(199));
    expect(run(boostBurn([...legs, half]), recorded)).toMatchObject({
      reason: 'boost event ends inside its fields',
    });
    expect(run(boostBurn([]), recorded)).toEqual({ status: 'ignored' });
  });
});

function initBoost(inner: readonly InstructionDraft[]): InstructionDraft {
  const accounts = named({ 0: POOL, 2: CREATOR, 6: POOL_QUOTE, 8: BOOST_VAULT }, 14);
  return { program: PUMP_AMM, accounts, data: hex(instructions.init_boost.discriminator), inner };
}

function boostBurn(inner: readonly InstructionDraft[]): InstructionDraft {
  const places = { 0: POOL, 1: CRANK, 5: POOL_BASE, 6: POOL_QUOTE };
  const accounts = named({ ...places, 7: BOOST_AUTHORITY, 8: BOOST_VAULT }, 13);
  const data = concat(hex(instructions.boost_buy_and_burn.discriminator), u64(999n), u64(1n));
  return { program: PUMP_AMM, accounts, data, inner };
}

function initEvent(virtualQuote: bigint, quoteAfter: bigint): InstructionDraft {
  const keys = [CAT_MINT, address('curve'), POOL].map(key);
  const fields = concat(u64(0n), ...keys, i128(virtualQuote), u64(quoteAfter));
  return selfEvent(events.InitBoostEvent.discriminator, fields);
}

function burnEvent(quoteUsed: bigint, baseBurned: bigint, virtualQuote: bigint): InstructionDraft {
  const keys = [CAT_MINT, address('curve'), POOL, CRANK].map(key);
  const after = [5n, 5n, 5n].map(u64);
  const amounts = [u64(527_535_158n), u64(quoteUsed), u64(baseBurned), i128(virtualQuote)];
  const fields = concat(u64(0n), ...keys, ...amounts, ...after);
  return selfEvent(events.BoostBuyAndBurnEvent.discriminator, fields);
}

/** A list of accounts of which only some matter. */
function named(accounts: Readonly<Record<number, string>>, count: number): string[] {
  return Array.from({ length: count }, (_, at) => accounts[at] ?? address(`account ${at}`));
}

function run(draft: InstructionDraft, tokenBalances: ReturnType<typeof vault>[]) {
  return decodeDraft({ signers: [CRANK], instructions: [draft], tokenBalances });
}
