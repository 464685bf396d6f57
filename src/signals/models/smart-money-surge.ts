import { ageMs, priceRatio, ratio, smartFlow, usd } from '../features/features.ts';
import { parseModelParameters } from '../features/model-parameters.ts';
import type { MinuteFacts, ModelReading, SignalModel } from '../features/signal-model.ts';
import table from './smart-money-surge.json' with { type: 'json' };

/** Share of the supply below which a sale does not count as that of a holder. */
const HOLDER_SHARE = 0.001;

/** Several smart wallets buy at once (METHODS §6.1). */
export const smartMoneySurge: SignalModel = {
  name: 'smart_money_surge',
  card: {
    pattern:
      'At least three smart wallets of three different clusters bought within ten minutes, ' +
      'and no smart wallet that held the token sold.',
    rationale: 'Each of them was profitable more often than chance before this token.',
    lookAlikes: [
      'One trader with several wallets: a funding cluster counts once.',
      'Insiders of the mint: they are never eligible.',
      'A purchase that causes the rise by itself: an influx above a quarter of the ' +
        'liquidity is not a signal.',
    ],
  },
  parameters: parseModelParameters(table),
  measure: ({ window, facts }) => {
    const { influxUsd, outfluxUsd } = smartFlow(facts);
    const age = ageMs(facts);
    return {
      ageSeconds: age === null ? null : age / 1_000,
      smartBuyers10m: window.smartBuyers(10),
      smartInfluxUsd10m: influxUsd,
      smartInfluxToOutflux10m: ratio(influxUsd, outfluxUsd),
      smartInfluxToLiquidity: ratio(influxUsd, usd(facts.pool.liquidityUsd)),
      smartSellingHolders10m: sellingHolders({ window, facts }),
      // If the first price is less than ten minutes old, compare with the close of its minute.
      priceToTenMinutesAgo: priceRatio(window.close, window.priceAgo(10) ?? window.firstClose),
    };
  },
};

/**
 * Number of smart wallets that sold more than they bought and held more than dust before; null
 * without a supply.
 */
function sellingHolders({ window, facts }: ModelReading): number | null {
  const supply = supplyOf(facts);
  if (supply === null) return null;
  return window.smartMoves(10).filter(({ wallet, boughtUsd, soldUsd, boughtBase, soldBase }) => {
    if (soldUsd <= boughtUsd) return false;
    const heldBefore = facts.heldRawOf(wallet) + soldBase - boughtBase;
    return heldBefore > HOLDER_SHARE * supply;
  }).length;
}

function supplyOf({ token }: MinuteFacts): number | null {
  return token.supplyRaw === null ? null : Number(token.supplyRaw - token.burnedRaw);
}
