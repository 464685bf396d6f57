import type { Appended, FollowOptions, LogBounds, LogUsage, StepLog } from './step-log.ts';
import type { StepMessage, StoredMessage } from './step-message.ts';

/** The log within one process. Its messages are lost with the process. */
export class MemoryStepLog implements StepLog {
  private readonly messages: { readonly message: StepMessage; readonly id: string }[] = [];
  private readonly waiting = new Set<() => void>();
  private firstSeq = 1;

  async bounds(): Promise<LogBounds> {
    return { firstSeq: this.firstSeq, lastSeq: this.lastSeq };
  }

  async usage(): Promise<LogUsage> {
    const bytes = this.messages.reduce((sum, { message }) => sum + message.body.length, 0);
    return { bytes, bytesMax: null };
  }

  async headAt(seq: number): Promise<StepMessage['head']> {
    return this.at(seq)?.head ?? null;
  }

  async append(
    message: StepMessage,
    { seq, id }: { readonly seq: number; readonly id: string },
  ): Promise<Appended> {
    const repeated = this.messages[seq - this.firstSeq + 1];
    if (repeated?.id === id) return { kind: 'appended', seq: seq + 1 };
    if (seq !== this.lastSeq) return { kind: 'refused' };
    this.messages.push({ message, id });
    for (const wake of this.waiting) wake();
    return { kind: 'appended', seq: this.lastSeq };
  }

  async *follow(
    fromSeq: number,
    { headsOnly = false, signal }: FollowOptions,
  ): AsyncGenerator<StoredMessage> {
    for (let seq = Math.max(fromSeq, this.firstSeq); !signal.aborted; ) {
      const message = this.at(seq);
      if (message === null) {
        if (seq < this.firstSeq) seq = this.firstSeq;
        else await this.next(signal);
        continue;
      }
      yield { seq, head: message.head, body: headsOnly ? new Uint8Array() : message.body };
      seq++;
    }
  }

  /** Forgets all messages before a sequence, as a server does with old ones. */
  forgetBefore(firstSeq: number): void {
    this.messages.splice(0, firstSeq - this.firstSeq);
    this.firstSeq = firstSeq;
  }

  private get lastSeq(): number {
    return this.firstSeq + this.messages.length - 1;
  }

  private at(seq: number): StepMessage | null {
    return this.messages[seq - this.firstSeq]?.message ?? null;
  }

  private next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
      if (signal.aborted) wake();
    });
  }
}
