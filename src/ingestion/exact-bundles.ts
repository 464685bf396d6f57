import type { BundleOracle, ExactBundle } from '../model/bundle-oracle.ts';
import type { SlotFacts } from '../model/slot-facts.ts';

/** How long a slot waits to be folded for what is known of its bundles. */
const ANSWER_MS_MAX = 250;
/** Jito takes no more transactions in a bundle. */
const SIGNATURES_MAX = 5;

/** What became of the slots that were to be asked about. */
export interface BundleAnswers {
  /** The oracle knew of the slot, be it of no bundle. */
  known: number;
  unknown: number;
  failed: number;
  /** Folded without an answer: it took too long, or one that did was still outstanding. */
  late: number;
}

interface Answer {
  readonly outcome: keyof BundleAnswers;
  readonly bundles: readonly ExactBundle[];
}

const LATE: Answer = { outcome: 'late', bundles: [] };

/**
 * Asks an oracle for the bundles of slots before they are folded. What it says is stored with the
 * slot, so that folding the log again needs nobody to be asked.
 */
export class ExactBundles {
  readonly answers: BundleAnswers = { known: 0, unknown: 0, failed: 0, late: 0 };
  private readonly oracle: BundleOracle | undefined;
  /** While one question is open no other is asked: an oracle that hangs costs one wait, not one a slot. */
  private isAsking = false;

  constructor(oracle: BundleOracle | undefined) {
    this.oracle = oracle;
  }

  /** The slot with its bundles; as it was when the oracle is late, fails, or knows of none. */
  async attach(facts: SlotFacts): Promise<SlotFacts> {
    const { oracle } = this;
    if (oracle === undefined) return facts;
    const { outcome, bundles } = this.isAsking ? LATE : await this.ask(oracle, facts);
    this.answers[outcome]++;
    return bundles.length === 0 ? facts : { ...facts, exactBundles: bundles };
  }

  private ask(oracle: BundleOracle, facts: SlotFacts): Promise<Answer> {
    this.isAsking = true;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ANSWER_MS_MAX, LATE);
      void answerOf(oracle, facts).then((answer) => {
        clearTimeout(timer);
        this.isAsking = false;
        resolve(answer);
      });
    });
  }
}

/** The bundles that `held` says stay, as far as `facts` has their transactions and none of its own. */
export function keepBundles(facts: SlotFacts, { exactBundles }: SlotFacts): SlotFacts {
  if (facts.exactBundles !== undefined || exactBundles === undefined) return facts;
  const kept = knownBundles(exactBundles, facts);
  return kept.length === 0 ? facts : { ...facts, exactBundles: kept };
}

/** Never rejects: whatever is wrong with an oracle, the slot goes on without it. */
async function answerOf(oracle: BundleOracle, facts: SlotFacts): Promise<Answer> {
  try {
    const bundles = await oracle.bundlesOf(facts.slot);
    if (bundles === null) return { outcome: 'unknown', bundles: [] };
    return { outcome: 'known', bundles: knownBundles(bundles, facts) };
  } catch {
    return { outcome: 'failed', bundles: [] };
  }
}

/**
 * The bundles with at least two transactions that the slot has, each of them in one bundle only: of
 * two that name the same the first keeps it. Those that are too long for bundles are left out.
 */
function knownBundles(bundles: readonly ExactBundle[], { transactions }: SlotFacts): ExactBundle[] {
  const free = new Set(transactions.map(({ signature }) => signature));
  const known: ExactBundle[] = [];
  for (const bundle of bundles) {
    if (bundle.signatures.length > SIGNATURES_MAX) continue;
    const signatures = bundle.signatures.filter((signature) => free.delete(signature));
    if (signatures.length > 1) known.push({ signatures });
  }
  return known;
}
