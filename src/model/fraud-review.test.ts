import { describe, expect, it } from 'vitest';
import { buildClassification } from '../../tests/support/build-classification.ts';
import {
  CLASSIFICATION_STATUSES,
  type ClassificationStatus,
  isPublished,
  isReviewStep,
  REVIEW_STATUSES,
  statusOf,
} from './fraud-review.ts';

describe('a review', () => {
  // CONTRACT §2.7: active → reviewed → confirmed | false_positive; any → archived; nothing else.
  const allowed: Readonly<Record<ClassificationStatus, readonly string[]>> = {
    active: ['reviewed', 'archived'],
    reviewed: ['confirmed', 'false_positive', 'archived'],
    confirmed: ['archived'],
    false_positive: ['archived'],
    archived: ['archived'],
  };

  it.each(CLASSIFICATION_STATUSES)('takes what is %s where the contract lets it, only', (from) => {
    expect(REVIEW_STATUSES.filter((to) => isReviewStep(from, to)).sort()).toEqual(
      [...allowed[from]].sort(),
    );
  });

  it('counts before what became of the finding by itself', () => {
    expect(statusOf('active', null)).toBe('active');
    expect(statusOf('candidate', null)).toBe('active');
    expect(statusOf('archived', null)).toBe('archived');
    expect(statusOf('archived', 'confirmed')).toBe('confirmed');
    expect(statusOf('active', 'archived')).toBe('archived');
  });
});

describe('a classification', () => {
  const judged = (confidence: number, status: ClassificationStatus) => ({
    classification: buildClassification({ finding: { confidence } }),
    status,
  });

  it('is told from a confidence of one half on', () => {
    expect(isPublished(judged(0.5, 'active'))).toBe(true);
    expect(isPublished(judged(0.4999, 'active'))).toBe(false);
  });

  it('is told unless it was called false or archived', () => {
    const told = CLASSIFICATION_STATUSES.filter((status) => isPublished(judged(0.9, status)));
    expect(told).toEqual(['active', 'reviewed', 'confirmed']);
  });

  it('is never told as a candidate, whatever anybody said', () => {
    const classification = buildClassification({ state: 'candidate', finding: { confidence: 1 } });
    expect(isPublished({ classification, status: 'confirmed' })).toBe(false);
  });
});
