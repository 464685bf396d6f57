/** A thread that answers calls for current rows with made ones, as the thread of the engine does. */
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import type { LiveRowName } from '../src/bridge/live-rows.ts';
import type { ApiRequest } from '../src/bridge/messages.ts';
import { hotRows } from './hot-read-rows.ts';

type Call = Extract<ApiRequest, { readonly kind: 'call' }>;

interface RowThread {
  post(message: ApiRequest): void;
  close(): Promise<unknown>;
}

export function startRowThread(answered: (id: number, answer: unknown) => void): RowThread {
  const worker = new Worker(fileURLToPath(import.meta.url));
  worker.on('message', ({ id, answer }: { id: number; answer: unknown }) => answered(id, answer));
  return {
    post: (message) => worker.postMessage(message),
    close: () => worker.terminate(),
  };
}

if (!isMainThread) {
  let watchId = 1;
  parentPort?.on('message', ({ id, args }: Call) => {
    const [names] = args as readonly [readonly LiveRowName[]];
    const rows = names.flatMap(({ kind, address }) =>
      hotRows(address).filter((row) => row.kind === kind),
    );
    parentPort?.postMessage({ id, answer: { watchId: ++watchId, rows } });
  });
}
