import type { Judgement } from '../../model/fraud.ts';
import { byStrength, toJudgement } from '../evidence/judgement.ts';
import { volumeOf } from '../readings/matched-trades.ts';
import { shareOf } from '../readings/shares.ts';
import { type Measures, rule, type ScoringTable, scoreCase } from '../scoring/score.ts';
import { detectorOf } from '../scoring/scoring-card.ts';
import {
  arbitrageShare,
  atomicTrades,
  makerSign,
  regularityOf,
  ringFunding,
  ringLoop,
  uneconomicShare,
  washValueAtRisk,
} from './wash-measures.ts';
import {
  findRings,
  toContext,
  WASH_GATES,
  type WashContext,
  type WashFeature,
  type WashRing,
} from './wash-ring.ts';
import { assignRingRoles, ringTexts } from './wash-texts.ts';

/** METHODS §7.8. */
export const WASH_VOLUME_TABLE: ScoringTable<WashFeature> = {
  fraudType: 'wash_volume',
  bias: -4,
  rules: {
    share: rule(2, [0.1, 0.5], "Half of a pool's volume from one party attracts the rest."),
    churn: rule(
      1.2,
      [0.9, 0.99],
      'The closer the amounts bought and sold are, the less the purpose was to hold the ' +
        'token.',
    ),
    uneconomic: rule(
      1,
      [0.1, 0.4],
      'Rounds of wash trading cost the fees; a market maker wins in eight of ten, and of a ' +
        "speculator's rounds few end so close to the price they began at.",
    ),
    funding: rule(
      1.8,
      null,
      'The counterparty of a pool trade is the pool: funding and fee payers show common ' +
        'control. One wallet alone needs no proof of it.',
    ),
    regularity: rule(
      0.6,
      null,
      'Programs trade at regular intervals and odd sizes, but jitter can hide it.',
    ),
    atomic: rule(
      1,
      null,
      'A purchase and its sale in one transaction or bundle were planned together.',
    ),
    loop: rule(0.8, null, 'SOL that circulates among the wallets pays for the next round.'),
    arbitrage: rule(
      -3,
      null,
      'Swaps over several pools equalise prices, which is profitable arbitrage.',
    ),
    maker: rule(-1.8, null, 'Market makers have a profit, an inventory or liquidity of their own.'),
  },
};

/**
 * Wallets of one owner, or one wallet alone, trade with themselves to create volume. Measured by
 * the trades that cancel out within a day, their cost and their funding. Arbitrage and market
 * making cancel out as well, but involve other pools, a profit or a stock.
 */
export const washVolume = detectorOf(WASH_VOLUME_TABLE, {
  severity: 7,
  pattern:
    'Wallets of one party repeatedly buy what its other wallets sell, or one wallet ' +
    'repeatedly buys and sells the same amount, and pay fees for artificial volume.',
  lookAlikes: [
    'Arbitrage over several pools: its swaps count against the pattern.',
    'Market makers: they profit, hold an inventory or provide liquidity.',
    'A group that bought and sold once: fewer than three rounds.',
    'Traders who reverse their positions: a single wallet needs ten rounds and a tenth of ' +
      'the volume.',
    'Sandwich attackers: they make a profit.',
    'Links by shared bundles, similar sizes and joint exits are excluded: the pattern ' +
      'itself causes them.',
  ],
  gates: WASH_GATES,
  inspect: (reading) => {
    const context = toContext(reading);
    return findRings(context)
      .map((ring) => toRingFinding(context, ring))
      .sort(byStrength);
  },
});

function toRingFinding(context: WashContext, ring: WashRing): Judgement {
  const { mintCase } = context;
  const funding = ringFunding(context, ring);
  const loop = ringLoop(context, ring);
  const measures: Measures<WashFeature> = {
    share: ring.share,
    churn: ring.matched.churn,
    uneconomic: uneconomicShare(context, ring),
    funding: mintCase.isFundingKnown || funding.share > 0 ? funding.share : null,
    regularity: regularityOf(ring),
    atomic: shareOf(volumeOf(atomicTrades(ring)), volumeOf(ring.matched.trades)),
    loop: loop === null ? 0 : 1,
    arbitrage: arbitrageShare(ring),
    maker: makerSign(context, ring),
  };
  const [first] = ring.matched.trades;
  const [wallet] = ring.wallets;
  if (first === undefined || wallet === undefined) throw new Error('a ring without a trade');
  return toJudgement({
    score: scoreCase(WASH_VOLUME_TABLE, measures, mintCase.isFundingKnown),
    texts: ringTexts(context, { ring, funding, loop, measures }),
    wallets: assignRingRoles(context, { ring, funding, loop }),
    valueAtRiskUsd: washValueAtRisk(context, ring),
    clusterRoot: ring.cluster?.root ?? wallet,
    patternStartSlot: first.slot,
  });
}
