import type { BodyOf } from '../../api/client.ts';

export type Statistics = BodyOf<'/v1/signals/statistics'>;
export type Execution = Statistics['execution_statistics'][number];
export type Signal = BodyOf<'/v1/signals'>['signals'][number];
export type SignalDetail = BodyOf<'/v1/signals/{row_id}'>;
export type ModelName = Signal['model_name'];
export type ExitRule = Execution['exit_rule'];

export const MODELS = [
  'organic_momentum',
  'smart_money_surge',
  'influx_high_on_dip',
  'smart_money_bounce',
  'graduation_velocity',
] as const satisfies readonly ModelName[];

/** What each model looks for, in a sentence. */
export const MODEL_MEANINGS: Readonly<Record<ModelName, string>> = {
  organic_momentum: "Organic wallets buy a token out of its hour's range.",
  smart_money_surge: 'Three smart wallets of different clusters buy within ten minutes.',
  influx_high_on_dip: 'Smart wallets buy a token at 35 to 75 % of its six-hour high.',
  smart_money_bounce: 'A token is 15 to 60 % above its low and smart wallets bought since.',
  graduation_velocity: 'Many organic wallets fill a bonding curve by a quarter in five minutes.',
};

export const EXIT_RULES = [
  'hold_1h',
  'hold_5m',
  'hold_24h',
  'take_profit_or_stop',
  'trailing_stop',
] as const satisfies readonly ExitRule[];

export const EXIT_TITLES: Readonly<Record<ExitRule, string>> = {
  hold_5m: 'Hold 5 min',
  hold_1h: 'Hold 1 h',
  hold_24h: 'Hold 24 h',
  take_profit_or_stop: 'Take profit or stop',
  trailing_stop: 'Trailing stop',
};

export const TICKETS = ['200', '1000'] as const;
