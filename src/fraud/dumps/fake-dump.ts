import type { Finding } from '../../model/fraud.ts';
import { byStrength, toFinding } from '../evidence/finding.ts';
import { FRESH_MONEY_GATES } from '../groups/fresh-money.ts';
import { fallOf } from '../readings/price-readings.ts';
import { shareOf } from '../readings/shares.ts';
import { isMakerLike, readCycles } from '../readings/trade-cycles.ts';
import { holdingsAtRiskUsd } from '../readings/value-at-risk.ts';
import { type Measures, rule, type ScoringTable, scoreCase } from '../scoring/score.ts';
import { detectorOf } from '../scoring/scoring-card.ts';
import {
  DUMP_GATES,
  type Dump,
  type DumpContext,
  type DumpFeature,
  findDumps,
  toContext,
} from './dump.ts';
import { assignDumpRoles, dumpTexts } from './dump-texts.ts';

/** METHODS §7.6. */
export const FAKE_DUMP_TABLE: ScoringTable<DumpFeature> = {
  fraudType: 'fake_dump',
  bias: -3.8,
  rules: {
    drop: rule(
      1.2,
      [0.15, 0.5],
      'Young tokens move a seventh by themselves; half the price gone frightens everybody.',
    ),
    rebuy: rule(1.4, [0.8, 1.1], 'The more of it is bought back, the less anybody meant to sell.'),
    discount: rule(1.4, [0.05, 0.3], 'The gain of it all; fees alone make less than a twentieth.'),
    link: rule(
      2,
      null,
      'Strangers who buy a dip do nothing wrong: seller and buyers must be one hand.',
    ),
    visible: rule(
      0.8,
      null,
      'People run from a creator or a large holder who sells, not from anybody else.',
    ),
    induced: rule(
      0.8,
      [0.02, 0.15],
      'A fright shows in what others sell; a fiftieth of their holdings changes hands anyhow.',
    ),
    maker: rule(
      -1.8,
      null,
      'Who buys and sells in turn all day, with and against the price, earns from spreads.',
    ),
    marketMove: rule(
      -1,
      null,
      'When SOL falls, everything falls, and buying later is cheaper for everybody.',
    ),
  },
};

/** Time over which a market maker is recognised. */
const MAKER_MS = 24 * 3_600_000;
/** Fall of SOL in dollars within the pattern that explains a fall of the token. */
const SOL_FALL_MIN = 0.05;

/**
 * One wallet of a crew dumps, other holders sell, and wallets of the crew buy back at a lower
 * price. Measured by the amounts and prices at which the cluster sold and bought back. Market
 * makers and swing traders look similar; trades in both directions, size and links distinguish
 * them.
 */
export const fakeDump = detectorOf(FAKE_DUMP_TABLE, {
  severity: 8,
  pattern:
    'A creator or large holder sells so much that the price falls and people sell in fright, and ' +
    'other wallets of the same hand buy back at the low price what was sold.',
  lookAlikes: [
    'A swing trader with two wallets: too little of the supply to move the price, and seldom linked.',
    'A market maker: many turns up and down on the same day, and nothing won by them.',
    'A fall of the whole market: SOL falls at the same time.',
    'Strangers who buy the dip: no part of the cluster that sold, and no burst of fresh money.',
    'Links of shared bundles, like sizes and joint exits are left out: the pattern makes them itself.',
  ],
  gates: { ...DUMP_GATES, ...FRESH_MONEY_GATES },
  inspect: (reading) => {
    const context = toContext(reading);
    return findDumps(context)
      .map((dump) => toDumpFinding(context, dump))
      .sort(byStrength);
  },
});

function toDumpFinding(context: DumpContext, dump: Dump): Finding {
  const { mintCase } = context;
  const measures = measureDump(context, dump);
  return toFinding({
    mintCase,
    score: scoreCase(FAKE_DUMP_TABLE, measures, mintCase.isFundingKnown),
    texts: dumpTexts(context, dump, measures),
    wallets: assignDumpRoles(context, dump),
    valueAtRiskUsd: holdingsAtRiskUsd(mintCase, dump.cluster.members),
    clusterRoot: dump.cluster.root,
    patternStartSlot: dump.sale.first.slot,
  });
}

function measureDump(context: DumpContext, dump: Dump): Measures<DumpFeature> {
  const { mintCase } = context;
  const { cluster, sale, boughtRaw, sellVwapSol, buyVwapSol } = dump;
  return {
    drop: fallOf(dump.priceBeforeSol, dump.trough.priceSol),
    rebuy: shareOf(boughtRaw, sale.soldRaw),
    discount: fallOf(sellVwapSol, buyVwapSol),
    link: cluster.strength,
    visible: dump.visibleSellers.length > 0 ? 1 : 0,
    induced: inducedOf(context, dump),
    maker: isMadeByMaker(context, dump) ? 1 : 0,
    marketMove: mintCase.market === null ? null : Number(solFallOf(context, dump) >= SOL_FALL_MIN),
  };
}

/** Net sales of organic holders from the dump to the buy-back, as a share of their holdings. */
function inducedOf({ mintCase, holdings }: DumpContext, { cluster, sale, endMs }: Dump): number {
  const members = new Set(cluster.members);
  const organic = [...mintCase.wallets.values()]
    .filter(({ address, isOrganic }) => isOrganic && !members.has(address))
    .map(({ address }) => address);
  const isOrganic = new Set(organic);
  let netRaw = 0n;
  for (const { wallet, side, baseRaw, timeMs } of mintCase.trades) {
    if (timeMs < sale.first.timeMs || timeMs > endMs || !isOrganic.has(wallet)) continue;
    netRaw += side === 'sell' ? baseRaw : 0n - baseRaw;
  }
  return netRaw <= 0n ? 0 : shareOf(netRaw, holdings.together(organic)(sale.first.slot));
}

/** Uses only the other trades of the day: the pattern itself also has turns in both directions. */
function isMadeByMaker({ mintCase }: DumpContext, { cluster, sale, endMs, trough }: Dump): boolean {
  const members = new Set(cluster.members);
  const trades = mintCase.trades.filter(
    ({ wallet, timeMs }) =>
      members.has(wallet) &&
      timeMs > endMs - MAKER_MS &&
      (timeMs < sale.first.timeMs || timeMs > endMs),
  );
  const { priceSol } = mintCase.trades.findLast((trade) => trade.priceSol !== null) ?? trough;
  const lamportsPerRaw = ((priceSol ?? 0) * 1e9) / 10 ** mintCase.decimals;
  return isMakerLike(readCycles(trades, lamportsPerRaw));
}

/** Fall of SOL in dollars according to the trades of the time; 0 if it rose or is unknown. */
function solFallOf({ mintCase }: DumpContext, { sale, endMs }: Dump): number {
  const prices = mintCase.trades
    .filter(({ timeMs }) => timeMs >= sale.first.timeMs && timeMs <= endMs)
    .flatMap(({ usd, lamports }) =>
      usd === null || lamports === 0n ? [] : [shareOf(usd, lamports)],
    );
  return fallOf(prices[0] ?? null, prices.at(-1) ?? null);
}
