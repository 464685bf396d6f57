import type { BodyOf } from '../../api/client.ts';

export type Backtest = BodyOf<'/v1/backtests/{id}'>;
export type Report = NonNullable<Backtest['report']>;
export type Delay = Report['delays'][number];
export type Execution = Delay['execution_statistics'][number];
export type LookAhead = NonNullable<Report['look_ahead']>;
export type Walk = NonNullable<Report['walk_forward']>;

/** Compared hits from which an interval is given. */
export const HITS_NEEDED = 20;

export const DELAY_TITLES: Readonly<Record<Delay['entry_delay'], string>> = {
  '1_slot': '1 slot',
  '2_slots': '2 slots',
  '10_s': '10 s',
  '60_s': '60 s',
};
