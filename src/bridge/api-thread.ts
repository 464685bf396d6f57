import type { PrivateOrigins } from '../alerts/webhooks/webhook-target.ts';
import { VERSION } from '../config/version.ts';
import { WebhookThread } from '../gathering/webhook-thread.ts';
import { stopProcess } from '../lib/stop-process.ts';
import type { VenueChange } from '../model/venue-change.ts';
import type { Service } from '../service/app.ts';
import type { OpenGathering } from '../service/open-gathering.ts';
import { type AttachedReplica, attachApi } from './attach-api.ts';
import { toError } from './fault.ts';
import { LoadedApiThread } from './loaded-api-thread.ts';
import type { ApiNotice, ApiSettings, ToApi } from './messages.ts';
import type { SlotTraces } from './slot-traces.ts';

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
  /** Compares the state with those of other replicas. */
  readonly replica?: AttachedReplica;
  /** Makes a trace of each slot. The caller closes it, after this. */
  readonly slotTraces?: SlotTraces;
  /** A thread that was loaded beforehand, and is used by nothing else; loaded now if omitted. */
  readonly thread?: LoadedApiThread;
}

/** The API of a service on its own thread, which serves requests while this thread ingests. */
export class ApiThread {
  /** Port of the HTTP listener. */
  readonly port: number;
  /** Port of the gRPC listener; null without one. */
  readonly grpcPort: number | null;
  /** Rejects with ThreadError when the thread ends unexpectedly; never resolves. */
  readonly failed: Promise<never>;
  private readonly thread: LoadedApiThread;
  private readonly sender: WebhookThread;

  private constructor({ port, grpcPort }: Ports, thread: LoadedApiThread, sender: WebhookThread) {
    this.port = port;
    this.grpcPort = grpcPort;
    this.failed = thread.failed;
    this.thread = thread;
    this.sender = sender;
  }

  /**
   * Resolves when the API is listening. Throws UsageError if the address or port is unavailable,
   * StoreError if the keys cannot be opened, and ThreadError if the thread ends first.
   */
  static async start(service: Service, options: ApiThreadOptions): Promise<ApiThread> {
    const { settings, lagMaxMs, thread = new LoadedApiThread() } = options;
    const { worker, failed, requests } = thread;
    const post = (message: ToApi) => worker.postMessage(message);
    thread.open(settings);
    const { webhookPrivateOrigins: privateOrigins = [] } = options;
    const sender = webhookThread(options, privateOrigins);
    const { onVenueChange, openGathering, replica, slotTraces } = options;
    const gathering = openGathering === undefined ? {} : { openGathering };
    const venues = onVenueChange === undefined ? {} : { onVenueChange };
    const traces = slotTraces === undefined ? {} : { slotTraces };
    const compared = replica === undefined ? {} : { replica };
    const others = { ...gathering, ...venues, ...traces, ...compared };
    const shared = replica?.share(sender) ?? sender;
    const receive = () => thread.receive();
    const attached = { lagMaxMs, sender: shared, privateOrigins, receive, ...others };
    requests.on('message', attachApi(service, attached, post));
    const listening = new Promise<Ports>((resolve, reject) => {
      worker.on('message', (message: ApiNotice) => {
        if (message.kind === 'listening') resolve(message);
        else if (message.kind === 'failed') reject(toError(message.fault));
        else stopProcess();
      });
    });
    try {
      return new ApiThread(await Promise.race([listening, failed]), thread, sender);
    } catch (error) {
      await Promise.all([thread.terminate(), sender.close()]);
      throw error;
    }
  }

  /**
   * Stops accepting connections, lets running requests finish and ends the thread. After `drainMs`
   * the remaining connections are closed. The service must keep answering calls until then.
   */
  async close(drainMs: number): Promise<void> {
    this.thread.expectEnd();
    this.thread.worker.postMessage({ kind: 'close', drainMs } satisfies ToApi);
    await this.thread.ended;
    await this.sender.close();
  }
}

type Ports = Pick<ApiThread, 'port' | 'grpcPort'>;

function webhookThread(
  { onWebhooksStopped: onStopped }: ApiThreadOptions,
  privateOrigins: PrivateOrigins,
): WebhookThread {
  const settings = { privateOrigins, userAgent: `Mintscope/${VERSION}` };
  return new WebhookThread({ settings, ...(onStopped === undefined ? {} : { onStopped }) });
}
