import { Type } from 'typebox';
import { SIGNAL_MODELS, type SignalModelName } from '../../model/signal.ts';

/** Fields that echo the request. */
export const rangeFields = {
  from_date: Type.String({ description: 'The from_date parameter, as given in the request.' }),
  to_date: Type.String({
    description: 'The to_date parameter, as given in the request; the current time if omitted.',
  }),
  model_name: Type.Unsafe<SignalModelName | null>({
    type: ['string', 'null'],
    enum: [...SIGNAL_MODELS, null],
    description: 'The model_name parameter, as given in the request; null for all models.',
  }),
};

export const RANGE_EXAMPLE = {
  from_date: '2025-01-15',
  to_date: '2025-01-16T00:00:00Z',
  model_name: null,
};
