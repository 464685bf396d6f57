import { Type } from 'typebox';
import { EXAMPLE } from './examples.ts';
import { UuidParameter } from './parameters.ts';

export const UNKNOWN_BACKTEST = 'This account has no backtest of this ID.';

export const BacktestPath = Type.Object({
  id: UuidParameter({ description: 'ID of the backtest.', example: EXAMPLE.uuid }),
});
