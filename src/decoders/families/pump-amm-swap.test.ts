import { describe, expect, test } from 'vitest';
import { address, type InstructionDraft } from '../../../tests/support/build-transaction.ts';
import { decodeDraft } from '../../../tests/support/decode-draft.ts';
import {
  ALICE,
  BOUGHT,
  BUY,
  BUY_EXACT_QUOTE_IN_V2,
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
  SELL_V2,
  sellEvent,
  swapDraft,
  type TradeValues,
  USER_BASE,
  USER_QUOTE,
  vault,
} from '../../../tests/support/pump-amm-drafts.ts';
import { tokenTransfer } from '../../../tests/support/pump-drafts.ts';
import { SYSTEM_PROGRAM } from '../../model/program.ts';

/** A coin and the coin it is quoted in; lexically, the base is the greater. */
const BASE = address('xx base coin');
const QUOTE = address('aa quote coin');

/** The recorded buy v2d2Jm2H…, slot 454,483,554: transfers and event. */
const RECORDED_BUY = {
  event: {
    base: 344_675_460_426n,
    quoteAmount: 5_196_523_749n,
    userQuoteAmount: 5_082_174_814n,
    lp: 10_164_350n,
    protocol: 2_541_088n,
    creator: 101_643_497n,
    buyback: 1_270_544n,
    virtualQuote: 301_716_155_377n,
    protocolRecipient: SYSTEM_PROGRAM,
  } satisfies TradeValues,
  legs: [
    tokenTransfer(POOL_BASE, USER_BASE, POOL, 344_675_460_426n),
    tokenTransfer(USER_QUOTE, POOL_QUOTE, ALICE, 5_195_253_205n),
    tokenTransfer(USER_QUOTE, PROTOCOL, ALICE, 1_270_544n),
  ],
  balances: [
    vault(POOL_BASE, BASE, [152_502_187_179_376n, 152_157_511_718_950n]),
    vault(POOL_QUOTE, QUOTE, [1_941_817_726_351n, 1_947_012_979_556n]),
    vault(USER_BASE, BASE, [2_913_578_464_709n, 3_258_253_925_135n], ALICE),
    vault(USER_QUOTE, QUOTE, [5_196_523_749n, 0n], ALICE),
  ],
};

describe('a buy whose fees stay in the pool', () => {
  // Kept: 2,541,088 - 1,270,544 + 101,643,497. Traded: 5,195,253,205 less that, which is the net
  // amount and the providers' fee: 5,082,174,814 + 10,164,350.
  const kept = 102_914_041n;
  const traded = 5_092_339_164n;

  test.each([BUY_V2, BUY_EXACT_QUOTE_IN_V2])('trades less than the vault received: %s', (tag) => {
    const swap = decode(swapDraft(tag, [...RECORDED_BUY.legs, buyEvent(RECORDED_BUY.event)]));
    expect(swap).toMatchObject({
      side: 'buy',
      baseMint: BASE,
      quoteMint: QUOTE,
      trader: ALICE,
      poolBaseDelta: -344_675_460_426n,
      poolQuoteDelta: traded,
      keptFees: { base: 0n, quote: kept },
      traderBaseDelta: 344_675_460_426n,
      traderQuoteDelta: -5_196_523_749n,
      // 5,196,523,749 - 5,082,174,814
      feeQuoteRaw: 114_348_935n,
      quarantine: null,
    });
  });

  test('leaves the reserves that the next trade is priced with', () => {
    const swap = decode(swapDraft(BUY_V2, [...RECORDED_BUY.legs, buyEvent(RECORDED_BUY.event)]));
    // 1,947,012,979,556 + 301,716,155,377 - 102,914,041, or the reserves before plus the traded
    // amount.
    const effective = 1_941_817_726_351n + 301_716_155_377n + traded;
    expect(effective).toBe(2_248_626_220_892n);
    expect(swap).toMatchObject({
      reserves: {
        base: 152_157_511_718_950n,
        quote: 1_947_012_979_556n,
        virtualBase: 152_157_511_718_950n,
        virtualQuote: effective,
      },
    });
  });

  test('matches the published formula for the reserves before it', () => {
    const effective = 1_941_817_726_351n + 301_716_155_377n;
    const net = RECORDED_BUY.event.userQuoteAmount - 1n;
    const bought = (152_502_187_179_376n * net) / (effective + net);
    const swap = decode(swapDraft(BUY_V2, [...RECORDED_BUY.legs, buyEvent(RECORDED_BUY.event)]));
    expect(swap).toMatchObject({ poolBaseDelta: -bought, traderBaseDelta: bought });
  });

  test('is quarantined with the whole vault change when no event reports its fees', () => {
    expect(decode(swapDraft(BUY_V2, RECORDED_BUY.legs))).toMatchObject({
      poolQuoteDelta: 5_195_253_205n,
      quarantine: 'no event reports which part of the vault change is fees',
    });
  });

  test.each<[string, Partial<TradeValues>, string]>([
    [
      'fees as paid out that stayed',
      { protocolRecipient: PROTOCOL },
      'neither trade nor fees explain the change of the quote vault',
    ],
    [
      'a unit less of the creator fee',
      { creator: 101_643_496n },
      'neither trade nor fees explain the change of the quote vault',
    ],
    [
      'another amount of tokens',
      { base: 344_675_460_425n },
      'the event reports another base amount than was transferred',
    ],
    [
      'buy-backs beyond the fees',
      { buyback: 104_184_586n },
      'the event reports a buy-back fee greater than the fees it is part of',
    ],
    [
      'another gross amount',
      { quoteAmount: 5_196_523_750n },
      'the fees of the event are not what its amounts differ by',
    ],
    [
      'fees equal to the whole amount',
      { userQuoteAmount: 0n, lp: 0n, creator: 5_193_982_661n },
      'the event reports a trade for nothing',
    ],
    [
      'more virtual debt than the vault holds',
      { virtualQuote: -1_941_817_726_351n },
      'effective reserves are not positive',
    ],
  ])('is quarantined when its event reports %s', (_name, change, quarantine) => {
    const event = buyEvent({ ...RECORDED_BUY.event, ...change });
    const swap = decode(swapDraft(BUY_V2, [...RECORDED_BUY.legs, event]));
    expect(swap).toMatchObject({ kind: 'swap', quarantine });
  });

  test('may leave virtual reserves below zero', () => {
    // Pending fees of an unboosted pool: 1,000,000 before the trade.
    const event = buyEvent({ ...RECORDED_BUY.event, virtualQuote: -1_000_000n });
    expect(decode(swapDraft(BUY_V2, [...RECORDED_BUY.legs, event]))).toMatchObject({
      reserves: { quote: 1_947_012_979_556n, virtualQuote: 1_946_909_065_515n },
      quarantine: null,
    });
  });

  test('keeps the balances as the reason when they contradict it first', () => {
    const [base, quote, ...users] = RECORDED_BUY.balances;
    if (base === undefined || quote === undefined) throw new Error('no vaults');
    const tampered = [base, { ...quote, after: quote.after + 1n }, ...users];
    const draft = swapDraft(BUY_V2, [...RECORDED_BUY.legs, buyEvent(RECORDED_BUY.event)]);
    expect(decode(draft, tampered)).toMatchObject({
      quarantine: 'quote vault balance contradicts its transfers',
    });
  });
});

describe('a sell whose fees stay in the pool', () => {
  // After the buy above, 100,000 tokens sell for floor(E * in / (B + in)) with
  // B = 152,157,511,718,950 and E = 2,248,626,220,892. Fees of 20, 5 and 200 bps are rounded up,
  // half of the protocol's, rounded down, is paid for buy-backs.
  const gross = (2_248_626_220_892n * 100_000_000_000n) / (152_157_511_718_950n + 100_000_000_000n);
  const event: TradeValues = {
    base: 100_000_000_000n,
    quoteAmount: gross,
    userQuoteAmount: 1_443_628_038n,
    lp: 2_953_715n,
    protocol: 738_429n,
    creator: 29_537_147n,
    buyback: 369_214n,
    virtualQuote: 301_613_241_336n,
    protocolRecipient: SYSTEM_PROGRAM,
  };
  const legs = [
    tokenTransfer(USER_BASE, POOL_BASE, ALICE, 100_000_000_000n),
    tokenTransfer(POOL_QUOTE, USER_QUOTE, POOL, 1_443_628_038n),
    tokenTransfer(POOL_QUOTE, PROTOCOL, POOL, 369_214n),
  ];
  const after = [
    vault(POOL_BASE, BASE, [152_157_511_718_950n, 152_257_511_718_950n]),
    vault(POOL_QUOTE, QUOTE, [1_947_012_979_556n, 1_945_568_982_304n]),
    vault(USER_BASE, BASE, [100_000_000_000n, 0n], ALICE),
    vault(USER_QUOTE, QUOTE, [0n, 1_443_628_038n], ALICE),
  ];

  test('trades more than the vault paid out', () => {
    expect(gross).toBe(1_476_857_329n);
    expect(decode(swapDraft(SELL_V2, [...legs, sellEvent(event)]), after)).toMatchObject({
      side: 'sell',
      poolBaseDelta: 100_000_000_000n,
      // The providers' fee stays: 1,476,857,329 - 2,953,715. The vault paid 1,443,997,252.
      poolQuoteDelta: -1_473_903_614n,
      keptFees: { base: 0n, quote: 29_906_362n },
      traderBaseDelta: -100_000_000_000n,
      traderQuoteDelta: 1_443_628_038n,
      feeQuoteRaw: 33_229_291n,
      reserves: {
        base: 152_257_511_718_950n,
        quote: 1_945_568_982_304n,
        virtualBase: 152_257_511_718_950n,
        // 2,248,626,220,892 - 1,473,903,614
        virtualQuote: 2_247_152_317_278n,
      },
      quarantine: null,
    });
  });

  test('is quarantined when the vault paid out fees that its event keeps', () => {
    const creatorPaid = tokenTransfer(POOL_QUOTE, PROTOCOL, POOL, 29_537_147n);
    const draft = swapDraft(SELL_V2, [...legs, creatorPaid, sellEvent(event)]);
    const [base, quote, ...users] = after;
    if (base === undefined || quote === undefined) throw new Error('no vaults');
    const paid = [base, { ...quote, after: quote.after - 29_537_147n }, ...users];
    expect(decode(draft, paid)).toMatchObject({
      poolQuoteDelta: -1_473_534_399n,
      quarantine: 'neither trade nor fees explain the change of the quote vault',
    });
  });
});

describe('a trade whose fees are paid during the trade', () => {
  test('on a boosted pool is priced with its virtual reserves and keeps no fees', () => {
    const event = buyEvent({
      quoteAmount: 1_000_000n,
      userQuoteAmount: 1_002_800n,
      virtualQuote: 17_584_505_941n,
    });
    const swap = decode(swapDraft(BUY, [...BUY_LEGS, event]), balances(BOUGHT));
    expect(swap).toMatchObject({
      poolQuoteDelta: 1_002_000n,
      reserves: {
        virtualBase: HELD - 70_000n,
        virtualQuote: HELD + 1_002_000n + 17_584_505_941n,
      },
    });
    expect(swap).not.toHaveProperty('keptFees');
  });

  test('is quarantined when something else left the vault', () => {
    const event = buyEvent({ quoteAmount: 1_000_000n, userQuoteAmount: 1_002_800n });
    const leak = tokenTransfer(POOL_QUOTE, PROTOCOL, POOL, 9n);
    const leaked = { ...BOUGHT, quote: BOUGHT.quote - 9n };
    expect(decode(swapDraft(BUY, [...BUY_LEGS, leak, event]), balances(leaked))).toMatchObject({
      quarantine: 'neither trade nor fees explain the change of the quote vault',
    });
  });
});

function decode(draft: InstructionDraft, tokenBalances = RECORDED_BUY.balances) {
  const result = decodeDraft({ signers: [ALICE], instructions: [draft], tokenBalances });
  return eventsOf(result)[0];
}
