import type { Judgement } from '../../model/fraud.ts';
import { byStrength, toJudgement } from '../evidence/judgement.ts';
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
      'The price of a young token often moves by a seventh; a fall by half causes panic.',
    ),
    rebuy: rule(1.4, [0.8, 1.1], 'The more is bought back, the less it was a real sale.'),
    discount: rule(1.4, [0.05, 0.3], 'The discount gained; fees alone are less than 5 %.'),
    link: rule(2, null, 'Unrelated dip buyers do nothing wrong: seller and buyers must be linked.'),
    visible: rule(
      0.8,
      null,
      'Sales of the creator or a large holder cause panic; other sales do not.',
    ),
    induced: rule(
      0.8,
      [0.02, 0.15],
      'Panic shows in the sales of others; 2 % of their holdings are sold anyway.',
    ),
    maker: rule(
      -1.8,
      null,
      'A wallet that alternates purchases and sales all day, with and against the price, is ' +
        'a market maker.',
    ),
    marketMove: rule(
      -1,
      null,
      'When SOL falls, all prices fall, and later purchases are cheaper for everyone.',
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
    'A creator or large holder sells so much that the price falls and others panic, and ' +
    'linked wallets buy the tokens back at the low price.',
  lookAlikes: [
    'A swing trader with two wallets: too small a share of the supply to move the price, ' +
      'and rarely linked.',
    'A market maker: many purchases and sales on the same day, without a gain from the ' + 'fall.',
    'A fall of the whole market: SOL falls at the same time as the token.',
    'Unrelated dip buyers: not part of the cluster that sold, and not freshly funded in a ' +
      'burst.',
    'Links by shared bundles, similar sizes and joint exits are excluded: the pattern ' +
      'itself causes them.',
  ],
  gates: { ...DUMP_GATES, ...FRESH_MONEY_GATES },
  inspect: (reading) => {
    const context = toContext(reading);
    return findDumps(context)
      .map((dump) => toDumpFinding(context, dump))
      .sort(byStrength);
  },
});

function toDumpFinding(context: DumpContext, dump: Dump): Judgement {
  const { mintCase } = context;
  const measures = measureDump(context, dump);
  return toJudgement({
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
