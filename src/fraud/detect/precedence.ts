import type { Evidence, Finding } from '../../model/fraud.ts';
import type { Signature } from '../../model/units.ts';

/**
 * A fake dump or an exit that shares at least this part of its transactions with a
 * bundle-and-launder repeats it (METHODS §7.6 and §13.3).
 */
const SHARED_MIN = 0.7;
/** Weaker findings are not reported (METHODS §7.2) and must not replace one that would be. */
const REPORTED_MIN = 0.5;

/**
 * Removes exits whose sales are those of a reported bundle-and-launder: what came back to other
 * wallets was not sold off. Removes fake dumps that consist of the same transactions as a reported bundle-and-launder whose
 * money was seen to return. Without that money, both explain the sale equally well and both are
 * reported. Price evidence of removed dumps is added to the laundering with weight 0, because it is
 * not part of its score.
 */
export function applyPrecedence(findings: readonly Finding[]): readonly Finding[] {
  const reported = findings.filter(
    ({ fraudType, confidence }) => fraudType === 'bundle_and_launder' && confidence >= REPORTED_MIN,
  );
  const launderings = reported.filter(isMoneySeen);
  const isCoveredExit = (finding: Finding): boolean =>
    finding.fraudType === 'coordinated_exit' &&
    reported.some((laundering) => sharedPart(finding, laundering) >= SHARED_MIN);
  const covered = new Map<Finding, Finding>();
  for (const dump of findings.filter(({ fraudType }) => fraudType === 'fake_dump')) {
    const same = launderings.find((laundering) => sharedPart(dump, laundering) >= SHARED_MIN);
    if (same !== undefined) covered.set(dump, same);
  }
  return findings
    .filter((finding) => !covered.has(finding) && !isCoveredExit(finding))
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

/** Whether the flow feature is above 0: the buyers paid with enough proceeds of the sale. */
function isMoneySeen({ features }: Finding): boolean {
  return features.some(({ name, value }) => name === 'flow' && value > 0);
}

/** Part of a finding's listed transactions that another one lists too; 0 if it lists none. */
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

/** Inserts price evidence before the last item, which states what speaks against the finding. */
function withPrices(finding: Finding, dumps: readonly Finding[]): Finding {
  const prices = dumps
    .flatMap(({ evidence }) => evidence)
    .filter(({ type }) => type === 'price_manipulation')
    .map((item): Evidence => ({ ...item, weight: 0 }));
  const last = finding.evidence.slice(-1);
  return { ...finding, evidence: [...finding.evidence.slice(0, -1), ...prices, ...last] };
}
