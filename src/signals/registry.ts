import type { SignalModel } from './features/signal-model.ts';
import { influxHighOnDip } from './models/influx-high-on-dip.ts';
import { organicMomentum } from './models/organic-momentum.ts';
import { randomMinute } from './models/random-minute.ts';
import { smartMoneyBounce } from './models/smart-money-bounce.ts';
import { smartMoneySurge } from './models/smart-money-surge.ts';

/** Everything that is asked at the end of a minute, in this order; the control stands last. */
export const MODELS: readonly SignalModel[] = [
  influxHighOnDip,
  smartMoneyBounce,
  smartMoneySurge,
  organicMomentum,
  randomMinute,
];
