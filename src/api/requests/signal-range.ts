import { Type } from 'typebox';
import { ApiError } from '../../model/errors.ts';
import { SIGNAL_MODELS, type SignalModelName } from '../../model/signal.ts';
import type { SignalQuery } from '../../model/signal-file.ts';
import type { ApiDeps } from '../deps.ts';
import type { EchoedInstant } from '../parameters/compile-parameters.ts';
import { formatInstant } from '../present/format-wire.ts';
import { ChoiceParameter, EchoedInstantParameter } from '../schemas/parameters.ts';

export const REVERSED_RANGE = 'from_date must not be after to_date.';

/** Parameters of everything that is asked of the signals of a span. */
export const SIGNAL_RANGE = {
  from_date: EchoedInstantParameter({ description: 'Signals that were given at this or later.' }),
  to_date: Type.Optional(
    EchoedInstantParameter({ description: 'Signals that were given up to this; now by default.' }),
  ),
  model_name: Type.Optional(
    ChoiceParameter(SIGNAL_MODELS, {
      description: 'Only signals of this model; of all of them when left out.',
      invalidStatus: 422,
    }),
  ),
};

interface Asked {
  readonly from_date: EchoedInstant;
  readonly to_date?: EchoedInstant;
  readonly model_name?: SignalModelName;
}

/** What is asked, and the part of the answer that repeats it. Throws ApiError 422 for a reversed range. */
export function resolveSignalRange(
  asked: Asked,
  deps: Pick<ApiDeps, 'chain' | 'nowMs'>,
): { readonly query: SignalQuery; readonly echo: SignalRangeEcho } {
  const { from_date: from, to_date: to } = asked;
  const model = asked.model_name ?? null;
  // A chain may be ahead of this machine's clock, a made-up one by far.
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
