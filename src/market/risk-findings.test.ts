import { describe, expect, test } from 'vitest';
import { buildClassification, classificationId } from '../../tests/support/build-classification.ts';
import { address } from '../../tests/support/build-transaction.ts';
import { UndoLog } from '../lib/undo-log.ts';
import type { Classification } from '../model/fraud.ts';
import type { ReviewStatus } from '../model/fraud-review.ts';
import { RiskFindings } from './risk-findings.ts';

const MINT = address('mint');
const ID = '0a1b2c3d-4e5f-5a6b-8c7d-9e0f1a2b3c4d';

function finding(
  id: string,
  confidence: number,
  given: Partial<Omit<Classification, 'finding'>> = {},
): Classification {
  return buildClassification({ id, ...given, finding: { mint: MINT, confidence } });
}

describe('findings by mint', () => {
  test('give the highest confidence of those that are published', () => {
    const findings = new RiskFindings(new UndoLog(), () => null);
    findings.put(finding(classificationId(1), 0.7));
    findings.put(finding(classificationId(2), 0.9, { state: 'candidate' }));
    findings.put(finding(classificationId(3), 0.8, { state: 'archived' }));
    findings.put(finding(classificationId(4), 0.6));
    expect([findings.confidenceOf(MINT), findings.scoreOf(MINT)]).toEqual([0.7, 70]);
    expect(findings.confidenceOf(address('other'))).toBe(0);
  });

  test('are replaced by newer versions, and asked about by their whole ID', () => {
    const asked: string[] = [];
    const reviewOf = (id: string): ReviewStatus | null => {
      asked.push(id);
      return null;
    };
    const findings = new RiskFindings(new UndoLog(), reviewOf);
    findings.put(finding(ID, 0.9));
    findings.put(finding(ID, 0.55));
    expect(findings.confidenceOf(MINT)).toBe(0.55);
    expect(asked).toEqual([ID]);
  });

  test('are reverted with their slot', () => {
    const undo = new UndoLog(4);
    const findings = new RiskFindings(undo, () => null);
    findings.put(finding(classificationId(1), 0.6));
    undo.open();
    findings.put(finding(classificationId(1), 0.95));
    findings.put(finding(classificationId(2), 0.99));
    undo.close();
    expect(findings.confidenceOf(MINT)).toBe(0.99);
    undo.undo();
    expect(findings.confidenceOf(MINT)).toBe(0.6);
    findings.put(finding(classificationId(3), 0.7));
    expect(findings.confidenceOf(MINT)).toBe(0.7);
  });

  test('need UUIDs', () => {
    const findings = new RiskFindings(new UndoLog(), () => null);
    expect(() => findings.put(finding('17', 0.9))).toThrow(RangeError);
  });
});
