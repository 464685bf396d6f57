import { Worker } from 'node:worker_threads';
import type { Service } from '../app.ts';
import { ThreadError } from '../model/errors.ts';
import { attachApi } from './attach-api.ts';
import { toError } from './fault.ts';
import type { ApiSettings, FromApi, ToApi } from './messages.ts';

const WORKER_URL = new URL('./api-worker.ts', import.meta.url);

export interface ApiThreadOptions {
  readonly settings: ApiSettings;
  readonly lagMaxMs: number;
  /** Another worker file, for tests. */
  readonly workerUrl?: URL;
}

/** The API of a service on a thread of its own, which serves while this one folds. */
export class ApiThread {
  /** Where it listens. */
  readonly port: number;
  /** Rejects with ThreadError when the thread ends by itself, and never resolves. */
  readonly failed: Promise<never>;
  private readonly worker: Worker;
  private readonly ended: Promise<unknown>;
  private readonly closing: { isAsked: boolean };

  private constructor(parts: Pick<ApiThread, 'port' | 'failed'> & Parts) {
    this.port = parts.port;
    this.failed = parts.failed;
    this.worker = parts.worker;
    this.ended = parts.ended;
    this.closing = parts.closing;
  }

  /**
   * Resolves when it listens. Throws UsageError for an address or port that cannot be had, StoreError
   * when the keys cannot be opened, ThreadError when the thread ends before.
   */
  static async start(
    service: Service,
    { settings, lagMaxMs, workerUrl = WORKER_URL }: ApiThreadOptions,
  ): Promise<ApiThread> {
    const worker = new Worker(workerUrl, { workerData: settings, env: {} });
    const closing = { isAsked: false };
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    const failed = failureOf(worker, closing);
    failed.catch(() => undefined);
    const post = (message: ToApi) => worker.postMessage(message);
    const take = attachApi(service, { lagMaxMs }, post);
    const listening = new Promise<number>((resolve, reject) => {
      worker.on('message', (message: FromApi) => {
        if (message.kind === 'listening') resolve(message.port);
        else if (message.kind === 'failed') reject(toError(message.fault));
        else take(message);
      });
    });
    try {
      const port = await Promise.race([listening, failed]);
      return new ApiThread({ port, failed, worker, ended, closing });
    } catch (error) {
      closing.isAsked = true;
      await worker.terminate();
      throw error;
    }
  }

  /**
   * Takes no new connection, lets requests that run be answered, and ends the thread. After `drainMs`
   * connections are closed whatever runs on them. The service must go on answering until then.
   */
  async close(drainMs: number): Promise<void> {
    this.closing.isAsked = true;
    this.worker.postMessage({ kind: 'close', drainMs } satisfies ToApi);
    await this.ended;
  }
}

interface Parts {
  readonly worker: Worker;
  readonly ended: Promise<unknown>;
  readonly closing: { isAsked: boolean };
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
