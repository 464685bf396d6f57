/** Whether a token shows fraud patterns, each with its reasons. */
import type { Static } from 'typebox';
import { FraudCheckBody } from '../../present/present-classification.ts';
import { pathOf } from '../answer/answer-reader.ts';
import type { Detail } from '../answer/write-answer.ts';
import { TokenArgument } from './argument-schemas.ts';
import { OF_RULES, ruleHitFacts } from './rule-results.ts';
import { defineTool } from './tool.ts';

type Finding = Static<typeof FraudCheckBody>['classifications'][number];

/** Entries within one finding; its API answer has all. */
const WITHIN: Readonly<Record<Detail, { evidence: number; signatures: number; wallets: number }>> =
  {
    short: { evidence: 5, signatures: 1, wallets: 3 },
    full: { evidence: 20, signatures: 3, wallets: 20 },
  };

export const checkFraud = defineTool({
  name: 'check_fraud',
  title: 'Check a token for fraud',
  description:
    'Is a token a fraud, and what shows it: each pattern found (bundled launches, wash volume, fake ' +
    'dumps, coordinated exits, …) with confidence, reasons by weight, transactions and wallets. ' +
    'verify_finding checks one of them. rule_hits are where rules of the account or the operator ' +
    'passed: no verdict of the service.',
  arguments: { token_address: TokenArgument },
  async find({ token_address: mint }, reader, { detail }) {
    const query = { token_address: mint, author: `built_in,${OF_RULES.author}` };
    const found = await reader.read('/v1/fraud/check', FraudCheckBody, query);
    const findings = found.classifications.toSorted(
      (one, other) => other.confidence_score - one.confidence_score,
    );
    return {
      summary: summaryOf(mint, findings),
      facts: { risk_score: found.risk_score, finding_count: found.classification_count },
      lists: {
        findings: findings.map((one) => findingFacts(one, detail)),
        rule_hits: (found.rule_hits ?? []).map(ruleHitFacts),
      },
      links: { api: [pathOf('/v1/fraud/check', query)], page: `/token/${mint}` },
    };
  },
});

function summaryOf(mint: string, findings: readonly Finding[]): string {
  const [strongest] = findings;
  if (strongest === undefined) {
    return `No fraud pattern was found for ${mint} with a confidence of at least 0.5. That is no proof that there is none.`;
  }
  const { fraud_type: type, confidence_score: confidence, status } = strongest;
  const risk = strongest.estimated_value_at_risk;
  const atRisk = risk === null ? '' : `, $${risk} at risk`;
  return `${findings.length} fraud pattern${findings.length === 1 ? '' : 's'} for ${mint}. Strongest: ${type} with a confidence of ${confidence} (${status})${atRisk}. A confidence is calibrated, not certain: innocent look-alikes exist.`;
}

function findingFacts(finding: Finding, detail: Detail) {
  const most = WITHIN[detail];
  const evidence = finding.evidence.toSorted((one, other) => other.weight - one.weight);
  return {
    id: finding.id,
    fraud_type: finding.fraud_type,
    confidence_score: finding.confidence_score,
    confidence_level: finding.confidence_level,
    status: finding.status,
    estimated_value_at_risk_usd: finding.estimated_value_at_risk,
    pattern_start_slot: finding.pattern_start_slot,
    detection_slot: finding.detection_slot,
    evidence: evidence.slice(0, most.evidence).map(({ description, weight, data }) => ({
      reason: description,
      weight,
      signatures:
        data.type === 'transaction' ? data.payload.signatures.slice(0, most.signatures) : [],
    })),
    evidence_total: evidence.length,
    wallets: finding.involved_wallets
      .slice(0, most.wallets)
      .map(({ address, role, labels }) => ({ address, role, labels })),
    wallets_total: finding.involved_wallets.length,
    full: `/v1/fraud/classifications/${finding.id}`,
  };
}
