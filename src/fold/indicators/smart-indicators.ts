import type { IndicatorRecord } from '../../model/indicators.ts';
import { sharesOf, toHundredths } from './shares.ts';
import type { SmartFlows } from './smart-flow.ts';
import { type SmartHolders, smartMoneyScore } from './smart-holders.ts';

type SmartHolderIndicators = Pick<
  IndicatorRecord,
  | 'smartMoneyScore'
  | 'rawSmartMoneyScore'
  | 'smartHolders'
  | 'rawHolders'
  | 'smartToRawHoldersRatio'
>;

/** Smart wallets among the holders of a mint. */
export function smartHolderIndicators(
  { wallets: smartHolders, rawScore }: SmartHolders,
  rawHolders: number,
): SmartHolderIndicators {
  return {
    smartMoneyScore: toHundredths(smartMoneyScore(rawScore)),
    rawSmartMoneyScore: toHundredths(rawScore),
    smartHolders,
    rawHolders,
    smartToRawHoldersRatio: sharesOf(BigInt(smartHolders), BigInt(rawHolders)).part,
  };
}

type SmartFlowIndicators = Pick<
  IndicatorRecord,
  | 'smartMoneyInflux10min'
  | 'smartMoneyOutflux10min'
  | 'rawSmartMoneyInflux'
  | 'rawSmartMoneyOutflux'
>;

/** Volume of smart wallets in ten minutes; null if the time or the dollar values are unknown. */
export function smartFlowIndicators(flows: SmartFlows | null): SmartFlowIndicators {
  return {
    smartMoneyInflux10min: flows?.influxUsd ?? null,
    smartMoneyOutflux10min: flows?.outfluxUsd ?? null,
    rawSmartMoneyInflux: flows?.rawInfluxUsd ?? null,
    rawSmartMoneyOutflux: flows?.rawOutfluxUsd ?? null,
  };
}
