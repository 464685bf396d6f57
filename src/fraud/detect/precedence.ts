import type { Evidence, Finding } from '../../model/fraud.ts';
import type { Signature } from '../../model/units.ts';

/** From this part of its transactions on, a fake dump is a bundle-and-launder told twice (METHODS §7.6). */
const SHARED_MIN = 0.7;
/** Nobody is told of less (METHODS §7.2): what is not told must not stand in for what would be. */
const REPORTED_MIN = 0.5;

/**
 * The findings of one mint without fake dumps that are the same transactions as a bundle-and-launder
 * that is told and whose money was seen to come back: without it the sale is no more explained by a
 * laundering than by the dump, and both are told. What covered dumps say of the price is added to the
 * laundering, without weight: it is no part of its score.
 */
export function applyPrecedence(findings: readonly Finding[]): readonly Finding[] {
  const launderings = findings.filter(
    (finding) =>
      finding.fraudType === 'bundle_and_launder' &&
      finding.confidence >= REPORTED_MIN &&
      isMoneySeen(finding),
  );
  const covered = new Map<Finding, Finding>();
  for (const dump of findings.filter(({ fraudType }) => fraudType === 'fake_dump')) {
    const same = launderings.find((laundering) => sharedPart(dump, laundering) >= SHARED_MIN);
    if (same !== undefined) covered.set(dump, same);
  }
  return findings
    .filter((finding) => !covered.has(finding))
    .map((finding) => {
      const dumps = [...covered].filter(([, laundering]) => laundering === finding);
      return dumps.length === 0
        ? finding
        : withPrices(
            finding,
            dumps.map(([dump]) => dump),
          );
    });
}

/** Enough of what the buyers paid is proceeds of the sale for its ramp to begin. */
function isMoneySeen({ features }: Finding): boolean {
  return features.some(({ name, value }) => name === 'flow' && value > 0);
}

/** Part of a finding's listed transactions that another lists too; 0 where none are listed. */
function sharedPart(finding: Finding, other: Finding): number {
  const own = signaturesOf(finding);
  const others = signaturesOf(other);
  const shared = [...own].filter((signature) => others.has(signature));
  return own.size === 0 ? 0 : shared.length / own.size;
}

function signaturesOf({ evidence }: Finding): ReadonlySet<Signature> {
  return new Set(
    evidence.flatMap(({ payload }) => (payload.kind === 'transaction' ? payload.signatures : [])),
  );
}

/** Before the last item, which tells what speaks against the finding. */
function withPrices(finding: Finding, dumps: readonly Finding[]): Finding {
  const prices = dumps
    .flatMap(({ evidence }) => evidence)
    .filter(({ type }) => type === 'price_manipulation')
    .map((item): Evidence => ({ ...item, weight: 0 }));
  const last = finding.evidence.slice(-1);
  return { ...finding, evidence: [...finding.evidence.slice(0, -1), ...prices, ...last] };
}
