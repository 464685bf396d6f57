import { COORDINATION_MIN } from '../../fold/wallets/features/wallet-thresholds.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { toBigintJson } from '../../lib/bigint-json.ts';
import { ObjectMap } from '../../lib/object-map.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import type { Classification, Finding, FraudType, WalletRole } from '../../model/fraud.ts';
import type { Address, Slot } from '../../model/units.ts';
import { FindingIds } from './finding-ids.ts';
import { FindingRows } from './finding-rows.ts';
import { type LapsedFinding, LapsedFindings } from './lapsed-findings.ts';
import { matchFindings } from './match-findings.ts';
import {
  contentOf,
  type FoundAt,
  newTracked,
  TRACKED_FINDING,
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
const LEADING_ROLES: ReadonlySet<string> = new Set<WalletRole>(['attacker', 'bundler']);
/** Patterns without such roles: those who trade in them have the role `unknown`. */
const EQUAL_ROLES: ReadonlySet<FraudType> = new Set<FraudType>(['coordinated_exit', 'wash_volume']);

/** The finding by which a wallet leads a pattern. */
export interface Leading {
  readonly fraudType: FraudType;
  readonly confidence: number;
}

/**
 * Findings with stable ids. A pattern that is found again keeps its classification even when its
 * group or evidence changed; the change is published. An archived finding stays archived until it
 * is strong enough not to lapse again or, once reported, to be reported; then it goes on.
 */
export class FindingBook {
  private readonly undo: UndoLog;
  private readonly rows: FindingRows;
  /** By row. */
  private readonly findings: ObjectMap<TrackedFinding>;
  /** Row by the id of a finding. */
  private readonly rowsById: FindingIds;
  /** Findings that a review called false or archived. */
  private readonly refused: FindingIds;
  /** Archived findings. */
  private readonly lapsed: LapsedFindings;

  constructor(undo: UndoLog, ids = new AddressIds<Address>(undo)) {
    this.undo = undo;
    this.rows = new FindingRows(undo, ids);
    this.findings = new ObjectMap(TRACKED_FINDING, undo, 'findings');
    this.rowsById = new FindingIds(undo, 'findings by id');
    this.refused = new FindingIds(undo, 'refused findings');
    this.lapsed = new LapsedFindings(undo);
  }

  /** Takes all current findings of a mint, strongest first; returns the changes to publish. */
  take(mint: Address, findings: readonly Finding[], at: FoundAt): Classification[] {
    const known = this.trackedOf(mint);
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
    for (const tracked of known) if (!found.has(tracked)) this.rows.setWeak(tracked.row, at.timeMs);
    return published;
  }

  /** Archives findings that were too weak for LAPSED_MS; returns them for publication. */
  takeLapsed(slot: Slot, timeMs: number): Classification[] {
    const published: Classification[] = [];
    for (;;) {
      const row = this.rows.weakBefore(timeMs - LAPSED_MS);
      if (row === -1) return published;
      const tracked = this.changing(row);
      tracked.state = 'archived';
      tracked.publishedSlot = slot;
      tracked.publishedMs = timeMs;
      published.push(toClassification(tracked));
      this.lapsed.add(tracked.id, tracked);
      this.findings.delete(row);
      this.rowsById.delete(tracked.id);
      this.rows.remove(tracked.mint, row);
    }
  }

  /** Confidence of the strongest finding of a mint, as last published; 0 without a finding. */
  confidenceOf(mint: Address): number {
    return Math.max(0, ...this.rows.of(mint).map((row) => this.rows.confidence(row)));
  }

  /**
   * Records that a review called a finding false or archived it, for good: it names nobody any more,
   * also when it lapses and is found again. Returns its mint; null if the finding is not tracked.
   */
  refuse(id: string): Address | null {
    this.refused.set(id, 0);
    const row = this.rowsById.get(id);
    return row === -1 ? null : (this.findings.get(row)?.mint ?? null);
  }

  isRefused(id: string): boolean {
    return this.refused.get(id) !== -1;
  }

  /**
   * Attackers and bundlers, or the equal members of a pattern that has neither, of a mint's findings
   * of COORDINATION_MIN and more, as last published and not refused, each with the strongest finding that names it.
   */
  leadersOf(mint: Address): ReadonlyMap<Address, Leading> {
    const leaders = new Map<Address, Leading>();
    for (const row of this.rows.of(mint)) {
      const confidence = this.rows.confidence(row);
      if (confidence < COORDINATION_MIN) continue;
      const { id, fraudType, roles } = this.findings.get(row) as TrackedFinding;
      if (this.isRefused(id)) continue;
      for (const [wallet, role] of roles) {
        const known = leaders.get(wallet)?.confidence ?? 0;
        const isLeading =
          LEADING_ROLES.has(role) || (role === 'unknown' && EQUAL_ROLES.has(fraudType));
        if (isLeading && confidence > known) {
          leaders.set(wallet, { fraudType, confidence });
        }
      }
    }
    return leaders;
  }

  /** Number of findings that can still change. */
  get size(): number {
    return this.rows.size;
  }

  private begin(finding: Finding, at: FoundAt): Classification | null {
    const { mint, confidence } = finding;
    if (confidence < KEPT_MIN) return null;
    const tracked = newTracked(finding, at);
    // Ids are unique: two findings of one type may have the same start and share no wallet.
    if (this.trackedOf(mint).some(({ id }) => id === tracked.id)) return null;
    const lapsed = this.lapsed.get(tracked.id);
    if (lapsed !== null) {
      if (confidence < returnMin(lapsed)) return null;
      Object.assign(tracked, lapsed);
      this.lapsed.remove(tracked.id);
    }
    tracked.row = this.rows.add(mint);
    this.findings.set(tracked.row, tracked);
    this.rowsById.set(tracked.id, tracked.row);
    this.noteStrength(tracked.row, confidence, at);
    return this.publish(tracked, finding, at);
  }

  private change(tracked: TrackedFinding, finding: Finding, at: FoundAt): Classification | null {
    const { row } = tracked;
    this.noteStrength(row, finding.confidence, at);
    const published = { tracked, confidence: this.rows.confidence(row) };
    if (!isWorthReporting(published, finding, at.timeMs)) return null;
    return this.publish(tracked, finding, at);
  }

  private noteStrength(row: number, confidence: number, { timeMs }: FoundAt): void {
    if (confidence < LAPSED_BELOW) this.rows.setWeak(row, timeMs);
    else this.rows.setStrong(row);
  }

  private publish(tracked: TrackedFinding, finding: Finding, at: FoundAt): Classification {
    this.changing(tracked.row);
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
      roles: new Map(wallets.map(({ address, role }) => [address, role])),
      collected,
    } satisfies Partial<TrackedFinding>);
    this.rows.setConfidence(tracked.row, confidence);
    return toClassification(tracked, finding);
  }

  /** Findings of a mint, oldest first. */
  private trackedOf(mint: Address): TrackedFinding[] {
    return this.rows.of(mint).map((row) => this.findings.get(row) as TrackedFinding);
  }

  private changing(row: number): TrackedFinding {
    const tracked = this.findings.changing(row);
    this.undo.keep(tracked);
    return tracked;
  }
}

/** The confidence from which an archived finding goes on. */
function returnMin({ detectionSlot }: LapsedFinding): number {
  return detectionSlot === null ? LAPSED_BELOW : REPORTED_MIN;
}

/** Keeps the earliest start: a later round of a pattern does not move its start. */
function sinceStart({ startSlot }: TrackedFinding, finding: Finding): Finding {
  if (finding.patternStartSlot <= startSlot) return finding;
  return { ...finding, patternStartSlot: startSlot };
}

function isWorthReporting(
  {
    tracked,
    confidence: before,
  }: { readonly tracked: TrackedFinding; readonly confidence: number },
  finding: Finding,
  timeMs: number,
): boolean {
  const { confidence, wallets } = finding;
  if (confidence >= REPORTED_MIN !== before >= REPORTED_MIN) return true;
  if (Math.abs(confidence - before) >= CONFIDENCE_STEP) return true;
  const areSameRoles =
    wallets.length === tracked.roles.size &&
    wallets.every(({ address, role }) => tracked.roles.get(address) === role);
  if (!areSameRoles) return true;
  return timeMs - tracked.publishedMs >= DETAILS_MS && toBigintJson(finding) !== tracked.finding;
}
