import type { Finding } from '../../model/fraud.ts';
import { byStrength, toFinding } from '../evidence/finding.ts';
import { volumeOf } from '../readings/matched-trades.ts';
import { shareOf } from '../readings/shares.ts';
import { type Measures, rule, type ScoringTable, scoreCase } from '../scoring/score.ts';
import { detectorOf } from '../scoring/scoring-card.ts';
import {
  arbitrageShare,
  atomicTrades,
  isUneconomic,
  makerSign,
  regularityOf,
  ringFunding,
  ringLoop,
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
    share: rule(2, [0.1, 0.5], 'Half of a pool’s volume from one hand makes the rest of it come.'),
    churn: rule(
      1.2,
      [0.9, 0.99],
      'The nearer purchases and sales are to each other, the less anybody wanted the token.',
    ),
    uneconomic: rule(
      1,
      null,
      'Who washes pays fees for nothing; arbitrageurs and makers earn, gamblers lose more.',
    ),
    funding: rule(
      1.8,
      null,
      'On a pool the other side is the pool: only money and payers tell that it is one hand.',
    ),
    regularity: rule(0.6, null, 'Programs keep a rhythm and odd sizes, but jitter hides it.'),
    atomic: rule(1, null, 'There and back in one transaction or bundle is no change of mind.'),
    loop: rule(0.8, null, 'SOL that goes round among the wallets pays for the next turn.'),
    arbitrage: rule(-3, null, 'Legs over several pools even out prices, which is of use and pays.'),
    maker: rule(-1.8, null, 'A profit, a stock or liquidity of its own is what a maker has.'),
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
    'Wallets of one hand buy what others of it sell, or one wallet buys and sells the same, again ' +
    'and again, and pay the fees for volume that nobody wanted.',
  lookAlikes: [
    'Arbitrage over several pools: its legs count against the pattern.',
    'Market makers: they win by it, hold a stock or provide liquidity.',
    'A crew that bought and left: fewer than three rounds.',
    'People who change their minds: one wallet alone needs ten rounds and a tenth of the volume.',
    'Sandwich attackers: their result is a profit.',
    'Links of shared bundles, like sizes and joint exits are left out: the pattern makes them itself.',
  ],
  gates: WASH_GATES,
  inspect: (reading) => {
    const context = toContext(reading);
    return findRings(context)
      .map((ring) => toRingFinding(context, ring))
      .sort(byStrength);
  },
});

function toRingFinding(context: WashContext, ring: WashRing): Finding {
  const { mintCase } = context;
  const funding = ringFunding(context, ring);
  const loop = ringLoop(context, ring);
  const measures: Measures<WashFeature> = {
    share: ring.share,
    churn: ring.matched.churn,
    uneconomic: isUneconomic(context, ring) ? 1 : 0,
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
  return toFinding({
    mintCase,
    score: scoreCase(WASH_VOLUME_TABLE, measures, mintCase.isFundingKnown),
    texts: ringTexts(context, { ring, funding, loop, measures }),
    wallets: assignRingRoles(context, { ring, funding, loop }),
    valueAtRiskUsd: washValueAtRisk(context, ring),
    clusterRoot: ring.cluster?.root ?? wallet,
    patternStartSlot: first.slot,
  });
}
