import type { Worker } from 'node:worker_threads';
import type { PrivateOrigins } from '../alerts/webhooks/webhook-target.ts';
import { VERSION } from '../config/version.ts';
import { WebhookThread } from '../gathering/webhook-thread.ts';
import { startThread } from '../lib/start-thread.ts';
import { stopProcess } from '../lib/stop-process.ts';
import { ThreadError } from '../model/errors.ts';
import type { VenueChange } from '../model/venue-change.ts';
import type { Service } from '../service/app.ts';
import type { OpenGathering } from '../service/open-gathering.ts';
import { attachApi } from './attach-api.ts';
import { toError } from './fault.ts';
import type { ApiSettings, FromApi, ToApi } from './messages.ts';
import type { SlotTraces } from './slot-traces.ts';

const WORKER_URL = new URL('./api-worker.ts', import.meta.url);
/** Most allocations are small and short-lived: start with V8's maximum young generation. */
const SEMI_SPACE_MB = 16;

export interface ApiThreadOptions {
  readonly settings: ApiSettings;
  readonly lagMaxMs: number;
  /** Private origins that webhooks may be sent to, in addition to the public internet. */
  readonly webhookPrivateOrigins?: PrivateOrigins;
  /** Opens the gatherer of off-chain facts. The caller closes it, after this. */
  readonly openGathering?: () => OpenGathering;
  /** Called when the webhook thread ended unexpectedly; it is restarted. */
  readonly onWebhooksStopped?: (reason: string) => void;
  /** Called when the decoding of a program degrades, and when it recovers. */
  readonly onVenueChange?: (change: VenueChange) => void;
  /** Makes a trace of each slot. The caller closes it, after this. */
  readonly slotTraces?: SlotTraces;
  /** Alternative worker file, for tests. */
  readonly workerUrl?: URL;
}

/** The API of a service on its own thread, which serves requests while this thread ingests. */
export class ApiThread {
  /** Port of the HTTP listener. */
  readonly port: number;
  /** Port of the gRPC listener; null without one. */
  readonly grpcPort: number | null;
  /** Rejects with ThreadError when the thread ends unexpectedly; never resolves. */
  readonly failed: Promise<never>;
  private readonly worker: Worker;
  private readonly sender: WebhookThread;
  private readonly ended: Promise<unknown>;
  private readonly closing: { isAsked: boolean };

  private constructor(parts: Pick<ApiThread, 'port' | 'grpcPort' | 'failed'> & Parts) {
    this.port = parts.port;
    this.grpcPort = parts.grpcPort;
    this.failed = parts.failed;
    this.worker = parts.worker;
    this.sender = parts.sender;
    this.ended = parts.ended;
    this.closing = parts.closing;
  }

  /**
   * Resolves when the API is listening. Throws UsageError if the address or port is unavailable,
   * StoreError if the keys cannot be opened, and ThreadError if the thread ends first.
   */
  static async start(service: Service, options: ApiThreadOptions): Promise<ApiThread> {
    const { settings, lagMaxMs, workerUrl = WORKER_URL } = options;
    const worker = startThread(workerUrl, SEMI_SPACE_MB, { workerData: settings, env: {} });
    const closing = { isAsked: false };
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    const failed = failureOf(worker, closing);
    failed.catch(() => undefined);
    const post = (message: ToApi) => worker.postMessage(message);
    const { webhookPrivateOrigins: privateOrigins = [] } = options;
    const sender = webhookThread(options, privateOrigins);
    const { onVenueChange, openGathering, slotTraces } = options;
    const gathering = openGathering === undefined ? {} : { openGathering };
    const venues = onVenueChange === undefined ? {} : { onVenueChange };
    const traces = slotTraces === undefined ? {} : { slotTraces };
    const attached = { lagMaxMs, sender, privateOrigins, ...gathering, ...venues, ...traces };
    const take = attachApi(service, attached, post);
    const listening = new Promise<Ports>((resolve, reject) => {
      worker.on('message', (message: FromApi) => {
        if (message.kind === 'listening') resolve(message);
        else if (message.kind === 'failed') reject(toError(message.fault));
        else if (message.kind === 'unread') stopProcess();
        else take(message);
      });
    });
    try {
      const { port, grpcPort } = await Promise.race([listening, failed]);
      return new ApiThread({ port, grpcPort, failed, worker, sender, ended, closing });
    } catch (error) {
      closing.isAsked = true;
      await Promise.all([worker.terminate(), sender.close()]);
      throw error;
    }
  }

  /**
   * Stops accepting connections, lets running requests finish and ends the thread. After `drainMs`
   * the remaining connections are closed. The service must keep answering calls until then.
   */
  async close(drainMs: number): Promise<void> {
    this.closing.isAsked = true;
    this.worker.postMessage({ kind: 'close', drainMs } satisfies ToApi);
    await this.ended;
    await this.sender.close();
  }
}

type Ports = Pick<ApiThread, 'port' | 'grpcPort'>;

interface Parts {
  readonly worker: Worker;
  readonly sender: WebhookThread;
  readonly ended: Promise<unknown>;
  readonly closing: { isAsked: boolean };
}

function webhookThread(
  { onWebhooksStopped: onStopped }: ApiThreadOptions,
  privateOrigins: PrivateOrigins,
): WebhookThread {
  const settings = { privateOrigins, userAgent: `Mintscope/${VERSION}` };
  return new WebhookThread({ settings, ...(onStopped === undefined ? {} : { onStopped }) });
}

function failureOf(worker: Worker, closing: { readonly isAsked: boolean }): Promise<never> {
  return new Promise((_, reject) => {
    let fault: unknown = null;
    worker.once('error', (error) => {
      fault = error;
    });
    worker.once('exit', (exitCode) => {
      if (closing.isAsked) return;
      const reason = fault instanceof Error ? fault.message : `it ended with code ${exitCode}`;
      const message = `The thread that answers requests has stopped (${reason}): the service ends. What is final is stored; start it again.`;
      reject(new ThreadError(message, { cause: fault }));
    });
  });
}
