import type { DetectorPackage } from '../../detector-modules/package/detector-package.ts';
import {
  countCase,
  isReported,
  NO_CASES,
  type ShadowCounts,
} from '../../detector-modules/shadow/shadow-counts.ts';
import type { FromShadow } from '../../detector-modules/shadow/shadow-messages.ts';
import { ShadowThread } from '../../detector-modules/shadow/shadow-thread.ts';
import { caseText } from '../../fraud/contract/case-text.ts';
import type { FoldListener } from '../../ingestion/fold-listener.ts';
import type { MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';

/** Tokens that wait to be judged; beyond them the longest waiting one is left out. */
const WAITING_MAX = 1_000;

/** A case that a tried detector would report. */
export interface ShadowReport {
  readonly detector: string;
  readonly mint: string;
  readonly slot: number;
  readonly confidence: number;
  readonly builtIn: readonly string[];
}

export interface ShadowTrialOptions {
  readonly packages: readonly DetectorPackage[];
  /** The present engine. */
  readonly engine: () => { mintCase(mint: Address): MintCase | null };
  readonly onReported: (report: ShadowReport) => void;
  /** A sentence about a detector that failed or ended its thread. */
  readonly onProblem: (sentence: string) => void;
  readonly silenceMaxMs?: number;
}

/** A detector that is tried. */
export interface ShadowStatus {
  readonly name: string;
  readonly counts: ShadowCounts;
  /** Why it is not asked any more; null while it is. */
  readonly stopped: string | null;
}

/**
 * Tries detectors on tokens that are traded, beside the fold: at most one case for each slot, and
 * none while the thread is busy. Nothing of it is published or stored.
 */
export class ShadowTrial {
  readonly listener: Partial<FoldListener>;
  private readonly options: ShadowTrialOptions;
  private readonly thread: ShadowThread;
  private readonly waiting = new Set<Address>();
  private readonly counts = new Map<string, ShadowCounts>();
  private readonly stopped = new Map<string, string>();

  constructor(options: ShadowTrialOptions) {
    const { packages, silenceMaxMs } = options;
    this.options = options;
    this.thread = new ShadowThread({
      packages,
      onMessage: (message) => this.take(message),
      onEnded: (name, reason) => this.ended(name, reason),
      ...(silenceMaxMs === undefined ? {} : { silenceMaxMs }),
    });
    this.listener = {
      onApplied: ({ swaps }) => {
        for (const { swap } of swaps) this.wait(swap.baseMint);
        this.judgeNext();
      },
      onReplaced: () => this.waiting.clear(),
    };
  }

  get status(): readonly ShadowStatus[] {
    return this.options.packages.map(({ name }) => ({
      name,
      counts: this.counts.get(name) ?? NO_CASES,
      stopped: this.stopped.get(name) ?? null,
    }));
  }

  close(): Promise<void> {
    return this.thread.close();
  }

  private wait(mint: Address): void {
    if (this.waiting.has(mint)) return;
    const [oldest] = this.waiting;
    if (this.waiting.size >= WAITING_MAX && oldest !== undefined) this.waiting.delete(oldest);
    this.waiting.add(mint);
  }

  private judgeNext(): void {
    const [mint] = this.waiting;
    if (mint === undefined || !this.thread.isIdle) return;
    this.waiting.delete(mint);
    const mintCase = this.options.engine().mintCase(mint);
    if (mintCase !== null) this.thread.judge({ text: caseText(mintCase) });
  }

  private take(message: FromShadow): void {
    if (message.kind === 'opened') return;
    const { mint, slot, builtIn, judgements } = message;
    for (const judgement of judgements) {
      const { name, outcome } = judgement;
      const before = this.counts.get(name) ?? NO_CASES;
      this.counts.set(name, countCase(before, judgement, builtIn.length > 0));
      if (outcome.kind === 'failed') {
        if (before.failed > 0) continue;
        this.options.onProblem(`The detector ${name} failed on ${mint}: ${outcome.detail}`);
      } else if (isReported(outcome)) {
        const confidence = outcome.confidence ?? 0;
        this.options.onReported({ detector: name, mint, slot, confidence, builtIn });
      }
    }
  }

  private ended(name: string | null, reason: string): void {
    if (name === null) {
      this.options.onProblem(`The thread of tried detectors has ended: ${reason}`);
      return;
    }
    this.stopped.set(name, reason);
    this.options.onProblem(
      `The detector ${name} ended its thread and is not tried again: ${reason}`,
    );
  }
}
