import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  address,
  buildTransaction,
  type InstructionDraft,
} from '../../../tests/support/build-transaction.ts';
import {
  CAT,
  selfEvent,
  systemTransfer,
  TRADE_EVENT,
  tokenTransfer,
} from '../../../tests/support/pump-drafts.ts';
import {
  completeEvent,
  keptTradeEvent,
  multiHopDraft,
  POST_COMPLETE_BUY_EVENT,
  poolPartFields,
  type RouteCurve,
} from '../../../tests/support/pump-october-drafts.ts';
import { WRAPPED_SOL } from '../../model/program.ts';
import type { Swap } from '../../model/swap.ts';
import { decodeTransaction } from '../decode-transaction.ts';
import { Tally } from '../tally.ts';

/**
 * SOL buys CAT on its curve, and CAT buys DOG on a curve quoted in CAT. The protocol fee is
 * charged on the first hop and the creator fee on the last:
 * 1 SOL with a fee of 9,500,000, half of it bought back: 4,750,000 stay on CAT's curve.
 * 34,500,000,000,000 CAT come out; DOG's curve keeps 103,189,431,705 of them as creator fee, and
 * trades the other 34,396,810,568,295.
 */
const DOG = {
  mint: address('dog mint'),
  curve: address('dog curve'),
  baseVault: address('dog curve tokens'),
  quoteVault: address('dog curve cats'),
  aliceBase: address('alice dogs'),
};
const CAT_OUT = 34_500_000_000_000n;
const CREATOR_FEE = 103_189_431_705n;
const DOG_OUT = 7_000_000_000n;
const CURVES: readonly RouteCurve[] = [
  [CAT.mint, WRAPPED_SOL, CAT.curve, CAT.baseVault, CAT.quoteVault],
  [DOG.mint, CAT.mint, DOG.curve, DOG.baseVault, DOG.quoteVault],
];
const CAT_BUY = {
  isBuy: true,
  quoteAmount: 1_000_000_000n,
  tokenAmount: CAT_OUT,
  fee: 9_500_000n,
  creatorFee: 0n,
  buybackFee: 4_750_000n,
};
const DOG_BUY = {
  mint: DOG.mint,
  quoteMint: CAT.mint,
  isBuy: true,
  quoteAmount: 34_396_810_568_295n,
  tokenAmount: DOG_OUT,
  fee: 0n,
  creatorFee: CREATOR_FEE,
  buybackFee: 0n,
};
const CAT_PAID = systemTransfer(CAT.alice, CAT.curve, 1_004_750_000n);
const BOUGHT_BACK = systemTransfer(CAT.alice, CAT.buybackRecipient, 4_750_000n);
const CATS_PASS = tokenTransfer(CAT.baseVault, DOG.quoteVault, CAT.curve, CAT_OUT);
const DOGS_OUT = tokenTransfer(DOG.baseVault, DOG.aliceBase, DOG.curve, DOG_OUT);
const BUY_ROUTE = [
  CAT_PAID,
  BOUGHT_BACK,
  keptTradeEvent(CAT_BUY),
  CATS_PASS,
  DOGS_OUT,
  keptTradeEvent(DOG_BUY),
];

describe('a route that buys through two curves', () => {
  it('is one swap on each; the intermediate token is received and paid again', () => {
    const { swaps, problems } = decode(BUY_ROUTE, BOUGHT);
    expect(problems).toEqual([]);
    expect(swaps).toHaveLength(2);
    expect(swaps[0]).toMatchObject({
      outerIx: 0,
      innerIx: 3,
      pool: CAT.curve,
      trader: CAT.alice,
      side: 'buy',
      baseMint: CAT.mint,
      quoteMint: WRAPPED_SOL,
      poolBaseDelta: -34_500_000_000_000n,
      poolQuoteDelta: 1_000_000_000n,
      keptFees: { base: 0n, quote: 4_750_000n },
      traderBaseDelta: 34_500_000_000_000n,
      traderQuoteDelta: -1_009_500_000n,
      feeQuoteRaw: 9_500_000n,
      router: PUMP_AMM,
      isIntermediateHop: true,
      quarantine: null,
    });
    expect(swaps[1]).toMatchObject({
      outerIx: 0,
      innerIx: 6,
      pool: DOG.curve,
      trader: CAT.alice,
      side: 'buy',
      baseMint: DOG.mint,
      quoteMint: CAT.mint,
      poolBaseDelta: -7_000_000_000n,
      poolQuoteDelta: 34_396_810_568_295n,
      keptFees: { base: 0n, quote: 103_189_431_705n },
      traderBaseDelta: 7_000_000_000n,
      traderQuoteDelta: -34_500_000_000_000n,
      feeQuoteRaw: 103_189_431_705n,
      isIntermediateHop: false,
      quarantine: null,
    });
  });

  it('is checked against the lamports of the SOL curve', () => {
    const { swaps } = decode(BUY_ROUTE, { ...BOUGHT, lamports: 1_004_750_001n });
    expect(swaps.map(({ quarantine }) => quarantine)).toEqual([
      'curve gained 1004750001 lamports, its swaps explain 1004750000',
      null,
    ]);
  });

  it('may complete a curve and continue in the future pool', () => {
    const part = {
      baseOut: 500n,
      quoteIn: 40n,
      fee: 4n,
      creatorFee: 0n,
      buybackFee: 2n,
      baseAfter: 206_000_000_000_000n,
      quoteAfter: 85_000_000_000n,
    };
    const inner = [
      systemTransfer(CAT.alice, CAT.curve, 1_004_750_042n),
      keptTradeEvent({ ...CAT_BUY, tokenAmount: CAT_OUT - 500n }),
      completeEvent(),
      selfEvent(POST_COMPLETE_BUY_EVENT, poolPartFields(part)),
      CATS_PASS,
      DOGS_OUT,
      keptTradeEvent(DOG_BUY),
    ];
    const { swaps, kinds, problems } = decode(inner, { ...BOUGHT, lamports: 1_004_750_042n });
    expect(problems).toEqual([]);
    expect(kinds).toEqual(['swap', 'curveComplete', 'swap']);
    expect(swaps[0]).toMatchObject({
      poolQuoteDelta: 1_000_000_040n,
      keptFees: { base: 0n, quote: 4_750_002n },
      reserves: { base: 206_000_000_000_000n, quote: 85_000_000_000n, virtualQuote: null },
      quarantine: null,
    });
  });
});

describe('a route from a pool into a curve', () => {
  // The pool's output is paid into the curve by PumpSwap before its call, or pulled within the
  // call.
  const paid = tokenTransfer(
    address('cat pool cats'),
    DOG.quoteVault,
    address('cat pool'),
    CAT_OUT,
  );
  const rest = [DOGS_OUT, keptTradeEvent(DOG_BUY)];
  const curves = CURVES.slice(1);
  const moved = { ...BOUGHT, cats: 0n, lamports: 0n };

  it.each([
    ['before', [paid, multiHopDraft(curves, rest)]],
    ['within', [multiHopDraft(curves, [paid, ...rest])]],
  ])('is a swap on the curve that was paid %s its call', (_when, inner) => {
    const { swaps, problems } = decodeRoute(inner, moved);
    expect(problems).toEqual([]);
    expect(swaps).toHaveLength(1);
    expect(swaps[0]).toMatchObject({
      pool: DOG.curve,
      trader: CAT.alice,
      side: 'buy',
      poolBaseDelta: -7_000_000_000n,
      poolQuoteDelta: 34_396_810_568_295n,
      keptFees: { base: 0n, quote: 103_189_431_705n },
      quarantine: null,
    });
  });
});

describe('a route that sells through two curves', () => {
  // DOG for 1,000,000 CAT less a creator fee of 3,000; those 997,000 for 500,000 lamports less
  // 4,750, half of it bought back.
  const inner = [
    tokenTransfer(DOG.aliceBase, DOG.baseVault, CAT.alice, 800n),
    tokenTransfer(DOG.quoteVault, CAT.baseVault, DOG.curve, 997_000n),
    keptTradeEvent({
      ...DOG_BUY,
      isBuy: false,
      quoteAmount: 1_000_000n,
      tokenAmount: 800n,
      creatorFee: 3_000n,
    }),
    keptTradeEvent({
      ...CAT_BUY,
      isBuy: false,
      quoteAmount: 500_000n,
      tokenAmount: 997_000n,
      fee: 4_750n,
      buybackFee: 2_375n,
    }),
  ];
  const curves = [...CURVES].reverse();
  const moved = { cats: -997_000n, dogs: -800n, dogCats: -997_000n, lamports: -497_625n };

  it('is one swap on each, the last paid in lamports that no instruction shows', () => {
    const { swaps, problems } = decode(inner, moved, curves);
    expect(problems).toEqual([]);
    expect(swaps).toMatchObject([
      {
        pool: DOG.curve,
        side: 'sell',
        poolBaseDelta: 800n,
        poolQuoteDelta: -1_000_000n,
        keptFees: { base: 0n, quote: 3_000n },
        traderBaseDelta: -800n,
        traderQuoteDelta: 997_000n,
        quarantine: null,
      },
      {
        pool: CAT.curve,
        side: 'sell',
        poolBaseDelta: 997_000n,
        poolQuoteDelta: -500_000n,
        keptFees: { base: 0n, quote: 2_375n },
        traderBaseDelta: -997_000n,
        traderQuoteDelta: 495_250n,
        quarantine: null,
      },
    ]);
  });

  it('is quarantined when the lamports contradict it', () => {
    const { swaps } = decode(inner, { ...moved, lamports: -500_000n }, curves);
    expect(swaps[1]?.quarantine).toBe('curve gained -500000 lamports, its swaps explain -497625');
  });
});

describe('a hop is never invented', () => {
  it.each([
    ['only reported', [CAT_PAID, keptTradeEvent(CAT_BUY), CATS_PASS, keptTradeEvent(DOG_BUY)]],
    ['only moved', [CAT_PAID, CATS_PASS, DOGS_OUT, keptTradeEvent(CAT_BUY)]],
    ['reported twice', [...BUY_ROUTE, keptTradeEvent(DOG_BUY)]],
    ['reported by a cut event', [...BUY_ROUTE, selfEvent(TRADE_EVENT, new Uint8Array(130))]],
    ['completed without a trade', [completeEvent(), ...BUY_ROUTE]],
    ['of a curve that is not named', [keptTradeEvent({ ...DOG_BUY, mint: address('owl mint') })]],
  ])('when it is %s', (_case, inner) => {
    const { swaps, problems } = decode(inner, BOUGHT);
    expect(swaps).toEqual([]);
    expect(problems.filter((problem) => problem.startsWith('malformed'))).toHaveLength(1);
  });

  it('when the event reports other amounts than moved: it is quarantined', () => {
    const inner = [...BUY_ROUTE.slice(0, -1), keptTradeEvent({ ...DOG_BUY, quoteAmount: 5n })];
    const { swaps } = decode(inner, BOUGHT);
    expect(swaps.map(({ quarantine }) => quarantine)).toEqual([
      null,
      'event says 5 of quote, 34396810568295 moved',
    ]);
  });

  it('for any bytes and accounts', () => {
    const leg = fc
      .tuple(fc.constantFrom(CAT.baseVault, DOG.quoteVault, DOG.baseVault), fc.bigInt(0n, 99n))
      .map(([from, amount]) => tokenTransfer(from, DOG.aliceBase, from, amount));
    const event = fc
      .tuple(
        fc.constantFrom(TRADE_EVENT, POST_COMPLETE_BUY_EVENT),
        fc.uint8Array({ maxLength: 400 }),
      )
      .map(([tag, fields]) => selfEvent(tag, fields));
    fc.assert(
      fc.property(fc.array(fc.oneof(leg, event), { maxLength: 6 }), (inner) => {
        const { swaps, problems } = decode(inner, {
          cats: 0n,
          dogs: 0n,
          dogCats: 0n,
          lamports: 0n,
        });
        expect(problems.filter((problem) => problem.startsWith('failed'))).toEqual([]);
        expect(swaps).toEqual([]);
      }),
    );
  });
});

const PUMP_AMM = 'pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA';

/**
 * Net outflow of the curves' vaults (negative: inflow), and the lamports that CAT's curve gained.
 */
interface Moved {
  readonly cats: bigint;
  readonly dogs: bigint;
  readonly dogCats: bigint;
  readonly lamports: bigint;
}

const BOUGHT: Moved = {
  cats: CAT_OUT,
  dogs: DOG_OUT,
  dogCats: CAT_OUT,
  lamports: 1_004_750_000n,
};

/** Decodes a route that PumpSwap passes to the pump program as a whole. */
function decode(inner: readonly InstructionDraft[], moved: Moved, curves = CURVES) {
  return decodeRoute([multiHopDraft(curves, inner)], moved);
}

/** Decodes a route from the calls that PumpSwap makes. */
function decodeRoute(inner: readonly InstructionDraft[], moved: Moved) {
  const initial = 10n ** 15n;
  const balance = (account: string, mint: string, owner: string, gained: bigint) => ({
    account,
    mint,
    owner,
    before: initial,
    after: initial + gained,
  });
  const transaction = buildTransaction({
    signers: [CAT.alice],
    instructions: [{ program: PUMP_AMM, inner }],
    tokenBalances: [
      balance(CAT.baseVault, CAT.mint, CAT.curve, -moved.cats),
      balance(DOG.baseVault, DOG.mint, DOG.curve, -moved.dogs),
      balance(DOG.quoteVault, CAT.mint, DOG.curve, moved.dogCats),
      balance(DOG.aliceBase, DOG.mint, CAT.alice, moved.dogs),
    ],
    lamports: { [CAT.curve]: [initial, initial + moved.lamports] },
  });
  const tally = new Tally();
  const { events } = decodeTransaction(transaction, 0, tally);
  const swaps: Swap[] = events.filter((event) => event.kind === 'swap');
  return {
    swaps,
    kinds: events
      .map(({ kind }) => kind)
      .filter((kind) => kind !== 'tokenTransfer' && kind !== 'solTransfer'),
    problems: tally.problems
      .filter(({ program }) => program === 'pump')
      .map(({ problem, reason }) => `${problem}: ${reason}`),
  };
}
