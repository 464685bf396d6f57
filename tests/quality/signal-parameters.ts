import type { ModelParameters } from '../../src/signals/features/model-parameters.ts';
import type { SignalModel } from '../../src/signals/features/signal-model.ts';

/** Sets of parameters that are tried: amounts and numbers are multiplied by a factor. */
export const FACTORS = [0.25, 0.5, 1, 2] as const;

export type Factor = (typeof FACTORS)[number];

/** Amounts and numbers, not shapes: the definition of a dip stays the same. */
const SCALED = /Usd|Buyers|ToUsual|ToLiquidity/;
/** Features that describe the token instead of its trades are not scaled. */
const UNSCALED = new Set(['marketCapUsd']);

export function scaledParameters(parameters: ModelParameters, factor: Factor): ModelParameters {
  const entries = Object.entries(parameters.conditions).map(([feature, condition]) => {
    const isScaled = SCALED.test(feature) && !UNSCALED.has(feature) && condition.least !== null;
    const least = isScaled ? (condition.least ?? 0) * factor : condition.least;
    return [feature, { ...condition, least }] as const;
  });
  return { ...parameters, conditions: Object.fromEntries(entries) };
}

/** The model with the loosest set. */
export function loosened(model: SignalModel): SignalModel {
  return {
    ...model,
    parameters: scaledParameters(model.parameters, Math.min(...FACTORS) as Factor),
  };
}
