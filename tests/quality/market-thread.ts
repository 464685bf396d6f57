import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { runWalletMarket, type WalletMarketPlan, type WalletMarketRun } from './wallet-market.ts';

type Message =
  | { readonly kind: 'progress'; readonly share: number }
  | { readonly kind: 'done'; readonly run: WalletMarketRun };

/** Runs a market on a separate thread. Rejects with the error that ended the thread. */
export function runOnThread(
  plan: WalletMarketPlan,
  onProgress: (share: number) => void,
): Promise<WalletMarketRun> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: plan });
    thread.on('message', (message: Message) => {
      if (message.kind === 'done') resolve(message.run);
      else onProgress(message.share);
    });
    thread.on('error', reject);
    thread.on('exit', (code) => reject(new Error(`the thread ended with ${code}`)));
  });
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  const run = runWalletMarket(workerData as WalletMarketPlan, (share) =>
    port.postMessage({ kind: 'progress', share } satisfies Message),
  );
  port.postMessage({ kind: 'done', run } satisfies Message);
}
