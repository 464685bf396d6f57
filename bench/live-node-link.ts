import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { NodeOrder, NodeReport } from './live-node-process.ts';
import type { TradedPool } from './live-tape.ts';

/** A block as the node showed it. */
export interface PassedBlock {
  readonly slot: number;
  readonly confirmedSlot: number;
  readonly atMs: number;
  readonly lateMs: number;
  readonly transactions: number;
  readonly votes: number;
  readonly cpuMs: number;
}

/** The playing node, and everything it has told so far. */
export class NodeLink {
  readonly passed: PassedBlock[] = [];
  /** By slot, when its block was first asked for and when its answer was first sent. */
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

  /** The newest slot the node gives away, and the newest it shows. */
  get tip(): PassedBlock | null {
    return this.passed.at(-1) ?? null;
  }

  /** Pools somebody traded in during that slot. */
  tradedIn(slot: number): readonly TradedPool[] {
    return this.traded.get(slot) ?? [];
  }

  order(order: NodeOrder): void {
    this.child.send(order);
  }

  /** Forgets what it told of blocks before a slot, so that a long run does not grow. */
  forgetBefore(slot: number): void {
    const kept = this.passed.findIndex((block) => block.slot >= slot);
    this.passed.splice(0, kept < 0 ? this.passed.length : kept);
    for (const held of this.served.keys()) if (held < slot) this.served.delete(held);
    for (const held of this.traded.keys()) if (held < slot) this.traded.delete(held);
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
