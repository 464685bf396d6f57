import { expect, test } from 'vitest';
import { worstOf } from './finding-badge.tsx';

type Finding = NonNullable<ReturnType<typeof worstOf>>;

const finding: Finding = {
  ...{ id: 'a', token_address: 'mint', fraud_type: 'coordinated_exit' },
  ...{ confidence_score: 0.6, confidence_level: 'medium', status: 'active' },
};
const critical: Finding = { ...finding, id: 'b', confidence_level: 'critical' };

test('the finding beside a class is the most certain one that still stands', () => {
  expect(worstOf([finding, critical])?.id).toBe('b');
  expect(worstOf([finding, { ...critical, status: 'false_positive' }])?.id).toBe('a');
  expect(worstOf([{ ...finding, confidence_level: 'low' }])).toBeNull();
  expect(worstOf([{ ...finding, status: 'archived' }])).toBeNull();
  expect(worstOf([])).toBeNull();
});
