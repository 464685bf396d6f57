import fc from 'fast-check';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import { TERMINAL_OF_FEE_ACCOUNT } from '../../src/model/terminal-accounts.ts';
import { address } from './build-transaction.ts';
import { SOL } from './master-fixture.ts';
import {
  makeSmart,
  POOLS,
  programOwned,
  type StoryPool,
  type StorySwap,
  type StoryTransaction,
  WalletStory,
} from './wallet-story.ts';

export interface Story {
  readonly slots: readonly SlotFacts[];
  /** Number of leading slots that are not random. */
  readonly prologue: number;
}

/** The first two are smart in stories with a prologue; `vault` belongs to a program. */
export const PEOPLE = ['s one', 's two', 'ann', 'bob', 'cat', 'team', 'vault'];
const SMART = PEOPLE.slice(0, 2);
const POOL_NAMES = Object.keys(POOLS) as StoryPool[];
const [TERMINAL = ''] = TERMINAL_OF_FEE_ACCOUNT.keys();
const PRIVATE_PROGRAM = address('private program');
programOwned('vault');

const who = fc.constantFrom(...PEOPLE.slice(0, 6));
const anybody = fc.constantFrom(...PEOPLE);
const pool = fc.constantFrom(...POOL_NAMES);
const base = fc.constantFrom(1n, 5_000n, 1_000_000n, 700_000_000n, 1_000_000_000n);
const quote = fc.constantFrom(9_000n, 2_000_000n, SOL / 10n, SOL, (7n * SOL) / 5n, 3n * SOL);
const side = fc.constantFrom('buy' as const, 'sell' as const);

type Move = (story: WalletStory) => StoryTransaction[];

/** Turns a sale of more than the wallet has into a purchase. */
function within(story: WalletStory, swap: StorySwap & { readonly pool: StoryPool }): StorySwap {
  const { base: mint, quoteMint } = POOLS[swap.pool];
  const isShort = story.balance(mint, swap.who) < swap.base;
  const allowed = swap.side === 'sell' && isShort ? { ...swap, side: 'buy' as const } : swap;
  if (quoteMint !== address('token-t') || allowed.side === 'sell') return allowed;
  const held = story.balance('T', swap.who);
  // A wallet without T buys in the SOL pool instead.
  if (held === 0n) return { ...allowed, pool: 'u-sol' };
  if (held >= allowed.quote) return allowed;
  return { ...allowed, quote: held };
}

const trade: fc.Arbitrary<Move> = fc
  .record({
    who: anybody,
    ...{ pool, side, base, quote },
    payer: who,
    isSponsored: fc.nat(9).map((roll) => roll === 0),
    hasTerminal: fc.nat(4).map((roll) => roll === 0),
    isPrivate: fc.nat(4).map((roll) => roll === 0),
    isQuarantined: fc.nat(19).map((roll) => roll === 0),
    isQuoteSeen: fc.boolean(),
  })
  .map((drawn) => (story) => {
    const flags = {
      ...(drawn.isQuarantined ? { quarantine: 'made up' } : {}),
      ...(drawn.isQuoteSeen ? {} : { traderQuoteDelta: null }),
    };
    const isForeign = drawn.isSponsored || drawn.who === 'vault';
    const fee = { from: drawn.who, to: TERMINAL, lamports: SOL / 100n };
    return [
      {
        signers: isForeign ? [drawn.payer] : [drawn.who],
        swaps: [{ ...within(story, drawn), flags }],
        pays: drawn.hasTerminal ? [fee] : [],
        terminal: null,
        skeleton: null,
        programIds: drawn.isPrivate ? [PRIVATE_PROGRAM] : [],
      },
    ];
  });

const send: fc.Arbitrary<Move> = fc
  .record({
    from: anybody,
    to: anybody,
    mint: fc.constantFrom('T' as const, 'U' as const, 'F' as const),
    raw: base,
    isSold: fc.boolean(),
    quote,
  })
  .map(({ from, to, mint, raw, isSold, quote: paid }) => (story) => {
    if (story.balance(mint, from) < raw) return [];
    const feeRaw = mint === 'F' ? (raw + 99n) / 100n : 0n;
    const target = mint === 'T' ? 't-sol' : mint === 'U' ? 'u-sol' : 'f-sol';
    const sold = { who: to, side: 'sell', base: raw - feeRaw, quote: paid, pool: target } as const;
    const isSale = isSold && to !== from && to !== 'vault' && raw > feeRaw;
    return [
      {
        signers: isSale ? [from, to] : [from],
        sends: [{ mint, from, to, raw, feeRaw }],
        swaps: isSale ? [sold] : [],
      },
    ];
  });

const forward: fc.Arbitrary<Move> = fc
  .record({ from: who, to: who, base, quote })
  .map(({ from, to, base: raw, quote: paid }) => () => [
    {
      signers: [from],
      swaps: [{ who: from, side: 'buy', base: raw, quote: paid }],
      sends: [{ mint: 'T', from, to, raw }],
    },
  ]);

const trip: fc.Arbitrary<Move> = fc
  .record({ who, base, quote, isFlagged: fc.boolean(), isElsewhere: fc.boolean() })
  .map(({ isFlagged, isElsewhere, ...part }) => () => {
    const isArbitrage = isFlagged && isElsewhere;
    const flags = {
      isAtomicRoundTrip: isFlagged && !isElsewhere,
      isPureArbitrage: isArbitrage,
    };
    const back = isElsewhere ? 't-usdc' : 't-sol';
    const swaps = [
      { ...part, side: 'buy', flags } as const,
      { ...part, side: 'sell', flags, pool: back } as const,
    ];
    return [{ signers: [part.who], swaps }];
  });

const route: fc.Arbitrary<Move> = fc
  .record({ who, base, quote, isWhole: fc.boolean() })
  .map(({ isWhole, ...part }) => () => {
    const flags = { isIntermediateHop: true };
    const first = { ...part, side: 'buy', flags } as const;
    const last = isWhole
      ? ({ ...part, side: 'buy', base: 77n, quote: part.base, pool: 'u-t' } as const)
      : ({ ...part, side: 'sell', pool: 't-usdc', flags } as const);
    return [{ signers: [part.who], swaps: [first, last] }];
  });

const sandwich: fc.Arbitrary<Move> = fc
  .record({ who, victim: who, base, quote })
  .map(({ victim, ...part }) => () => [
    { signers: [part.who], swaps: [{ ...part, side: 'buy' }] },
    { signers: [victim], swaps: [{ ...part, who: victim, side: 'buy' }] },
    { signers: [part.who], swaps: [{ ...part, quote: part.quote * 2n, side: 'sell' }] },
  ]);

const payment: fc.Arbitrary<Move> = fc
  .record({ from: anybody, to: anybody, lamports: fc.constantFrom(1_000_000n, SOL / 2n, 9n * SOL) })
  .map((pay) => () => [{ signers: [pay.from === 'vault' ? 'ann' : pay.from], pays: [pay] }]);

const failure: fc.Arbitrary<Move> = fc.record({ who, count: fc.constantFrom(1, 1, 20) }).map(
  ({ who: signer, count }) =>
    () =>
      Array.from({ length: count }, () => ({
        ...{ signers: [signer], hasFailed: true },
        programIds: [address('whatever'), CPMM],
      })),
);

const CPMM = 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C' as ReturnType<typeof address>;

const move = fc.oneof(
  { weight: 9, arbitrary: trade },
  { weight: 3, arbitrary: send },
  { weight: 2, arbitrary: trip },
  { weight: 2, arbitrary: sandwich },
  ...[forward, route, payment, failure].map((arbitrary) => ({ weight: 1, arbitrary })),
);

const step = fc.record({
  /** No move: the story stays in the same slot. */
  seconds: fc.constantFrom(null, null, 0, 0.4, 1, 2, 17, 61, 599, 700, 40_000, 90_000, 700_000),
  move,
  times: fc.constantFrom(1, 1, 1, 1, 2, 6),
});

/** Half of the stories begin with two wallets becoming smart. */
export const arbitraryStory: fc.Arbitrary<Story> = fc
  .record({
    hasPrologue: fc.boolean(),
    areRelated: fc.boolean(),
    creator: who,
    steps: fc.array(step, { minLength: 1, maxLength: 20 }),
  })
  .map(({ hasPrologue, areRelated, creator, steps }) => {
    const story = new WalletStory({ T: creator }).wait(1);
    if (areRelated) {
      for (const to of SMART)
        story.add({ signers: ['hand'], pays: [{ from: 'hand', to, lamports: SOL }] });
    }
    if (hasPrologue) makeSmart(story, SMART);
    const prologue = story.slots.length;
    for (const { seconds, move: make, times } of steps) {
      if (seconds !== null) story.wait(seconds);
      for (let count = 0; count < times; count++) {
        for (const transaction of make(story)) story.add(transaction);
      }
    }
    return { slots: story.end(), prologue };
  });
