/** An answer that takes longer counts as a hanging interface (G5). */
export const ANSWER_MS = 5_000;
const PAUSE_MS = 100;
const SHOWN_MAX = 200;

export interface WatchedApi {
  readonly url: string;
  readonly key: string;
  /** Requested in turn. */
  readonly paths: readonly string[];
}

/**
 * Sends requests to the API without end, one at a time, and records each answer that is neither 200
 * nor a documented error, and each that takes too long (G5).
 */
export class AnswerWatch {
  /** Each kind of violation once, in words. */
  readonly offences = new Set<string>();
  slowestMs = 0;
  answers = 0;
  private readonly api: WatchedApi;
  private readonly ending = new AbortController();
  private readonly watching: Promise<void>;

  constructor(api: WatchedApi) {
    this.api = api;
    this.watching = this.watch();
  }

  /** Resolves when the last request has ended. Requests in progress at the call do not count. */
  async stop(): Promise<void> {
    this.ending.abort();
    await this.watching;
  }

  private async watch(): Promise<void> {
    const { paths } = this.api;
    for (let turn = 0; !this.ending.signal.aborted; turn++) {
      const path = paths[turn % paths.length] ?? '/livez';
      const offence = await this.ask(path);
      if (this.ending.signal.aborted) return;
      this.answers++;
      if (offence !== null) this.offences.add(`${path}: ${offence}`);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  /** Null for a correct answer. */
  private async ask(path: string): Promise<string | null> {
    const { url, key } = this.api;
    const startedMs = performance.now();
    try {
      const answer = await fetch(url + path, {
        headers: { 'x-api-key': key },
        signal: AbortSignal.any([AbortSignal.timeout(ANSWER_MS), this.ending.signal]),
      });
      return answerOffence(answer.status, await answer.text());
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
      return error instanceof DOMException
        ? `no answer in ${ANSWER_MS} ms`
        : 'the connection broke';
    } finally {
      if (!this.ending.signal.aborted) {
        this.slowestMs = Math.max(this.slowestMs, performance.now() - startedMs);
      }
    }
  }
}

/** Null for 200 with a body, and for an error whose body is `{code, message}` with the same code. */
export function answerOffence(status: number, text: string): string | null {
  if (status === 200) return text === '' ? '200 without a body' : null;
  const shown = `${status} ${text.slice(0, SHOWN_MAX)}`;
  const body = parsed(text);
  if (typeof body !== 'object' || body === null) return shown;
  const { code, message, ...rest } = body as Record<string, unknown>;
  const isAsDocumented =
    code === status && typeof message === 'string' && Object.keys(rest).length === 0;
  return isAsDocumented && status !== 500 ? null : shown;
}

/** Undefined for text that is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
