import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hex } from '../../../tests/support/borsh-bytes.ts';
import {
  address,
  buildTransaction,
  type InstructionDraft,
  type TokenBalanceDraft,
} from '../../../tests/support/build-transaction.ts';
import { SOON_MS } from '../../../tests/support/slow-machine.ts';
import { balance } from '../../../tests/support/swap-draft.ts';
import { batch, burn, mintTo, transfer } from '../../../tests/support/token-instructions.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import type { Swap } from '../../model/swap.ts';
import { asAddress, asSlot } from '../../model/units.ts';
import { decodeBlock } from '../decode-block.ts';
import { decodeTransaction } from '../decode-transaction.ts';
import { DECODERS, decoderSet } from '../registry.ts';
import { Tally } from '../tally.ts';
import { ROUTER_PROGRAMS } from '../transaction/router-programs.ts';

const CAT = address('cat');
const DOG = address('dog');
const AMM = address('amm nobody knows');
const JUPITER = asAddress(ROUTER_PROGRAMS.jupiter_v6);
const CPMM = 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C';
const PAID = transfer({ from: 'wallet sol', to: 'vault sol', by: 'wallet', amount: 30_000n });
const GOT = transfer({ from: 'vault cat', to: 'wallet cat', by: 'pool', amount: 45_000n });
const BALANCES = [
  balance('vault sol', WRAPPED_SOL, 'pool', 100_000n, 130_000n, 9),
  balance('vault cat', CAT, 'pool', 100_000n, 55_000n, 6),
  balance('wallet sol', WRAPPED_SOL, 'wallet', 50_000n, 20_000n, 9),
  balance('wallet cat', CAT, 'wallet', 0n, 45_000n, 6),
];
const SWAP = {
  kind: 'swap',
  outerIx: 0,
  innerIx: -1,
  venue: 'inferred',
  program: AMM,
  pool: address('vault cat'),
  baseMint: CAT,
  quoteMint: WRAPPED_SOL,
  baseDecimals: 6,
  quoteDecimals: 9,
  trader: address('wallet'),
  side: 'buy',
  poolBaseDelta: -45_000n,
  poolQuoteDelta: 30_000n,
  traderBaseDelta: 45_000n,
  traderQuoteDelta: -30_000n,
  reserves: null,
  feeQuoteRaw: null,
  legsOnly: true,
  router: null,
  isIntermediateHop: false,
  isAtomicRoundTrip: false,
  isPureArbitrage: false,
  quarantine: null,
};

describe('an exchange below an instruction of an unknown program', () => {
  test('is a swap, exact by its transfers, for either order of the transfers', () => {
    expect(swapsOf([call([PAID, GOT])])).toEqual([SWAP]);
    expect(swapsOf([call([GOT, PAID])])).toEqual([SWAP]);
  });

  test('has the same pool in both directions', () => {
    const back = [
      transfer({ from: 'wallet cat', to: 'vault cat', by: 'wallet', amount: 5_000n }),
      transfer({ from: 'vault sol', to: 'wallet sol', by: 'pool', amount: 3_300n }),
    ];
    const balances = [
      balance('vault sol', WRAPPED_SOL, 'pool', 100_000n, 96_700n, 9),
      balance('vault cat', CAT, 'pool', 100_000n, 105_000n, 6),
      balance('wallet sol', WRAPPED_SOL, 'wallet', 0n, 3_300n, 9),
      balance('wallet cat', CAT, 'wallet', 5_000n, 0n, 6),
    ];
    expect(swapsOf([call(back)], balances)).toMatchObject([
      { pool: SWAP.pool, side: 'sell', poolBaseDelta: 5_000n, poolQuoteDelta: -3_300n },
    ]);
  });

  test('replaces its own token transfers, and no others', () => {
    const gift = transfer({ from: 'wallet cat', to: 'friend cat', by: 'wallet', amount: 7n });
    const balances = [...BALANCES, balance('friend cat', CAT, 'friend', 0n, 7n, 6)];
    const { facts } = decode([call([PAID, GOT]), gift], balances);
    expect(facts.events.map(({ kind, outerIx }) => [kind, outerIx])).toEqual([
      ['swap', 0],
      ['tokenTransfer', 1],
    ]);
  });

  test('may pay out below a vault program that it calls', () => {
    const vaultProgram = { program: address('vault program'), inner: [GOT] };
    expect(swapsOf([call([PAID, vaultProgram])])).toEqual([SWAP]);
  });

  test('may consist of parts of a batch', () => {
    expect(swapsOf([call([batch(PAID, GOT)])])).toEqual([SWAP]);
  });

  test('separates fees paid by the pool, and payments of the trader to others', () => {
    const fees = [
      transfer({ from: 'vault cat', to: 'treasury cat', by: 'pool', amount: 50n }),
      transfer({ from: 'wallet sol', to: 'referrer sol', by: 'wallet', amount: 10n }),
    ];
    expect(swapsOf([call([PAID, GOT, ...fees])], withFees())).toEqual([
      { ...SWAP, poolBaseDelta: -45_050n, traderQuoteDelta: -30_010n },
    ]);
  });

  test("may pay a fee as shares of the pool, minted by the pool's authority", () => {
    const fee = mintTo(DOG, 'fee dog', 9n, 'pool');
    const balances = [...BALANCES, balance('fee dog', DOG, 'fee owner', 50n, 59n, 6)];
    expect(swapsOf([call([PAID, fee, GOT])], balances)).toEqual([SWAP]);
  });

  test('may have a fee that rounds to zero', () => {
    const fee = transfer({ from: 'vault cat', to: 'treasury cat', by: 'pool', amount: 0n });
    const balances = [...BALANCES, balance('treasury cat', CAT, 'treasury', 0n, 0n, 6)];
    expect(swapsOf([call([PAID, GOT, fee])], balances)).toEqual([SWAP]);
  });

  test('is attributed to the signer that the paying signer acted for', () => {
    const given = transfer({ from: 'boss sol', to: 'wallet sol', by: 'boss', amount: 30_000n });
    const passed = transfer({ from: 'wallet cat', to: 'boss cat', by: 'wallet', amount: 45_000n });
    const balances = [
      ...BALANCES.slice(0, 2),
      balance('wallet sol', WRAPPED_SOL, 'wallet', 50_000n, 50_000n, 9),
      balance('wallet cat', CAT, 'wallet', 0n, 0n, 6),
      balance('boss sol', WRAPPED_SOL, 'boss', 30_000n, 0n, 9),
      balance('boss cat', CAT, 'boss', 0n, 45_000n, 6),
    ];
    const drafts = [given, call([PAID, GOT]), passed];
    expect(swapsOf(drafts, balances, ['wallet', 'boss'])).toMatchObject([
      { trader: address('boss'), poolBaseDelta: -45_000n },
    ]);
  });

  test('may be with vaults that own themselves', () => {
    const got = transfer({ from: 'vault cat', to: 'wallet cat', by: 'vault cat', amount: 45_000n });
    const balances = BALANCES.map((one) => {
      return one.owner === address('pool') ? { ...one, owner: one.account } : one;
    });
    expect(swapsOf([call([PAID, got])], balances)).toEqual([SWAP]);
  });

  test('is quarantined when the vaults contradict it', () => {
    const balances = BALANCES.map((one) => {
      return one.account === address('vault sol') ? { ...one, after: 130_001n } : one;
    });
    const { facts, tally } = decode([call([PAID, GOT])], balances);
    const quarantine = 'quote vault balance contradicts its transfers';
    expect(facts.events).toMatchObject([{ ...SWAP, quarantine }]);
    expect(tally.problems).toMatchObject([{ problem: 'quarantined', program: 'inferred' }]);
  });

  test('is recognised without its decoder, with the same pool', () => {
    const swap = {
      program: CPMM,
      accounts: cpmmAccounts('wallet'),
      data: hex('8fbe5adac41e33de'),
      inner: [PAID, GOT],
    };
    const transaction = buildTransaction({
      signers: [address('wallet')],
      instructions: [swap],
      tokenBalances: BALANCES,
    });
    const others = decoderSet(DECODERS.filter(({ programId }) => programId !== CPMM));
    const { events } = decodeTransaction(transaction, 0, new Tally(), others);
    expect(events).toEqual([{ ...SWAP, program: CPMM }]);
    expect(swapsOf([swap])).toMatchObject([{ venue: 'raydium_cpmm', pool: address('pool') }]);
  });

  test('is counted as an instruction that yielded an event', () => {
    const { tally } = decode([call([PAID, GOT])]);
    expect(tally.outcomes.inferred).toMatchObject({ event: 1, unknown: 0 });
  });
});

describe('routes', () => {
  const router = (inner: readonly InstructionDraft[], program = address('a router')) => ({
    program,
    inner,
  });
  /** A router's account takes the trader's tokens, exchanges them and passes on the proceeds. */
  const routed = (program: string) => [
    transfer({ from: 'wallet sol', to: 'router sol', by: 'wallet', amount: 30_000n }),
    {
      program,
      accounts: cpmmAccounts(),
      data: hex('8fbe5adac41e33de'),
      inner: [
        transfer({ from: 'router sol', to: 'vault sol', by: 'router', amount: 30_000n }),
        transfer({ from: 'vault cat', to: 'router cat', by: 'pool', amount: 45_000n }),
      ],
    },
    transfer({ from: 'router cat', to: 'wallet cat', by: 'router', amount: 45_000n }),
  ];
  const balances = [
    ...BALANCES,
    balance('router sol', WRAPPED_SOL, 'router', 5n, 5n, 9),
    balance('router cat', CAT, 'router', 5n, 5n, 6),
  ];

  test('around a known hop are not a second swap, whether or not the router is known', () => {
    for (const program of [address('a router'), JUPITER]) {
      expect(swapsOf([router(routed(CPMM), program)], balances)).toMatchObject([
        { venue: 'raydium_cpmm', poolBaseDelta: -45_000n, poolQuoteDelta: 30_000n },
      ]);
    }
  });

  test('next to a known hop are not a second swap when the router settles in another call', () => {
    const program = address('a router');
    const [paidIn, hop, paidOn] = routed(CPMM);
    const settled = { program, inner: [paidIn, paidOn] as InstructionDraft[] };
    const traded = { program, inner: [hop] as InstructionDraft[] };
    for (const drafts of [
      [settled, traded],
      [traded, settled],
      [{ program, inner: [traded, settled] }],
    ]) {
      expect(swapsOf(drafts, balances)).toMatchObject([{ venue: 'raydium_cpmm' }]);
    }
  });

  test('around an unknown hop are that hop, traded by the only signer that exchanged', () => {
    for (const program of [address('a router'), JUPITER]) {
      expect(swapsOf([router(routed(AMM), program)], balances)).toMatchObject([
        { venue: 'inferred', program: AMM, innerIx: 1, trader: address('wallet'), router: program },
      ]);
    }
  });

  test('have no trader when two signers are possible', () => {
    const other = [
      transfer({ from: 'other sol', to: 'mate sol', by: 'other', amount: 1n }),
      transfer({ from: 'mate dog', to: 'other dog', by: 'mate', amount: 1n }),
    ];
    const more = [
      ...balances,
      balance('other sol', WRAPPED_SOL, 'other', 1n, 0n, 9),
      balance('other dog', DOG, 'other', 0n, 1n, 6),
      balance('mate sol', WRAPPED_SOL, 'mate', 5n, 6n, 9),
      balance('mate dog', DOG, 'mate', 5n, 4n, 6),
    ];
    const draft = router([...routed(AMM), ...other], JUPITER);
    expect(swapsOf([draft], more, ['wallet', 'other'])).toMatchObject([{ trader: null }]);
  });

  test('are found hop by hop next to a known one', () => {
    const sold = {
      program: AMM,
      inner: [
        transfer({ from: 'wallet cat', to: 'vault two cat', by: 'wallet', amount: 45_000n }),
        transfer({ from: 'vault two dog', to: 'wallet dog', by: 'pool two', amount: 70_000n }),
      ],
    };
    const bought = {
      program: CPMM,
      accounts: cpmmAccounts('wallet'),
      data: hex('8fbe5adac41e33de'),
      inner: [PAID, GOT],
    };
    const more = [
      ...BALANCES.slice(0, 3),
      balance('wallet cat', CAT, 'wallet', 0n, 0n, 6),
      balance('vault two cat', CAT, 'pool two', 1_000n, 46_000n, 6),
      balance('vault two dog', DOG, 'pool two', 100_000n, 30_000n, 6),
      balance('wallet dog', DOG, 'wallet', 0n, 70_000n, 6),
    ];
    expect(swapsOf([router([bought, sold])], more)).toMatchObject([
      { venue: 'raydium_cpmm', baseMint: CAT, isIntermediateHop: true },
      { venue: 'inferred', trader: address('wallet'), router: address('a router') },
    ]);
  });

  test('yield nothing when both sides are programs that trade only here', () => {
    const inner = [
      transfer({ from: 'bot sol', to: 'vault sol', by: 'bot', amount: 30_000n }),
      transfer({ from: 'vault cat', to: 'bot cat', by: 'pool', amount: 45_000n }),
    ];
    const between = [
      ...BALANCES.slice(0, 2),
      balance('bot sol', WRAPPED_SOL, 'bot', 90_000n, 60_000n, 9),
      balance('bot cat', CAT, 'bot', 10_000n, 55_000n, 6),
    ];
    const { facts, tally } = decode([call(inner)], between);
    expect(facts.events.filter(({ kind }) => kind === 'swap')).toEqual([]);
    expect(tally.problems).toMatchObject([{ problem: 'unexplained' }]);
  });
});

describe('similar transactions that are not swaps', () => {
  const third = transfer({ from: 'wallet dog', to: 'treasury dog', by: 'wallet', amount: 9n });
  const dogs = [
    balance('wallet dog', DOG, 'wallet', 9n, 0n, 6),
    balance('treasury dog', DOG, 'treasury', 0n, 9n, 6),
  ];

  test('an exchange of a maker and a taker who both sign', () => {
    expect(swapsOf([call([PAID, GOT])], BALANCES, ['wallet', 'pool'])).toEqual([]);
  });

  test('an exchange made by a delegate of the maker', () => {
    const got = transfer({ from: 'vault cat', to: 'wallet cat', by: 'delegate', amount: 45_000n });
    expect(swapsOf([call([PAID, got])])).toEqual([]);
  });

  test('an escrow whose maker is paid directly', () => {
    const paid = transfer({ from: 'wallet sol', to: 'maker sol', by: 'wallet', amount: 30_000n });
    const balances = [...BALANCES, balance('maker sol', WRAPPED_SOL, 'maker', 5n, 30_005n, 9)];
    expect(swapsOf([call([paid, GOT])], balances)).toEqual([]);
  });

  test('an order of one person, whose escrow begins or ends empty', () => {
    const started = BALANCES.map((one) => {
      return one.account === address('vault sol') ? { ...one, before: 0n, after: 30_000n } : one;
    });
    const filled = BALANCES.map((one) => {
      return one.account === address('vault cat') ? { ...one, before: 45_000n, after: 0n } : one;
    });
    expect(swapsOf([call([PAID, GOT])], started)).toEqual([]);
    expect(swapsOf([call([PAID, GOT])], filled)).toEqual([]);
  });

  test.each([
    ['a deposit for a receipt', [PAID, mintTo(CAT, 'wallet cat', 45_000n)]],
    ['a redemption of liquid stake', [burn('wallet cat', CAT, 45_000n), paidOut()]],
    ['an exchange that mints a third token', [PAID, GOT, mintTo(DOG, 'wallet dog', 9n)]],
    ['a redemption that burns what it took', [PAID, GOT, burn('vault sol', WRAPPED_SOL, 1n)]],
    ['a deposit of two tokens', [PAID, deposit('wallet', 'vault')]],
    ['an airdrop', [GOT]],
    ['a fee', [PAID]],
    ['an exchange accompanied by a third token', [PAID, GOT, third]],
  ])('%s', (_, inner) => {
    expect(swapsOf([call(inner)], [...BALANCES, ...dogs])).toEqual([]);
  });

  test.each([
    ['the trader', 'wallet dog', 'pool'],
    ["the pool's own authority, which keeps it", 'vault dog', 'pool'],
    ['another signer', 'friend dog', 'pool'],
    ['a third party, not by the pool', 'fee dog', 'mint authority'],
    ['an owner that is paid as well', 'treasury dog', 'pool'],
  ])('an exchange with shares issued to %s', (_, to, by) => {
    const paid = transfer({ from: 'wallet sol', to: 'treasury sol', by: 'wallet', amount: 10n });
    const balances = [
      ...BALANCES.filter(({ account }) => account !== address('wallet sol')),
      balance('wallet sol', WRAPPED_SOL, 'wallet', 50_000n, 19_990n, 9),
      balance('treasury sol', WRAPPED_SOL, 'treasury', 0n, 10n, 9),
      balance('wallet dog', DOG, 'wallet', 0n, 0n, 6),
      balance('vault dog', DOG, 'pool', 0n, 0n, 6),
      balance('friend dog', DOG, 'friend', 0n, 0n, 6),
      balance('fee dog', DOG, 'fee owner', 0n, 0n, 6),
      balance('treasury dog', DOG, 'treasury', 0n, 0n, 6),
    ];
    const inner = [PAID, GOT, paid, mintTo(DOG, to, 9n, by)];
    expect(swapsOf([call(inner)], balances, ['wallet', 'friend'])).toEqual([]);
    const feeShare = mintTo(DOG, 'fee dog', 9n, 'pool');
    expect(swapsOf([call([PAID, GOT, paid, feeShare])], balances)).toHaveLength(1);
  });

  test('an exchange that issues more of a traded token', () => {
    const more = mintTo(CAT, 'fee cat', 9n, 'pool');
    const balances = [...BALANCES, balance('fee cat', CAT, 'fee owner', 50n, 59n, 6)];
    expect(swapsOf([call([PAID, GOT, more])], balances)).toEqual([]);
  });

  test('tokens counted in whole pieces', () => {
    const balances = BALANCES.map((one) => (one.mint === CAT ? { ...one, decimals: 0 } : one));
    expect(swapsOf([call([PAID, GOT])], balances)).toEqual([]);
  });

  test('an exchange of old tokens for the same number of new ones, raw or whole', () => {
    const inner = (old: bigint, fresh: bigint) => [
      transfer({ from: 'wallet dog', to: 'vault dog', by: 'wallet', amount: old }),
      transfer({ from: 'vault cat', to: 'wallet cat', by: 'pool', amount: fresh }),
    ];
    const balances = (old: bigint, fresh: bigint, decimals: number) => [
      balance('vault dog', DOG, 'pool', 1_000_000n, 1_000_000n + old, decimals),
      balance('vault cat', CAT, 'pool', 90_000_000n, 90_000_000n - fresh, 6),
      balance('wallet dog', DOG, 'wallet', old, 0n, decimals),
      balance('wallet cat', CAT, 'wallet', 0n, fresh, 6),
    ];
    const found = (old: bigint, fresh: bigint, decimals: number) =>
      swapsOf([call(inner(old, fresh))], balances(old, fresh, decimals)).length;
    expect(found(20_000n, 20_000n, 6)).toBe(0);
    expect(found(20_000n, 20_000n, 9)).toBe(0);
    expect(found(20_000_000n, 20_000n, 9)).toBe(0);
    expect(found(20_000n, 20_000_000n, 3)).toBe(0);
    expect(found(20_000n, 20_001n, 6)).toBe(1);
    // A fee of 0.01 % of so small an amount rounds to zero.
    expect(found(9_999n, 9_999n, 6)).toBe(1);
  });

  test.each(['borrow', 'liquidate', 'fill_order', 'increase_liquidity'])(
    'an instruction that names itself %s',
    (name) => {
      const data = hex(NAMED[name] ?? '');
      expect(swapsOf([{ ...call([PAID, GOT]), data }])).toEqual([]);
    },
  );

  test('a stake in a farm that pays the accrued reward', () => {
    const program = '9KEPoZmtHUrBbhWN1v1KWLMkkvwY6WLtAVUCPRtRjP4z';
    expect(swapsOf([{ ...call([PAID, GOT]), program }])).toEqual([]);
  });

  test('an account that exchanges the same tokens with a pool below', () => {
    const inner = [
      PAID,
      GOT,
      { program: AMM, inner: [transfer({ from: 'vault sol', to: 'x', by: 'pool', amount: 1n })] },
      {
        program: CPMM,
        inner: [transfer({ from: 'vault sol', to: 'pool two sol', by: 'pool', amount: 9n })],
      },
    ];
    const balances = [
      ...BALANCES.slice(1),
      balance('vault sol', WRAPPED_SOL, 'pool', 100_000n, 129_990n, 9),
      balance('pool two sol', WRAPPED_SOL, 'pool two', 100n, 109n, 9),
      balance('x', WRAPPED_SOL, 'x owner', 0n, 1n, 9),
    ];
    expect(swapsOf([{ ...call(inner), program: address('a broker') }], balances)).toEqual([]);
  });
});

describe('any transfers below unknown and known programs', () => {
  const ACCOUNTS = Array.from({ length: 8 }, (_, index) => `account ${index}`);
  const OWNERS = ['wallet', 'owner 1', 'owner 2', 'account 3'];
  const move = fc
    .record({
      from: fc.constantFrom(...ACCOUNTS),
      to: fc.constantFrom(...ACCOUNTS),
      by: fc.constantFrom(...OWNERS),
      amount: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    })
    .map(transfer);
  const program = fc.constantFrom(AMM, address('another'), CPMM, JUPITER);
  const inner = fc.array(
    fc.oneof(
      move,
      fc
        .record({ program, inner: fc.array(move, { maxLength: 3 }) })
        .map((one): InstructionDraft => one),
    ),
    { maxLength: 5 },
  );
  const outer = fc.record({ program, inner }).map((one): InstructionDraft => one);
  const balances = fc
    .array(
      fc.record({
        owner: fc.constantFrom(...OWNERS),
        mint: fc.constantFrom(CAT, DOG, WRAPPED_SOL),
        before: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        after: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        decimals: fc.constantFrom(0, 6, 9, 255),
      }),
      { minLength: ACCOUNTS.length, maxLength: ACCOUNTS.length },
    )
    .map((drafts) =>
      drafts.map((draft, index) => ({
        ...draft,
        account: address(ACCOUNTS[index] ?? ''),
        owner: address(draft.owner),
      })),
    );

  test('never yield an amount that was not transferred, and never use a transfer twice', () => {
    fc.assert(
      fc.property(fc.array(outer, { maxLength: 3 }), balances, (instructions, tokenBalances) => {
        const { facts, tally } = decode(instructions, tokenBalances);
        expect(tally.problems.filter(({ problem }) => problem === 'failed')).toEqual([]);
        const moved = new Map<string, bigint>();
        for (const { amount, mint } of transfersIn(instructions, tokenBalances)) {
          moved.set(mint, (moved.get(mint) ?? 0n) + amount);
        }
        for (const mint of [CAT, DOG, WRAPPED_SOL]) {
          const legs = facts.events.flatMap((event) =>
            event.kind === 'swap' && event.venue === 'inferred' ? legsOf(event, mint) : [],
          );
          const sum = legs.reduce((total, leg) => total + leg, 0n);
          expect(sum <= (moved.get(mint) ?? 0n)).toBe(true);
        }
      }),
      { numRuns: 800 },
    );
  });

  test('give the same events when repeated', () => {
    fc.assert(
      fc.property(fc.array(outer, { maxLength: 3 }), balances, (instructions, tokenBalances) => {
        const first = decode(instructions, tokenBalances).facts;
        expect(decode(instructions, tokenBalances).facts).toEqual(first);
      }),
      { numRuns: 100 },
    );
  });
});

describe('ten thousand unknown instructions of a slot', () => {
  const calls = (count: number) => Array.from({ length: count }, () => call([PAID, GOT]));
  const decodeSlot = (instructions: readonly (readonly InstructionDraft[])[]) =>
    decodeBlock({
      slot: asSlot(1),
      parentSlot: null,
      blockhash: null,
      previousBlockhash: null,
      blockTimeMs: null,
      isWhole: true,
      voteCount: 0,
      transactions: instructions.map((drafts, txIndex) =>
        buildTransaction({
          signers: [address('wallet')],
          signature: `signature ${txIndex}`,
          txIndex,
          instructions: drafts,
          tokenBalances: BALANCES,
        }),
      ),
    });

  test('take at most seconds in a hundred transactions', () => {
    const startMs = performance.now();
    const { outcomes } = decodeSlot(Array.from({ length: 100 }, () => calls(100)));
    expect(outcomes.inferred?.event).toBe(10_000);
    expect(performance.now() - startMs).toBeLessThan(SOON_MS);
  });

  // The runtime allows 64 instructions in a transaction; this record is impossible on chain.
  test('take at most seconds when one transaction has two thousand', () => {
    const startMs = performance.now();
    const { outcomes } = decodeSlot(Array.from({ length: 5 }, () => calls(2_000)));
    expect(outcomes.inferred?.event).toBe(10_000);
    expect(performance.now() - startMs).toBeLessThan(SOON_MS);
  });
});

/** First eight bytes of the SHA-256 of `global:<name>`, as in Anchor. */
const NAMED: Readonly<Record<string, string>> = {
  borrow: 'e4fd83cacf745912',
  liquidate: 'dfb3e27d302e274a',
  fill_order: 'e87a7319c78f88a2',
  increase_liquidity: '2e9cf3760dcdfbb2',
};

function call(inner: readonly InstructionDraft[]): InstructionDraft {
  return { program: AMM, inner };
}

function paidOut(): InstructionDraft {
  return transfer({ from: 'vault sol', to: 'wallet sol', by: 'pool', amount: 9n });
}

function deposit(from: string, to: string): InstructionDraft {
  return transfer({ from: `${from} cat`, to: `${to} cat`, by: from, amount: 45_000n });
}

/** Accounts of Raydium CPMM's swap_base_input, in the order of its interface. */
function cpmmAccounts(user = 'router'): string[] {
  const words = [user, 'authority', 'config', 'pool', `${user} sol`, `${user} cat`];
  return [...words, 'vault sol', 'vault cat'].map(address);
}

function withFees(): TokenBalanceDraft[] {
  return [
    balance('vault sol', WRAPPED_SOL, 'pool', 100_000n, 130_000n, 9),
    balance('vault cat', CAT, 'pool', 100_000n, 54_950n, 6),
    balance('wallet sol', WRAPPED_SOL, 'wallet', 50_000n, 19_990n, 9),
    balance('wallet cat', CAT, 'wallet', 0n, 45_000n, 6),
    balance('treasury cat', CAT, 'treasury', 0n, 50n, 6),
    balance('referrer sol', WRAPPED_SOL, 'referrer', 0n, 10n, 9),
  ];
}

function decode(
  instructions: readonly InstructionDraft[],
  tokenBalances: readonly TokenBalanceDraft[] = BALANCES,
  signers: readonly string[] = ['wallet'],
) {
  const tally = new Tally();
  const draft = { signers: signers.map(address), instructions, tokenBalances };
  return { facts: decodeTransaction(buildTransaction(draft), 0, tally), tally };
}

function swapsOf(...draft: Parameters<typeof decode>): Swap[] {
  const { events } = decode(...draft).facts;
  return events.flatMap((event) => (event.kind === 'swap' ? [event] : []));
}

function legsOf(swap: Swap, mint: string): bigint[] {
  const leg = (legMint: string, delta: bigint) => {
    if (legMint !== mint) return [];
    return [delta < 0n ? -delta : delta];
  };
  return [...leg(swap.baseMint, swap.poolBaseDelta), ...leg(swap.quoteMint, swap.poolQuoteDelta)];
}

/**
 * Every transfer of the drafts, by the mint of either account: only the amount, without direction.
 */
function transfersIn(
  drafts: readonly InstructionDraft[],
  balances: readonly TokenBalanceDraft[],
): { amount: bigint; mint: string }[] {
  return drafts.flatMap(({ data, accounts = [], inner = [] }) => {
    const below = transfersIn(inner, balances);
    if (data === undefined || data.length !== 9) return below;
    const source = balances.find(({ account }) => account === accounts[0]);
    const amount = Buffer.from(data).readBigUInt64LE(1);
    return [...below, { amount, mint: source?.mint ?? '' }];
  });
}
