/** Limits the number of concurrent requests per host; a bounded number of further requests wait. */
export class HostGate {
  private readonly activeMax: number;
  private readonly waitingMax: number;
  private readonly hosts = new Map<string, HostQueue>();

  constructor(limits: { readonly activeMax: number; readonly waitingMax: number }) {
    this.activeMax = limits.activeMax;
    this.waitingMax = limits.waitingMax;
  }

  /** Returns false if too many requests already wait, or if the signal aborts the wait. */
  async enter(host: string, signal: AbortSignal): Promise<boolean> {
    const queue = this.hosts.get(host) ?? { active: 0, waiting: [] };
    this.hosts.set(host, queue);
    if (queue.active < this.activeMax) {
      queue.active++;
      return true;
    }
    if (queue.waiting.length >= this.waitingMax || signal.aborted) return false;
    return await new Promise<boolean>((resolve) => {
      const giveUp = (): void => {
        queue.waiting.splice(queue.waiting.indexOf(letIn), 1);
        resolve(false);
      };
      const letIn = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve(true);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      queue.waiting.push(letIn);
    });
  }

  /** Must be called once for each successful `enter`. */
  leave(host: string): void {
    const queue = this.hosts.get(host);
    if (queue === undefined) return;
    const next = queue.waiting.shift();
    if (next !== undefined) next();
    else if (--queue.active === 0) this.hosts.delete(host);
  }

  /** Number of hosts with running requests. */
  get size(): number {
    return this.hosts.size;
  }
}

interface HostQueue {
  active: number;
  readonly waiting: (() => void)[];
}
