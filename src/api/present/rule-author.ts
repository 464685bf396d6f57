import { OPERATOR, type RuleAuthor } from '../../model/rule-change.ts';

export const AUTHOR_OF_RULE = 'The account of this key, or the operator.';

/** The author of a rule as its account sees it; others do not see the rules of an account. */
export function authorOf({ author }: { readonly author: string }): RuleAuthor {
  return author === OPERATOR ? 'operator' : 'account';
}
