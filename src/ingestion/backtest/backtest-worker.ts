/**
 * The thread of backtests. It reads the folders of states that it is given, and has no access to the
 * store, to keys and to the network.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { FromPast, PastSettings, ToPast } from '../past/past-messages.ts';
import { isDamage } from '../state-failure.ts';
import type { BacktestStep } from './backtest-messages.ts';
import { BacktestSession } from './backtest-session.ts';

if (parentPort !== null) serve(parentPort, workerData as PastSettings);

function serve(port: MessagePort, settings: PastSettings): void {
  const session = new BacktestSession(settings);
  const answer = ({ id, request }: ToPast<BacktestStep>): FromPast => {
    try {
      return { id, answer: session.answer(request) };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { id, fault: { message, isDamage: isDamage(error) } };
    }
  };
  port.on('message', (message: ToPast<BacktestStep>) => port.postMessage(answer(message)));
}
