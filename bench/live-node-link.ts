import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { NodeOrder, NodeReport, PassedBlock } from './live-node-process.ts';
import type { TradedPool } from './live-tape.ts';

/** The node process, and all its reports so far. */
export class NodeLink {
  readonly passed: PassedBlock[] = [];
  /** By slot, when its block was first requested and when its answer was first sent. */
  readonly served = new Map<number, { readonly askedAtMs: number; readonly sentAtMs: number }>();
  hasEnded = false;
  private readonly child: ChildProcess;
  private readonly traded = new Map<number, readonly TradedPool[]>();
  private readonly listening: Promise<number>;

  constructor(tapeFolder: string) {
    const path = fileURLToPath(new URL('./live-node-process.ts', import.meta.url));
    this.child = fork(path, [tapeFolder], { execArgv: ['--disable-warning=ExperimentalWarning'] });
    this.listening = new Promise((resolve, reject) => {
      this.child.on('message', (report: NodeReport) => {
        if (report.kind === 'listening') resolve(report.port);
        else this.take(report);
      });
      this.child.once('exit', (code, signal) =>
        reject(new Error(`the node ended by itself (${code ?? signal})`)),
      );
    });
  }

  async url(): Promise<string> {
    return `http://127.0.0.1:${await this.listening}`;
  }

  /** The newest block, with the newest confirmed slot. */
  get tip(): PassedBlock | null {
    return this.passed.at(-1) ?? null;
  }

  /** Pools that were traded in that slot. */
  tradedIn(slot: number): readonly TradedPool[] {
    return this.traded.get(slot) ?? [];
  }

  order(order: NodeOrder): void {
    this.child.send(order);
  }

  /** Forgets reports about earlier slots, so that memory does not grow in a long run. */
  forgetBefore(slot: number): void {
    const kept = this.passed.findIndex((block) => block.slot >= slot);
    this.passed.splice(0, kept < 0 ? this.passed.length : kept);
    for (const known of this.served.keys()) if (known < slot) this.served.delete(known);
    for (const known of this.traded.keys()) if (known < slot) this.traded.delete(known);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await ended;
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  private take(report: Exclude<NodeReport, { readonly kind: 'listening' }>): void {
    if (report.kind === 'ended') this.hasEnded = true;
    else if (report.kind === 'served') {
      const { slot, askedAtMs, sentAtMs } = report;
      if (!this.served.has(slot)) this.served.set(slot, { askedAtMs, sentAtMs });
    } else {
      const { kind: _, traded, ...block } = report;
      this.passed.push(block);
      this.traded.set(block.slot, traded);
    }
  }
}
