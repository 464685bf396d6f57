/**
 * The API thread: opens with its settings, compiles its routes, listens after the first publication, and ends when it is
 * closed.
 */
import type { AddressInfo } from 'node:net';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createLogger } from '../api/logger.ts';
import { VERSION } from '../config/version.ts';
import { openOffchain } from '../store/offchain/open-offchain.ts';
import { openKeys } from '../store/open-keys.ts';
import { type Api, createApi } from './create-api.ts';
import { toFault } from './fault.ts';
import { bindGrpc, listen } from './listen.ts';
import type { ApiNotice, ApiRequest, ApiSettings, ApiThreadData, ToApi } from './messages.ts';
import { openRequestTraces, type RequestTraces } from './request-traces.ts';
import { createSocialFile } from './social-reader.ts';

type Receive = (message: Exclude<ToApi, { readonly kind: 'open' }>) => void;

if (parentPort !== null) receiveFrom(parentPort);

/**
 * What follows the settings waits until the API is made of them. A rejection ends the thread, and so
 * does a close in place of settings.
 */
function receiveFrom(port: MessagePort): void {
  let opened: Promise<Receive> | null = null;
  port.on('message', (message: ToApi) => {
    if (message.kind === 'open') opened = open(port, message.settings);
    else if (opened === null) port.close();
    else void opened.then((receive) => receive(message));
  });
}

async function open(port: MessagePort, settings: ApiSettings): Promise<Receive> {
  const { otlpEndpoint } = settings;
  const traced: { readonly requestTraces?: RequestTraces } =
    otlpEndpoint === undefined
      ? {}
      : { requestTraces: await openRequestTraces(otlpEndpoint, VERSION) };
  const notify = (notice: ApiNotice) => port.postMessage(notice);
  const { requests } = workerData as ApiThreadData;
  const post = (request: ApiRequest) => requests.postMessage(request);
  const { keys, close: closeKeys } = openKeys(settings.dataDir);
  const offchain = openOffchain(settings.dataDir);
  const onUnread = () => notify({ kind: 'unread' });
  const logger = createLogger({ level: settings.logLevel, onUnread });
  const social = createSocialFile(offchain.social, () => offchain.openInbox());
  const { dataDir } = settings;
  const local = { keys, offchain: offchain.facts, social, dataDir, ...traced };
  const api = createApi(post, local, settings, logger);
  // Routes are compiled before there is anything to serve; listening rejects if they cannot be.
  api.app.ready().then(undefined, () => undefined);
  const end = () => {
    closeKeys();
    offchain.close();
    port.close();
  };
  const fail = (error: unknown) => {
    notify({ kind: 'failed', fault: toFault(error) });
    end();
  };
  let isStarted = false;
  return (message) => {
    if (message.kind === 'close') {
      close(api, message.drainMs)
        .then(() => traced.requestTraces?.tracing.close())
        .then(end, fail);
      return;
    }
    api.take(message);
    if (isStarted) return;
    isStarted = true;
    begin(api, settings).then((ports) => notify({ kind: 'listening', ...ports }), fail);
  };
}

async function begin(
  { app, grpc }: Api,
  settings: ApiSettings,
): Promise<{ readonly port: number; readonly grpcPort: number | null }> {
  const isBound = grpc !== null && settings.grpc !== undefined;
  const grpcPort = isBound ? await bindGrpc(grpc, settings.host, settings.grpc) : null;
  await listen(app, settings);
  return { port: (app.server.address() as AddressInfo).port, grpcPort };
}

async function close({ app, grpc }: Api, drainMs: number): Promise<void> {
  // gRPC calls do not end by themselves.
  grpc?.forceShutdown();
  const drain = setTimeout(() => app.server.closeAllConnections(), drainMs);
  await app.close();
  clearTimeout(drain);
}
