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

/** Weaker findings are not kept (METHODS §7.2). */
export const KEPT_MIN = 0.3;
/** Weaker ones are candidates, which nobody is told of. */
export const REPORTED_MIN = 0.5;
/** A finding that was weaker for so long is over. */
const LAPSED_BELOW = 0.35;
const LAPSED_MS = 24 * 3_600_000;
/** Details that change while confidence, wallets and roles stay are told this often at most. */
const DETAILS_MS = 600_000;
const CONFIDENCE_STEP = 0.01;
/** Findings that can still change; the one that changed longest ago makes room. */
export const TRACKED_MAX = 10_000;

/** One of the times at which a finding was told. */
type Told = readonly [mint: Address, id: string, slot: Slot];

/**
 * Findings under lasting names: what is found again is the same classification, though its group grew
 * or its evidence changed, and what of it changed is told.
 */
export class FindingBook {
  private readonly undo: UndoLog;
  private readonly byMint = new Map<Address, TrackedFinding[]>();
  /** Ids with their mint as they make room: what was told longest ago first. */
  private readonly order: Told[] = [];
  /** Weak findings in the order in which they lapse. */
  private readonly lapsing: (readonly [mint: Address, id: string, weakSinceMs: number])[] = [];
  private readonly progress = { orderFrom: 0, lapsingFrom: 0, tracked: 0 };

  constructor(undo: UndoLog) {
    this.undo = undo;
  }

  /** Takes all that was found in a mint now, strongest first; returns what is to be told. */
  take(mint: Address, findings: readonly Finding[], at: FoundAt): Classification[] {
    const known = this.byMint.get(mint) ?? [];
    const strong = findings.filter(({ confidence }) => confidence >= KEPT_MIN);
    if (known.length === 0 && strong.length === 0) return [];
    const matches = matchFindings(known, findings);
    const told: Classification[] = [];
    for (const finding of findings) {
      const tracked = matches.get(finding);
      const change =
        tracked === undefined
          ? this.begin(finding, at)
          : this.change(tracked, sinceStart(tracked, finding), at);
      if (change !== null) told.push(change);
    }
    const found = new Set(matches.values());
    for (const tracked of known) if (!found.has(tracked)) this.weaken(tracked, at.timeMs);
    this.makeSpace();
    return told;
  }

  /** What was too weak for a day by now is over; returned as it is to be told. */
  takeLapsed(slot: Slot, timeMs: number): Classification[] {
    const told: Classification[] = [];
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
      told.push(toClassification(tracked));
      this.remove(tracked);
    }
    this.compact();
    return told;
  }

  /** Of the strongest finding in a mint, as last told; 0 where there is none. */
  confidenceOf(mint: Address): number {
    let most = 0;
    for (const { confidence } of this.byMint.get(mint) ?? []) most = Math.max(most, confidence);
    return most;
  }

  /** Findings that can still change. */
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
    // Of one name there is one: two findings of one type may begin alike and share no wallet.
    if (this.find(tracked.mint, tracked.id) !== null) return null;
    this.add(tracked);
    return this.tell(tracked, finding, at);
  }

  private change(tracked: TrackedFinding, finding: Finding, at: FoundAt): Classification | null {
    if (finding.confidence < LAPSED_BELOW) {
      this.weaken(tracked, at.timeMs);
    } else if (tracked.weakSinceMs !== null) {
      this.undo.keep(tracked);
      tracked.weakSinceMs = null;
    }
    return isWorthReporting(tracked, finding, at.timeMs) ? this.tell(tracked, finding, at) : null;
  }

  private tell(tracked: TrackedFinding, finding: Finding, at: FoundAt): Classification {
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

  /** An entry that was told again since stands for nothing. */
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

  private isNewest([mint, id, slot]: Told): boolean {
    return this.find(mint, id)?.publishedSlot === slot;
  }
}

const COMPACT_AT = 4_096;
/** Entries of findings that were told again are among them. */
const ORDER_MAX = 4 * TRACKED_MAX;

/** A later round of a pattern does not make it begin later, after it was detected even. */
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
