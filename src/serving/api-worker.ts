/** The thread of the API: listens once it was told what is true, and ends when it is closed. */
import type { AddressInfo } from 'node:net';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createLogger } from '../api/logger.ts';
import { openKeys } from '../store/open-keys.ts';
import { type Api, createApi } from './create-api.ts';
import { toFault } from './fault.ts';
import { listen } from './listen.ts';
import type { ApiSettings, FromApi, ToApi } from './messages.ts';

if (parentPort !== null) serve(parentPort, workerData as ApiSettings);

function serve(port: MessagePort, settings: ApiSettings): void {
  const post = (message: FromApi) => port.postMessage(message);
  const { keys, close: closeKeys } = openKeys(settings.dataDir);
  const api = createApi(post, keys, settings, createLogger({ level: settings.logLevel }));
  const end = () => {
    closeKeys();
    port.close();
  };
  const fail = (error: unknown) => {
    post({ kind: 'failed', fault: toFault(error) });
    end();
  };
  let isTold = false;
  port.on('message', (message: ToApi) => {
    if (message.kind === 'close') {
      close(api, message.drainMs).then(end, fail);
      return;
    }
    api.take(message);
    if (isTold) return;
    isTold = true;
    begin(api, settings).then((address) => post({ kind: 'listening', port: address }), fail);
  });
}

async function begin({ app }: Api, settings: ApiSettings): Promise<number> {
  await listen(app, settings);
  return (app.server.address() as AddressInfo).port;
}

async function close({ app }: Api, drainMs: number): Promise<void> {
  const drain = setTimeout(() => app.server.closeAllConnections(), drainMs);
  await app.close();
  clearTimeout(drain);
}
