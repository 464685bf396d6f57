import { toBigintJson } from '../../lib/bigint-json.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Classification, Finding } from '../../model/fraud.ts';
import type { Address, Slot } from '../../model/units.ts';
import { matchFindings } from './match-findings.ts';
import {
  contentOf,
  type FoundAt,
  newTracked,
  type TrackedFinding,
  toClassification,
} from './tracked-finding.ts';

/** Minimum confidence of a stored finding (METHODS §7.2). */
export const KEPT_MIN = 0.3;
/** Minimum confidence of a reported finding; weaker ones are candidates, which are not reported. */
export const REPORTED_MIN = 0.5;
/** A finding that stays below this confidence for LAPSED_MS is archived. */
const LAPSED_BELOW = 0.35;
const LAPSED_MS = 24 * 3_600_000;
/** Minimum interval between updates in which confidence, wallets and roles are unchanged. */
const DETAILS_MS = 600_000;
const CONFIDENCE_STEP = 0.01;
/**
 * Maximum number of findings that can still change; beyond it the least recently changed is
 * dropped.
 */
export const TRACKED_MAX = 10_000;

/** One publication of a finding. */
type Publication = readonly [mint: Address, id: string, slot: Slot];

/**
 * Findings with stable ids. A pattern that is found again keeps its classification even when its
 * group or evidence changed; the change is published.
 */
export class FindingBook {
  private readonly undo: UndoLog;
  private readonly byMint = new Map<Address, TrackedFinding[]>();
  /** Ids with their mint in eviction order: least recently published first. */
  private readonly order: Publication[] = [];
  /** Weak findings in the order in which they lapse. */
  private readonly lapsing: (readonly [mint: Address, id: string, weakSinceMs: number])[] = [];
  private readonly progress = { orderFrom: 0, lapsingFrom: 0, tracked: 0 };

  constructor(undo: UndoLog) {
    this.undo = undo;
  }

  /** Takes all current findings of a mint, strongest first; returns the changes to publish. */
  take(mint: Address, findings: readonly Finding[], at: FoundAt): Classification[] {
    const known = this.byMint.get(mint) ?? [];
    const strong = findings.filter(({ confidence }) => confidence >= KEPT_MIN);
    if (known.length === 0 && strong.length === 0) return [];
    const matches = matchFindings(known, findings);
    const published: Classification[] = [];
    for (const finding of findings) {
      const tracked = matches.get(finding);
      const change =
        tracked === undefined
          ? this.begin(finding, at)
          : this.change(tracked, sinceStart(tracked, finding), at);
      if (change !== null) published.push(change);
    }
    const found = new Set(matches.values());
    for (const tracked of known) if (!found.has(tracked)) this.weaken(tracked, at.timeMs);
    this.makeSpace();
    return published;
  }

  /** Archives findings that were too weak for LAPSED_MS; returns them for publication. */
  takeLapsed(slot: Slot, timeMs: number): Classification[] {
    const published: Classification[] = [];
    const { lapsing, progress } = this;
    for (;;) {
      const next = lapsing[progress.lapsingFrom];
      if (next === undefined || timeMs - next[2] < LAPSED_MS) break;
      this.undo.keep(progress);
      progress.lapsingFrom++;
      const tracked = this.find(next[0], next[1]);
      if (tracked === null || tracked.weakSinceMs !== next[2]) continue;
      this.undo.keep(tracked);
      tracked.state = 'archived';
      tracked.publishedSlot = slot;
      tracked.publishedMs = timeMs;
      published.push(toClassification(tracked));
      this.remove(tracked);
    }
    this.compact();
    return published;
  }

  /** Confidence of the strongest finding of a mint, as last published; 0 without a finding. */
  confidenceOf(mint: Address): number {
    let most = 0;
    for (const { confidence } of this.byMint.get(mint) ?? []) most = Math.max(most, confidence);
    return most;
  }

  /** Number of findings that can still change. */
  get size(): number {
    return this.progress.tracked;
  }

  *digestRows(): Iterable<string> {
    for (const mint of [...this.byMint.keys()].sort()) {
      for (const { roles, ...tracked } of this.byMint.get(mint) ?? []) {
        yield `finding ${toBigintJson({ ...tracked, roles: [...roles].sort() })}`;
      }
    }
    yield `findings ${toBigintJson(this.order.slice(this.progress.orderFrom))}`;
    yield `findings lapsing ${toBigintJson(this.lapsing.slice(this.progress.lapsingFrom))}`;
  }

  private begin(finding: Finding, at: FoundAt): Classification | null {
    if (finding.confidence < KEPT_MIN) return null;
    const tracked = newTracked(finding, at);
    // Ids are unique: two findings of one type may have the same start and share no wallet.
    if (this.find(tracked.mint, tracked.id) !== null) return null;
    this.add(tracked);
    return this.publish(tracked, finding, at);
  }

  private change(tracked: TrackedFinding, finding: Finding, at: FoundAt): Classification | null {
    if (finding.confidence < LAPSED_BELOW) {
      this.weaken(tracked, at.timeMs);
    } else if (tracked.weakSinceMs !== null) {
      this.undo.keep(tracked);
      tracked.weakSinceMs = null;
    }
    if (!isWorthReporting(tracked, finding, at.timeMs)) return null;
    return this.publish(tracked, finding, at);
  }

  private publish(tracked: TrackedFinding, finding: Finding, at: FoundAt): Classification {
    this.undo.keep(tracked);
    const { confidence, evidence, wallets } = finding;
    const known = new Map(tracked.collected);
    const collected = evidence.map((item) => {
      const content = contentOf(item);
      return [content, known.get(content) ?? at.timeMs] as const;
    });
    Object.assign(tracked, {
      startSlot: finding.patternStartSlot,
      clusterRoot: finding.clusterRoot,
      state: confidence >= REPORTED_MIN || tracked.state === 'active' ? 'active' : 'candidate',
      detectionSlot: tracked.detectionSlot ?? (confidence >= REPORTED_MIN ? at.slot : null),
      publishedSlot: at.slot,
      publishedMs: at.timeMs,
      calibrationVersion: at.calibrationVersion,
      finding: toBigintJson(finding),
      confidence,
      roles: new Map(wallets.map(({ address, role }) => [address, role])),
      collected,
    } satisfies Partial<TrackedFinding>);
    this.noteOrder(tracked);
    return toClassification(tracked, finding);
  }

  private weaken(tracked: TrackedFinding, timeMs: number): void {
    if (tracked.weakSinceMs !== null) return;
    this.undo.keep(tracked);
    tracked.weakSinceMs = timeMs;
    this.undo.push(this.lapsing);
    this.lapsing.push([tracked.mint, tracked.id, timeMs]);
  }

  private find(mint: Address, id: string): TrackedFinding | null {
    return this.byMint.get(mint)?.find((tracked) => tracked.id === id) ?? null;
  }

  private add(tracked: TrackedFinding): void {
    const known = this.byMint.get(tracked.mint) ?? [];
    this.undo.map(this.byMint, tracked.mint);
    this.byMint.set(tracked.mint, [...known, tracked]);
    this.undo.keep(this.progress);
    this.progress.tracked++;
  }

  private remove(tracked: TrackedFinding): void {
    const left = (this.byMint.get(tracked.mint) ?? []).filter((known) => known !== tracked);
    this.undo.map(this.byMint, tracked.mint);
    if (left.length === 0) this.byMint.delete(tracked.mint);
    else this.byMint.set(tracked.mint, left);
    this.undo.keep(this.progress);
    this.progress.tracked--;
  }

  private noteOrder({ mint, id, publishedSlot }: TrackedFinding): void {
    this.undo.push(this.order);
    this.order.push([mint, id, publishedSlot]);
  }

  /** Skips entries of findings that were published again later. */
  private makeSpace(): void {
    const { progress, order } = this;
    while (progress.tracked > TRACKED_MAX) {
      const next = order[progress.orderFrom];
      if (next === undefined) break;
      this.undo.keep(progress);
      progress.orderFrom++;
      const tracked = this.isNewest(next) ? this.find(next[0], next[1]) : null;
      if (tracked !== null) this.remove(tracked);
    }
    this.compact();
  }

  private compact(): void {
    const { progress, order, lapsing } = this;
    if (order.length >= ORDER_MAX) {
      this.undo.keep(progress);
      this.undo.keep(order);
      const left = order.slice(progress.orderFrom).filter((entry) => this.isNewest(entry));
      order.splice(0, order.length, ...left);
      progress.orderFrom = 0;
    }
    if (progress.lapsingFrom < COMPACT_AT) return;
    this.undo.keep(progress);
    this.undo.head(lapsing, progress.lapsingFrom);
    lapsing.splice(0, progress.lapsingFrom);
    progress.lapsingFrom = 0;
  }

  private isNewest([mint, id, slot]: Publication): boolean {
    return this.find(mint, id)?.publishedSlot === slot;
  }
}

const COMPACT_AT = 4_096;
/** Includes stale entries of findings that were published again. */
const ORDER_MAX = 4 * TRACKED_MAX;

/** Keeps the earliest start: a later round of a pattern does not move its start. */
function sinceStart({ startSlot }: TrackedFinding, finding: Finding): Finding {
  if (finding.patternStartSlot <= startSlot) return finding;
  return { ...finding, patternStartSlot: startSlot };
}

function isWorthReporting(tracked: TrackedFinding, finding: Finding, timeMs: number): boolean {
  const { confidence, wallets } = finding;
  if (confidence >= REPORTED_MIN !== tracked.confidence >= REPORTED_MIN) return true;
  if (Math.abs(confidence - tracked.confidence) >= CONFIDENCE_STEP) return true;
  const areSameRoles =
    wallets.length === tracked.roles.size &&
    wallets.every(({ address, role }) => tracked.roles.get(address) === role);
  if (!areSameRoles) return true;
  return timeMs - tracked.publishedMs >= DETAILS_MS && toBigintJson(finding) !== tracked.finding;
}
