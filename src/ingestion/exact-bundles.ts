import type { BundleOracle, ExactBundle } from '../model/bundle-oracle.ts';
import type { SlotFacts } from '../model/slot-facts.ts';

/** Maximum time a slot of a followed chain waits for bundle information before it is folded. */
const FOLLOWED_ANSWER_MS_MAX = 250;
/** Slots of the past are in no hurry, and an explorer below its rate may take a while. */
const PAST_ANSWER_MS_MAX = 60_000;
/** Jito's limit for transactions in a bundle. */
const SIGNATURES_MAX = 5;

/** Number of slots by the oracle's answer. */
export interface BundleAnswers {
  /** The oracle knew the slot, possibly without bundles. */
  known: number;
  /** It has no record of the slot. */
  unknown: number;
  failed: number;
  /** Folded without an answer, because it or a previous one was late. */
  late: number;
}

interface Answer {
  readonly outcome: keyof BundleAnswers;
  readonly bundles: readonly ExactBundle[];
}

const LATE: Answer = { outcome: 'late', bundles: [] };

/**
 * Queries an oracle for the bundles of slots before they are folded. The answer is stored with the
 * slot, so a refold of the log requires no requests.
 */
export class ExactBundles {
  readonly answers: BundleAnswers = { known: 0, unknown: 0, failed: 0, late: 0 };
  private readonly oracle: BundleOracle | undefined;
  private readonly answerMsMax: number;
  /** Only one request is open at a time: a hanging oracle delays one slot, not every slot. */
  private isAsking = false;

  /** `areBlocksFinal`: the slots are of the past, so that they can wait. */
  constructor(oracle: BundleOracle | undefined, areBlocksFinal: boolean) {
    this.oracle = oracle;
    this.answerMsMax = areBlocksFinal ? PAST_ANSWER_MS_MAX : FOLLOWED_ANSWER_MS_MAX;
  }

  /** The slot with its bundles; unchanged if the oracle is late, fails, or knows of none. */
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
      const timer = setTimeout(resolve, this.answerMsMax, LATE);
      void answerOf(oracle, facts).then((answer) => {
        clearTimeout(timer);
        this.isAsking = false;
        resolve(answer);
      });
    });
  }
}

/**
 * Keeps the bundles of an earlier record, as far as `facts` has their transactions and no bundles
 * itself.
 */
export function keepBundles(facts: SlotFacts, { exactBundles }: SlotFacts): SlotFacts {
  if (facts.exactBundles !== undefined || exactBundles === undefined) return facts;
  const kept = knownBundles(exactBundles, facts);
  return kept.length === 0 ? facts : { ...facts, exactBundles: kept };
}

/** Never rejects: failures of an oracle do not affect the slot. */
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
 * The bundles with at least two transactions of the slot. A transaction named by two bundles
 * belongs to the first. Bundles that are too long are omitted.
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
