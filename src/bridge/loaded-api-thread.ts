import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  type Worker,
} from 'node:worker_threads';
import { startThread } from '../lib/start-thread.ts';
import { ThreadError } from '../model/errors.ts';
import type { ApiRequest, ApiSettings, ApiThreadData, ToApi } from './messages.ts';

const WORKER_URL = new URL('./api-worker.ts', import.meta.url);
/** Most allocations are small and short-lived: start with V8's maximum young generation. */
const SEMI_SPACE_MB = 16;

/**
 * The thread of the API before it has anything to serve. Its modules take as long to load as a small
 * store to open, so a start loads them meanwhile and hands the thread to `ApiThread.start`.
 */
export class LoadedApiThread {
  readonly worker: Worker;
  /** Where its requests arrive, in order; its notices are messages of the worker. */
  readonly requests: MessagePort;
  /** Resolves when the thread has ended, for whatever reason. */
  readonly ended: Promise<unknown>;
  /** Rejects with ThreadError when the thread ends unexpectedly; never resolves. */
  readonly failed: Promise<never>;
  private isEndExpected = false;
  private isOpened = false;

  /** `workerUrl` is replaced only in tests. */
  constructor(workerUrl: URL = WORKER_URL) {
    const { port1: requests, port2 } = new MessageChannel();
    this.worker = startThread(workerUrl, SEMI_SPACE_MB, {
      env: {},
      workerData: { requests: port2 } satisfies ApiThreadData,
      transferList: [port2],
    });
    this.requests = requests;
    this.ended = new Promise((resolve) => this.worker.once('exit', resolve));
    this.failed = this.failure();
    this.failed.catch(() => undefined);
  }

  /**
   * Makes the API of these settings, once the control plane of the data folder is open: what takes
   * long is done before the first publication. Only the first call has an effect.
   */
  open(settings: ApiSettings): void {
    if (this.isOpened) return;
    this.isOpened = true;
    this.worker.postMessage({ kind: 'open', settings } satisfies ToApi);
  }

  /** The oldest request that has arrived and was not handled; null if there is none. */
  receive(): ApiRequest | null {
    const received: { readonly message: ApiRequest } | undefined = receiveMessageOnPort(
      this.requests,
    );
    return received?.message ?? null;
  }

  /** An end from here on is no failure. */
  expectEnd(): void {
    this.isEndExpected = true;
  }

  /**
   * Ends the thread if it was not used, once its modules are loaded: Node may crash when a thread is
   * terminated meanwhile. Does nothing to one that has ended.
   */
  async discard(): Promise<void> {
    this.expectEnd();
    this.worker.postMessage({ kind: 'close', drainMs: 0 } satisfies ToApi);
    await this.ended;
  }

  /** Ends the thread wherever it is. */
  async terminate(): Promise<void> {
    this.expectEnd();
    await this.worker.terminate();
  }

  private failure(): Promise<never> {
    return new Promise((_, reject) => {
      let fault: unknown = null;
      this.worker.once('error', (error) => {
        fault = error;
      });
      this.worker.once('exit', (exitCode) => {
        if (this.isEndExpected) return;
        const reason = fault instanceof Error ? fault.message : `it ended with code ${exitCode}`;
        const message = `The thread that answers requests has stopped (${reason}): the service ends. What is final is stored; start it again.`;
        reject(new ThreadError(message, { cause: fault }));
      });
    });
  }
}
