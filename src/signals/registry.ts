import type { SignalModel } from './features/signal-model.ts';
import { graduationVelocity } from './models/graduation-velocity.ts';
import { influxHighOnDip } from './models/influx-high-on-dip.ts';
import { organicMomentum } from './models/organic-momentum.ts';
import { randomMinute } from './models/random-minute.ts';
import { smartMoneyBounce } from './models/smart-money-bounce.ts';
import { smartMoneySurge } from './models/smart-money-surge.ts';

/** All models in the order of evaluation at the end of a minute; the control comes last. */
export const MODELS: readonly SignalModel[] = [
  influxHighOnDip,
  smartMoneyBounce,
  smartMoneySurge,
  organicMomentum,
  graduationVelocity,
  randomMinute,
];
