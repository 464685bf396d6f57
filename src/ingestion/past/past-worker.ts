/**
 * The thread that computes states of earlier slots. It reads and writes only the folders of states
 * that it is given, and has no access to the store, to keys and to the network.
 */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { isDamage } from '../state-failure.ts';
import { PastEngines } from './past-engines.ts';
import type { FromPast, PastSettings, ToPast } from './past-messages.ts';

if (parentPort !== null) serve(parentPort, workerData as PastSettings);

function serve(port: MessagePort, settings: PastSettings): void {
  const engines = new PastEngines(settings);
  const answer = ({ id, request }: ToPast): FromPast => {
    try {
      return { id, answer: engines.answer(request) };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { id, fault: { message, isDamage: isDamage(error) } };
    }
  };
  port.on('message', (message: ToPast) => port.postMessage(answer(message)));
}
