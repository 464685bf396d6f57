import { Type } from 'typebox';
import { ApiError } from '../../model/errors.ts';
import { SIGNAL_MODELS, type SignalModelName } from '../../model/signal.ts';
import type { SignalQuery } from '../../model/signal-listing.ts';
import type { ApiDeps } from '../deps.ts';
import { formatInstant } from '../present/format-wire.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import {
  ChoiceParameter,
  type EchoedInstant,
  EchoedInstantParameter,
} from '../schemas/parameters.ts';

export const REVERSED_RANGE = 'from_date must not be after to_date.';

/** Parameters of routes that read the signals of a time range. */
export const SIGNAL_RANGE = {
  from_date: EchoedInstantParameter({
    description: 'Return signals issued at or after this time.',
    example: EXAMPLE.hourBefore,
  }),
  to_date: Type.Optional(
    EchoedInstantParameter({
      description: 'Return signals issued at or before this time. Defaults to now.',
      example: EXAMPLE.instant,
    }),
  ),
  model_name: Type.Optional(
    ChoiceParameter(SIGNAL_MODELS, {
      description: 'Return only signals of this model. Defaults to all models.',
      invalidStatus: 422,
    }),
  ),
};

interface Asked {
  readonly from_date: EchoedInstant;
  readonly to_date?: EchoedInstant;
  readonly model_name?: SignalModelName;
}

/**
 * The query, and the part of the response that echoes it. Throws ApiError 422 for a reversed range.
 */
export function resolveSignalRange(
  asked: Asked,
  deps: Pick<ApiDeps, 'chain' | 'nowMs'>,
): { readonly query: SignalQuery; readonly echo: SignalRangeEcho } {
  const { from_date: from, to_date: to } = asked;
  const model = asked.model_name ?? null;
  // The newest block may be ahead of the local clock, a simulated one by far.
  const nowMs = Math.max(deps.nowMs(), deps.chain.freshness().timeMs ?? 0);
  const toMs = to?.timeMs ?? nowMs;
  if (from.timeMs > toMs) throw new ApiError(422, REVERSED_RANGE);
  return {
    query: { fromMs: from.timeMs, toMs, model },
    echo: { from_date: from.text, to_date: to?.text ?? formatInstant(toMs), model_name: model },
  };
}

export interface SignalRangeEcho {
  readonly from_date: string;
  readonly to_date: string;
  readonly model_name: SignalModelName | null;
}
