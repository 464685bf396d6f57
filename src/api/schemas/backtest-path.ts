import { Type } from 'typebox';
import { EXAMPLE } from './examples.ts';
import { UuidParameter } from './parameters.ts';

export const UNKNOWN_BACKTEST = 'This account has no backtest of this ID.';

export const BacktestPath = Type.Object({
  id: UuidParameter({ description: 'ID of the backtest.', example: EXAMPLE.uuid }),
});

/** What the ID in the answer to a new backtest is for. */
export const BACKTEST_LINKS = Object.fromEntries(
  ['getBacktest', 'cancelBacktest'].map((operationId) => [
    operationId,
    { operationId, parameters: { id: '$response.body#/id' } },
  ]),
);
