import type { Moment } from '../../fold/market/logical-time.ts';
import { caseText } from '../../fraud/contract/case-text.ts';
import type {
  DetectorFailure,
  DetectorIdentity,
  InstalledDetector,
} from '../../fraud/contract/installed-detector.ts';
import { createReading } from '../../fraud/detect/inspect-case.ts';
import { StateValue } from '../../lib/state-value.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Judgement } from '../../model/fraud.ts';
import type { MintCase } from '../../model/mint-case.ts';
import { OPERATOR, RULES_MAX } from '../../model/rule-change.ts';
import { HIT_SIGNATURES_MAX, HIT_WALLETS_MAX, type RuleHit } from '../../model/rule-hit.ts';
import type { Address } from '../../model/units.ts';
import { CASE_HITS_PER_HOUR_MAX } from '../rules/case-rules.ts';
import type { HitTimes, TimedAuthor } from '../rules/hit-times.ts';
import type { CaseSource } from './case-source.ts';
import { REPORTED_MIN } from './finding-book.ts';

const HOUR_MS = 3_600_000;

/** An installed detector, and when and why it was switched off. */
export interface DetectorState extends DetectorIdentity, Pick<InstalledDetector, 'severity'> {
  /** What it finds, from its card. */
  readonly pattern: string;
  readonly off: DetectorFault | null;
  /** What happened then, if it was since the process started. */
  readonly detail: string | null;
}

interface DetectorFault {
  readonly slot: number;
  readonly failure: DetectorFailure;
}

interface Numbered extends TimedAuthor {
  readonly detector: InstalledDetector;
}

/**
 * Judges cases by installed detectors. Their judgements are hits of kind fraud by the operator, under
 * the same bounds as those of rules. A detector that fails is switched off from then on: the same
 * slots make it fail everywhere.
 */
export class DetectorWatch {
  private readonly detectors: readonly Numbered[];
  private readonly undo: UndoLog;
  private readonly times: HitTimes;
  private readonly state: StateValue<{ off: Record<string, DetectorFault>; sweptHourMs: number }>;
  // A private name: it is no part of the state.
  readonly #details = new Map<string, string>();

  constructor(detectors: readonly InstalledDetector[], undo: UndoLog, times: HitTimes) {
    const rule = { coolDownMs: HOUR_MS };
    this.detectors = detectors.map((detector, place) => ({
      number: RULES_MAX + 1 + place,
      rule,
      detector,
    }));
    this.undo = undo;
    this.times = times;
    this.state = new StateValue({ off: {}, sweptHourMs: 0 }, undo, 'installed detectors');
  }

  /** Hits of a mint whose case is evaluated now, in order of detector. */
  judge(mint: Address, at: Moment, source: CaseSource): RuleHit[] {
    if (!at.isTimeKnown) return [];
    this.dropExpired(at.timeMs);
    const asked = this.detectors.filter((one) => this.isAsked(one, mint, at.timeMs));
    const mintCase = asked.length === 0 ? null : source.readPlain(mint);
    if (mintCase === null) return [];
    const reading = createReading(mintCase);
    const text = caseText(mintCase);
    const hits: RuleHit[] = [];
    for (const one of asked) {
      const outcome = one.detector.judge(reading, text);
      if (outcome.kind === 'failed') {
        this.switchOff(one, { slot: at.slot, failure: outcome.failure }, outcome.detail);
        continue;
      }
      const [strongest] = outcome.judgements;
      if (strongest === undefined || strongest.confidence < REPORTED_MIN) continue;
      this.times.countInHour(one, at.timeMs);
      hits.push(this.hitOf(one, strongest, { mintCase, at, source }));
    }
    return hits;
  }

  states(): readonly DetectorState[] {
    return this.detectors.map(({ detector: { name, version, hash, severity, card } }) => {
      const off = this.state.now.off[name] ?? null;
      const detail = off === null ? null : (this.#details.get(name) ?? null);
      return { name, version, hash, severity, pattern: card.pattern, off, detail };
    });
  }

  /** Whether a detector could have a hit: one that could not is not asked. */
  private isAsked(one: Numbered, mint: Address, nowMs: number): boolean {
    return (
      this.state.now.off[one.detector.name] === undefined &&
      !this.times.isCooling(one, mint, nowMs) &&
      !this.times.isFull(one, CASE_HITS_PER_HOUR_MAX, nowMs)
    );
  }

  private switchOff({ detector: { name } }: Numbered, fault: DetectorFault, detail: string): void {
    const { now } = this.state;
    this.undo.keep(now);
    now.off = { ...now.off, [name]: fault };
    this.#details.set(name, detail);
  }

  private dropExpired(nowMs: number): void {
    const { now } = this.state;
    const hourMs = nowMs - (nowMs % HOUR_MS);
    if (hourMs === now.sweptHourMs) return;
    this.undo.keep(now);
    now.sweptHourMs = hourMs;
    for (const { number } of this.detectors) this.times.dropBefore(number, nowMs);
  }

  private hitOf(one: Numbered, judgement: Judgement, { mintCase, at, source }: Judged): RuleHit {
    const { name, version, hash } = one.detector;
    const { mint, market, trades } = mintCase;
    const pool = market?.pool ?? trades.at(-1)?.pool;
    if (pool === undefined) throw new Error('a case without a trade was judged');
    return {
      rowId: this.times.add(one, mint, at.timeMs),
      ...{ author: OPERATOR, name, version, hash, kind: 'fraud', label: null },
      ...{ mint, pool, slot: at.slot, createdAtMs: at.timeMs, asOfSlot: at.slot },
      confidence: judgement.confidence,
      reasons: judgement.evidence.map(({ description }) => description),
      evidence: judgement.features.map(({ name: feature, measured }) => ({
        name: feature,
        value: measured,
      })),
      priceUsd: source.priceOf(pool),
      signalRowId: null,
      wallets: judgement.wallets.slice(0, HIT_WALLETS_MAX).map(({ address }) => address),
      signatures: signaturesOf(judgement).slice(0, HIT_SIGNATURES_MAX),
      links: [],
    };
  }
}

interface Judged {
  readonly mintCase: MintCase;
  readonly at: Moment;
  readonly source: CaseSource;
}

function signaturesOf({ evidence }: Judgement): RuleHit['signatures'] {
  const all = evidence.flatMap(({ payload }) =>
    payload.kind === 'transaction' ? payload.signatures : [],
  );
  return [...new Set(all)];
}
