import { OPERATOR } from '../../model/rule-change.ts';
import type { RULE_AUTHORS } from '../schemas/rule-path.ts';

export const AUTHOR_OF_RULE = 'The account of this key, or the operator.';

/** The author of a rule as its account sees it; others do not see the rules of an account. */
export function authorOf({ author }: { readonly author: string }): (typeof RULE_AUTHORS)[number] {
  return author === OPERATOR ? 'operator' : 'account';
}
